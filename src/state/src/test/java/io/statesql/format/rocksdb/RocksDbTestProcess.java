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
package io.statesql.format.rocksdb;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.statesql.format.work.WorkFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs a program of the tests in a JVM of its own. */
public final class RocksDbTestProcess {
  private static final int MINUTES = 5;

  private RocksDbTestProcess() {}

  /** How a program ended, and what it printed. */
  public record Result(int status, List<String> output) {}

  /** The command that runs a program, with a folder for its work folders. */
  public static List<String> command(Path workDir, Class<?> program, String... args) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx256m");
    command.add("-D" + WorkFolder.BASE_PROPERTY + "=" + workDir);
    command.add("-XX:ErrorFile=" + workDir.resolve("hs_err.log"));
    command.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=warn");
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(program.getName());
    command.addAll(List.of(args));
    return command;
  }

  /** Runs a program to its end. */
  public static Result run(Path workDir, Path output, Class<?> program, String... args)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command(workDir, program, args))
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
        throw new IllegalStateException(program + " hangs; it printed " + Files.readString(output));
      }
    } finally {
      process.destroyForcibly();
    }
    return new Result(process.exitValue(), Files.readAllLines(output, UTF_8));
  }
}
