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

import com.fasterxml.jackson.databind.ObjectMapper;
import io.statesql.StateSqlAssert;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StateSqlSchemaFactoryTest {
  private static final String OLD_SAVEPOINT =
      Path.of(
              "../src/state/target/flink-tests/2.3.0/new-stateful-udf-migration-itcase-flink1.18-rocksdb-savepoint")
          .toAbsolutePath()
          .toString();

  /** The uid that the job gave to an operator; this snapshot's metadata holds only its hash. */
  private static final String UID = "CheckpointingKeyedStateFlatMap1";

  @Test
  void modelOpensSnapshot() throws SQLException {
    try (Connection connection = connect(Map.of("snapshot", OLD_SAVEPOINT))) {
      StateSqlAssert.on(connection)
          .sql("SELECT \"catalog_name\", \"metadata_version\" FROM \"old\".\"sys\".\"snapshots\"")
          .returns("old, 4");
    }
  }

  @Test
  void refusesUnknownOperand() {
    assertThatThrownBy(() -> connect(Map.of("snapshot", OLD_SAVEPOINT, "path", "x")).close())
        .rootCause()
        .hasMessage(
            "The model's operand \"path\" is not known; known are \"snapshot\", \"uids\","
                + " \"pathMap\", \"isolate\".");
  }

  @Test
  void needsSnapshot() {
    assertThatThrownBy(() -> connect(Map.of()).close())
        .rootCause()
        .hasMessage("The model's operand \"snapshot\" must be the path of a snapshot.");
  }

  @Test
  void uidsNameOperatorsThatTheSnapshotKnowsByHash() throws SQLException {
    try (Connection connection = connect(Map.of("snapshot", OLD_SAVEPOINT, "uids", List.of(UID)))) {
      StateSqlAssert.on(connection)
          .sql(
              "SELECT \"uid\" FROM \"old\".\"sys\".\"operators\" WHERE \"schema_name\" = '"
                  + UID
                  + "'")
          .returns(UID);
    }
  }

  private static Connection connect(Map<String, Object> operand) throws SQLException {
    try {
      String model =
          new ObjectMapper()
              .writeValueAsString(
                  Map.of(
                      "version",
                      "1.0",
                      "defaultSchema",
                      "old",
                      "schemas",
                      List.of(
                          Map.of(
                              "name",
                              "old",
                              "type",
                              "custom",
                              "factory",
                              StateSqlSchemaFactory.class.getName(),
                              "operand",
                              operand))));
      Connection connection = DriverManager.getConnection("jdbc:calcite:model=inline:" + model);
      assertThat(connection.isClosed()).isFalse();
      return connection;
    } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
