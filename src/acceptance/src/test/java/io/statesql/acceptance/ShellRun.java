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
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What a run of the shell in a JVM of its own left: exit status and both streams, as UTF-8. */
record ShellRun(int status, String out, String err) {

  /** Runs the shell as the launcher does, with the arguments of a user. */
  static ShellRun of(String... args) throws IOException, InterruptedException {
    return run(System.getProperty("java.class.path"), args);
  }

  /** As {@link #of}, with the libraries of the distribution and no others. */
  static ShellRun ofDistribution(String... args) throws IOException, InterruptedException {
    return run(ProjectFiles.DISTRIBUTION.resolve("lib") + "/*", args);
  }

  private static ShellRun run(String classPath, String... args)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Dfile.encoding=UTF-8"));
    for (String part : List.of("util", "lang", "time")) {
      command.add("--add-opens=java.base/java." + part + "=ALL-UNNAMED");
    }
    command.addAll(List.of("-Dstatesql.interactive=false", "-cp"));
    command.add(classPath);
    command.add("io.statesql.shell.StateSqlMain");
    command.addAll(List.of(args));
    Path messages = Files.createTempFile("shell", ".err");
    try {
      Process process =
          new ProcessBuilder(command).redirectError(Redirect.to(messages.toFile())).start();
      process.getOutputStream().close();
      String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return new ShellRun(process.waitFor(), out, Files.readString(messages));
    } finally {
      Files.delete(messages);
    }
  }
}
