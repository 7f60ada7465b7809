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
package io.statesql.benchmark.scan;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * How to start the programs of a benchmark.
 *
 * @param root the folder of the repository
 * @param flinkClassPath of the programs that use Flink
 */
public record Programs(Path root, String flinkClassPath) {
  private static final List<String> OPENED =
      List.of(
          "--add-opens=java.base/java.util=ALL-UNNAMED",
          "--add-opens=java.base/java.lang=ALL-UNNAMED",
          "--add-opens=java.base/java.time=ALL-UNNAMED");

  /** Runs a class of ours, with the same options of the JVM as the launcher gives. */
  public ProcessRun ours(Class<?> main, List<String> arguments)
      throws IOException, InterruptedException {
    List<String> options = new ArrayList<>(OPENED);
    options.add("-XX:+UseSerialGC");
    options.add("-Dcalcite.bindable.cache.maxSize=100");
    return java(options, System.getProperty("java.class.path"), main.getName(), arguments);
  }

  /** Runs a class that uses Flink, which in its own configuration opens these packages too. */
  public ProcessRun flink(String main, List<String> arguments)
      throws IOException, InterruptedException {
    return java(OPENED, flinkClassPath, main, arguments);
  }

  /** Runs the launcher. */
  public ProcessRun launcher(List<String> arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(root.resolve("statesql").toString());
    command.addAll(arguments);
    return ProcessRun.of(root, command);
  }

  private ProcessRun java(
      List<String> options, String classPath, String main, List<String> arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(List.of("-Dfile.encoding=UTF-8", "-cp", classPath, main));
    command.addAll(arguments);
    return ProcessRun.of(root, command);
  }

  /** A file with a text, removed at the end of this process. */
  static Path temporary(String text) throws IOException {
    Path file = Files.createTempFile("statesql-benchmark", ".txt");
    file.toFile().deleteOnExit();
    return Files.writeString(file, text);
  }
}
