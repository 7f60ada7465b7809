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

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A process that has ended.
 *
 * @param nanos from its start to its end
 * @param peakMemory the largest resident size, in bytes
 * @param output the lines of its standard output
 */
public record ProcessRun(long nanos, long peakMemory, List<String> output) {

  /**
   * Runs a command to its end. Its standard error goes to ours.
   *
   * @throws IllegalStateException if its exit status is not 0
   */
  static ProcessRun of(Path folder, List<String> command) throws IOException, InterruptedException {
    long begin = System.nanoTime();
    Process process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    process.getOutputStream().close();
    PeakMemory peak = PeakMemory.watch(process);
    List<String> lines = new ArrayList<>();
    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        lines.add(line);
      }
    }
    int status = process.waitFor();
    long nanos = System.nanoTime() - begin;
    if (status != 0) {
      throw new IllegalStateException("Exit status " + status + " of " + command);
    }
    return new ProcessRun(nanos, peak.bytes(), lines);
  }
}
