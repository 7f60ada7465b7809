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

import java.sql.SQLException;

/** How the requests of a user get at connections; failures come out as Avatica can carry them. */
record ClientCalls(User user, Sessions sessions) {
  /** What is done with a connection. */
  @FunctionalInterface
  interface Call<T> {
    T with(ClientConnection connection) throws SQLException;
  }

  /** Does something that needs no connection of before. */
  <T> T call(SqlAction<T> action) {
    try {
      return action.run();
    } catch (SQLException e) {
      throw new RequestFailedException(e);
    }
  }

  /** Does something short in the turn of a connection. */
  <T> T inTurn(String connectionId, Call<T> call) {
    return call(
        () -> {
          ClientConnection connection = sessions.get(user, connectionId);
          return connection.use(() -> call.with(connection));
        });
  }

  /** Does something that may take long, and that a server does not begin which is about to end. */
  <T> T toRun(String connectionId, Call<T> call) {
    return call(() -> call.with(sessions.getToRun(user, connectionId)));
  }
}
