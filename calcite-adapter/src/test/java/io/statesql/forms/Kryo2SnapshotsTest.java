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
package io.statesql.forms;

import io.statesql.StateSqlAssert;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Savepoints of a job of Flink 1.20, whose Kryo is 2.24: it writes fields of a POJO that are maps
 * or dates, and what is declared as a generic type.
 */
class Kryo2SnapshotsTest {

  @ParameterizedTest
  @ValueSource(strings = {"canonical", "heap", "rocksdb"})
  void showTheFieldsThatKryoWroteAndAllBehindThem(String form) throws SQLException {
    try (Connection connection = connect(form)) {
      StateSqlAssert.on(connection)
          .sql(
              "SELECT state_key, age, born, counters, name FROM profiles.\"b-profile\""
                  + " ORDER BY state_key")
          .returns(
              "0, 20, 2000-01-01, {}, name0",
              "1, 21, null, {\"c0\":0}, name1",
              "2, 22, 2000-01-03, null, name2",
              "3, 23, 2000-01-04, {\"c0\":0,\"c1\":100,\"c2\":200}, name3",
              "4, 24, 2000-01-05, {\"c0\":0,\"c1\":100,\"c2\":200,\"c3\":300}, name4",
              "5, 25, 2000-01-06, {\"c0\":0,\"c1\":100,\"c2\":200,\"c3\":300,\"c4\":400}, name5");
      StateSqlAssert.on(connection)
          .sql(
              "SELECT \"a-thing\", \"b-profile_name\", CARDINALITY(\"c-visits\"), \"d-last\""
                  + " FROM profiles.keyed_state WHERE state_key IN (0, 5) ORDER BY state_key")
          .returns(
              "[0,\"text0\",\"2026-03-01\"], name0, 2, 0",
              "[5,\"text5\",\"2026-03-01\"], name5, 2, 50");
      StateSqlAssert.on(connection)
          .sql(
              "SELECT map_key, map_value FROM profiles.\"c-visits\" WHERE state_key = 1"
                  + " ORDER BY map_key")
          .returns("first, 2026-01-02", "then, 2026-02-02");
      StateSqlAssert.on(connection)
          .sql("SELECT COUNT(*) FROM states WHERE reason IS NOT NULL")
          .returns("0");
    }
  }

  private static Connection connect(String form) throws SQLException {
    return DriverManager.getConnection(
        "jdbc:statesql:snapshot="
            + Path.of("..", "src", "kryo-2", "snapshots", form)
            + ";uids=profiles");
  }
}
