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

/**
 * What clients may take of a server. In a configuration file each is optional.
 *
 * @param statementSeconds how long a statement may run, counted from its start
 * @param runningPerUser statements of one user that run or have an open result
 * @param connections of all users
 * @param statementsPerConnection open at once
 * @param connectionIdleSeconds after which a connection without a request is closed
 * @param statementIdleSeconds after which a statement without a request is closed
 * @param requestBytes the longest body of a request
 * @param frameRows rows of one reply
 * @param frameBytes about how long a reply gets before the next row waits for another
 * @param stopSeconds how long statements may go on when the server is told to stop
 */
public record Limits(
    int statementSeconds,
    int runningPerUser,
    int connections,
    int statementsPerConnection,
    int connectionIdleSeconds,
    int statementIdleSeconds,
    int requestBytes,
    int frameRows,
    int frameBytes,
    int stopSeconds) {
  /** What holds where nothing is configured. */
  public static final Limits DEFAULT =
      new Limits(600, 100, 1000, 1000, 1800, 600, 16 << 20, 10_000, 4 << 20, 10);

  public Limits {
    positive("statementSeconds", statementSeconds);
    positive("runningPerUser", runningPerUser);
    positive("connections", connections);
    positive("statementsPerConnection", statementsPerConnection);
    positive("connectionIdleSeconds", connectionIdleSeconds);
    positive("statementIdleSeconds", statementIdleSeconds);
    positive("requestBytes", requestBytes);
    positive("frameRows", frameRows);
    positive("frameBytes", frameBytes);
    positive("stopSeconds", stopSeconds);
  }

  private static void positive(String name, int value) {
    if (value <= 0) {
      throw new IllegalArgumentException(
          "the limit " + name + " must be positive, and is " + value);
    }
  }
}
