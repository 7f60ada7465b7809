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

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;

/**
 * Writes one snapshot after another, for programs that need many and start one JVM for all.
 *
 * <p>Each line of standard input holds the options of {@link SampleSnapshots}, parted by tabs; the
 * answer is a line with the folder of the snapshot. The end of the input ends the session, and so
 * does a run that fails, with its exit status.
 */
public final class SampleSession {
  private SampleSession() {}

  public static void main(String[] args) throws IOException {
    BufferedReader requests =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    int status = CommandLine.ExitCode.OK;
    String request = requests.readLine();
    while (request != null && status == CommandLine.ExitCode.OK) {
      status = SampleSnapshots.execute(request.split("\t", -1));
      request = status == CommandLine.ExitCode.OK ? requests.readLine() : null;
    }
    System.exit(status);
  }
}
