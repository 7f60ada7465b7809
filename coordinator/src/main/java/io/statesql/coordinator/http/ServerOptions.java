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
package io.statesql.coordinator.http;

import java.util.Set;

/**
 * How a server listens.
 *
 * @param host the name or address of the interface to listen on
 * @param port to listen on; 0 for a free one
 * @param hostNames names of this machine that clients use beside {@code localhost}, addresses and
 *     {@code host}
 */
public record ServerOptions(String host, int port, AccessTokens tokens, Set<String> hostNames) {
  /** The port unless another is asked for. */
  public static final int DEFAULT_PORT = 8766;

  /** On the loopback interface, for whoever is on this machine. */
  public static final ServerOptions LOOPBACK =
      new ServerOptions("localhost", DEFAULT_PORT, AccessTokens.NONE, Set.of());

  public ServerOptions {
    hostNames = Set.copyOf(hostNames);
    if (port < 0 || port > 0xffff) {
      throw new IllegalArgumentException("The port must be 0 to 65535, not " + port + ".");
    }
  }

  public ServerOptions withPort(int other) {
    return new ServerOptions(host, other, tokens, hostNames);
  }

  public ServerOptions withTokens(AccessTokens others) {
    return new ServerOptions(host, port, others, hostNames);
  }
}
