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

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The JVM that runs the orders job with one Flink: it alone has the job's classes. It starts when
 * it is first needed, and ends with this JVM, since its input ends then.
 */
final class OrdersProcess {
  private static final Path MESSAGES = ProjectFiles.TARGET.resolve("orders-process.log");

  private static final Map<FlinkVersion, OrdersProcess> RUNNING = new EnumMap<>(FlinkVersion.class);

  private final Writer requests;
  private final BufferedReader answers;

  private OrdersProcess(Process process) {
    this.requests = process.outputWriter();
    this.answers = process.inputReader();
  }

  /**
   * Writes a snapshot and returns its folder.
   *
   * @param options as the command for sample snapshots takes them
   * @throws IOException if the job fails; the message holds what it printed
   */
  static synchronized Path write(FlinkVersion flink, List<String> options) throws IOException {
    OrdersProcess process = RUNNING.get(flink);
    if (process == null) {
      process = start(flink);
      RUNNING.put(flink, process);
    }
    process.requests.write(String.join("\t", options) + "\n");
    process.requests.flush();
    String folder = process.answers.readLine();
    if (folder == null) {
      RUNNING.remove(flink);
      throw new IOException("The job failed: " + options + "\n" + Files.readString(MESSAGES));
    }
    return Path.of(folder);
  }

  private static OrdersProcess start(FlinkVersion flink) throws IOException {
    // The hash maps of 32768 key groups take more than one gigabyte, however little they hold.
    List<String> command = flink.java("-Xmx3g");
    command.add("io.statesql.examples.orders.SampleSession");
    return new OrdersProcess(
        new ProcessBuilder(command).redirectError(Redirect.to(MESSAGES.toFile())).start());
  }
}
