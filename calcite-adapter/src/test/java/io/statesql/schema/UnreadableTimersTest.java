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
package io.statesql.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A table of some of the timers would be taken for all of them. */
class UnreadableTimersTest {
  private static final Path SNAPSHOT =
      Path.of(
          "..",
          "src",
          "state",
          "target",
          "flink-tests",
          "2.3.0",
          "legacy-raw-state-heap-timers-rocks-db-1.12");
  private static final String OPERATOR = "90bea66de1c231edf33913ecd54406c1";
  private static final String NAMESPACE = "org.apache.flink.runtime.state.VoidNamespaceSerializer$";

  @TempDir Path folder;

  @Test
  void noTimersAreShownWhereSomeHaveAnUnknownNamespace() throws Exception {
    Files.write(folder.resolve("_metadata"), withUnknownNamespace(SNAPSHOT.resolve("_metadata")));
    try (Connection connection =
            DriverManager.getConnection("jdbc:statesql:snapshot=snap=" + folder);
        Statement statement = connection.createStatement()) {
      assertThatThrownBy(() -> statement.executeQuery("SELECT * FROM \"" + OPERATOR + "\".timers"))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("58S02"))
          .hasMessageContaining("user-timers")
          .hasMessageContaining("is not one of Flink's own");
      try (ResultSet states =
          statement.executeQuery(
              "SELECT table_name FROM states WHERE state_kind = 'TIMER' AND schema_name = '"
                  + OPERATOR
                  + "'")) {
        while (states.next()) {
          assertThat(states.getString(1)).isNull();
        }
      }
    }
  }

  /** Of the timers of all subtasks: in those of one alone it would be damage. */
  private static byte[] withUnknownNamespace(Path metadata) throws IOException {
    byte[] bytes = Files.readAllBytes(metadata);
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    for (int at = text.indexOf(NAMESPACE); at >= 0; at = text.indexOf(NAMESPACE, at + 1)) {
      bytes[at + "org.apache.flink.ru".length()] = 'N';
      bytes[at + "org.apache.flink.run".length()] = 'T';
    }
    return bytes;
  }
}
