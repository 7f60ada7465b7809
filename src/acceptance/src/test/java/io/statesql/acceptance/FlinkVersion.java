/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file
 * except in compliance with the License. You may obtain a copy of the License at
 *
 *     https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software distributed under the
 * License is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND,
 * either express or implied. See the License for the specific language governing permissions
 * and limitations under the License.
 */
package io.statesql.acceptance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Which Flink runs a job of the examples, in a JVM that alone has its classes. */
enum FlinkVersion {
  V2_3("sql-examples", false),
  /** Built by the Maven profile {@code proof} alone. */
  V1_20("src/flink-1.20", true);

  private final Path target;

  /** Its Kryo looks into classes of the JDK. */
  private final boolean opensPackages;

  FlinkVersion(String module, boolean opensPackages) {
    this.target = ProjectFiles.ROOT.resolve(module).resolve("target");
    this.opensPackages = opensPackages;
  }

  /** The beginning of a command, up to the main class. */
  List<String> java(String... jvmOptions) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(jvmOptions));
    command.addAll(List.of("-Dfile.encoding=UTF-8", "-XX:TieredStopAtLevel=1"));
    command.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=error");
    if (opensPackages) {
      for (String name : List.of("java.util", "java.lang", "java.time")) {
        command.add("--add-opens=java.base/" + name + "=ALL-UNNAMED");
      }
    }
    command.add("-cp");
    command.add(
        target.resolve("classes")
            + ":"
            + Files.readString(target.resolve("class-path.txt")).strip());
    return command;
  }
}
