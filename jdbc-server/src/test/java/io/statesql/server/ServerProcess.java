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
package io.statesql.server;

import java.util.List;
import java.util.Map;

/** Serves the sample in a process of its own, whose standard output begins with the URL. */
final class ServerProcess {
  private ServerProcess() {}

  /** Ends when its standard input does. */
  public static void main(String[] unused) throws Exception {
    ServerConfig config =
        ServerConfig.read(
            null, Map.of("port", 0, "snapshots", List.of(RunningServer.ORDERS.toString())));
    try (StateSqlServer server = StateSqlServer.start(config)) {
      System.out.println(server.url());
      System.in.transferTo(System.out);
    }
  }
}
