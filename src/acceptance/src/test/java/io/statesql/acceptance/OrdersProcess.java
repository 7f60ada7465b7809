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
import java.util.ArrayList;
import java.util.List;

/**
 * The JVM that runs the orders job: it alone has the job's classes. It starts when it is first
 * needed, and ends with this JVM, since its input ends then.
 */
final class OrdersProcess {
  private static final Path MESSAGES = ProjectFiles.TARGET.resolve("orders-process.log");

  private static OrdersProcess running;

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
  static synchronized Path write(List<String> options) throws IOException {
    if (running == null) {
      running = start();
    }
    running.requests.write(String.join("\t", options) + "\n");
    running.requests.flush();
    String folder = running.answers.readLine();
    if (folder == null) {
      running = null;
      throw new IOException("The job failed: " + options + "\n" + Files.readString(MESSAGES));
    }
    return Path.of(folder);
  }

  private static OrdersProcess start() throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // The hash maps of 32768 key groups take more than one gigabyte, however little they hold.
    command.addAll(List.of("-Xmx3g", "-Dfile.encoding=UTF-8", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-Dorg.slf4j.simpleLogger.defaultLogLevel=error", "-cp"));
    command.add(
        ProjectFiles.JOB_CLASSES + ":" + Files.readString(ProjectFiles.JOB_CLASS_PATH).strip());
    command.add("io.statesql.examples.orders.SampleSession");
    return new OrdersProcess(
        new ProcessBuilder(command).redirectError(Redirect.to(MESSAGES.toFile())).start());
  }
}
