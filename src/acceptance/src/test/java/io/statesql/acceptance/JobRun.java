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
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Runs a job of the examples in a JVM of its own, which alone has its classes. */
final class JobRun {
  private JobRun() {}

  /**
   * Runs a job to its end.
   *
   * @param messages the file for what it logs
   * @return the savepoint whose folder it prints
   */
  static Path savepoint(FlinkVersion flink, String program, Path messages, List<String> options)
      throws IOException, InterruptedException {
    List<String> command = flink.java("-Xmx2g", "-Duser.timezone=UTC");
    command.add(program);
    command.addAll(options);
    Process process =
        new ProcessBuilder(command).redirectError(Redirect.to(messages.toFile())).start();
    String output =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    if (process.waitFor() != 0) {
      throw new IOException("The job failed: " + output + "\n" + Files.readString(messages));
    }
    return Path.of(URI.create(output));
  }
}
