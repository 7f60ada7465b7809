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
package io.statesql.examples.orders;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs {@link SampleSnapshots} in a JVM of its own, so that a test which reads the snapshot shares
 * no loaded class with the job that wrote it.
 */
final class SampleProcess {

  private SampleProcess() {}

  /**
   * Writes a snapshot and waits for the process to end.
   *
   * @param target the folder below which the snapshot goes
   * @param options of {@link SampleSnapshots} but {@code --target}
   * @return the snapshot's folder
   * @throws IOException if the process fails; the message holds what it printed
   */
  static Path write(Path target, String... options) throws IOException, InterruptedException {
    Path messages = Files.createTempFile("sample-snapshots", ".log");
    try {
      Process process =
          new ProcessBuilder(command(target, options))
              .redirectError(Redirect.to(messages.toFile()))
              .start();
      String output =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      if (process.waitFor() != 0) {
        throw new IOException(
            "SampleSnapshots failed: "
                + output
                + System.lineSeparator()
                + Files.readString(messages));
      }
      return Path.of(output);
    } finally {
      Files.delete(messages);
    }
  }

  private static List<String> command(Path target, String... options) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx1g", "-Dfile.encoding=UTF-8"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(SampleSnapshots.class.getName());
    command.add("--target=" + target);
    command.addAll(List.of(options));
    return command;
  }
}
