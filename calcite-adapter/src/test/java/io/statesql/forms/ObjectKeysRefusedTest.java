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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.statesql.forms.KeyedForms.Form;
import java.lang.reflect.Array;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is no new key of those that Kryo or a serializer of the job writes, and why. */
class ObjectKeysRefusedTest {
  @TempDir private Path folder;
  private JobKeys keys;

  @BeforeEach
  void compileJob() throws Exception {
    keys = JobKeys.in(folder);
  }

  @AfterEach
  void closeJob() {
    keys.close();
  }

  @Test
  void whatIsNoKeyIsRefused() throws Exception {
    Path snapshot = keys.writeTickets(Form.CANONICAL);
    try (Connection connection = keys.connect(snapshot)) {
      String table = KeyLookupTest.table(connection, "total");
      assertRefused(connection, table, "state_key_bytes", "X'010203'", "its bytes");
      assertRefused(connection, table, "state_key_bytes", "NULL", "it is NULL");
      assertRefused(connection, table, "state_key", "'[1]'", "does not tell of which class");
      assertRefused(connection, table, "state_key", "'{'", "its text is not JSON");
      assertRefused(
          connection, table, "state_key", "'{\"code\":\"new\"}'", "has other members than");
      assertRefused(
          connection,
          table,
          "state_key",
          "'{\"code\":\"new\",\"seat\":1.5,\"day\":\"2026-03-01\"}'",
          "its member seat is no int");
      try (Statement statement = connection.createStatement()) {
        assertThatThrownBy(
                () ->
                    statement.executeUpdate(
                        "INSERT INTO %s (state_key, state_key_bytes, state_value) SELECT '{}', state_key_bytes, 1 FROM %s"
                            .formatted(table, table)))
            .isInstanceOf(SQLException.class)
            .hasMessageContaining("its bytes are those of another object than it shows");
      }
    }
  }

  private static void assertRefused(
      Connection connection, String table, String column, String value, String reason)
      throws SQLException {
    try (Statement statement = connection.createStatement()) {
      assertThatThrownBy(
              () ->
                  statement.executeUpdate(
                      "INSERT INTO %s (%s, state_value) VALUES (%s, 1)"
                          .formatted(table, column, value)))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("22000"))
          .hasMessageContaining(reason);
    }
  }

  /** As Flink does: an array hashes as an object of its own. */
  @Test
  void anArrayIsNoKey() throws Exception {
    TypeSerializer<Object> arrays = keys.serializer("[Lshop.Place;");
    Path snapshot =
        keys.write(
            Form.CANONICAL,
            arrays,
            number -> {
              Object array = Array.newInstance(keys.job().type("shop.Place"), 1);
              Array.set(array, 0, keys.place("town", number));
              return array;
            });
    try (Connection connection = keys.connect(snapshot);
        Statement statement = connection.createStatement()) {
      String table = KeyLookupTest.table(connection, "total");
      assertThatThrownBy(
              () ->
                  statement.executeUpdate(
                      "INSERT INTO %s (state_key, state_value) SELECT state_key, 1 FROM %s"
                          .formatted(table, table)))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("another hash code in each process");
    }
  }

  @Test
  void withoutTheJarItIsRefusedAndTheJarIsAdvised() throws Exception {
    Path snapshot = keys.writeTickets(Form.CANONICAL);
    try (Connection connection = DriverManager.getConnection("jdbc:statesql:snapshot=" + snapshot);
        Statement statement = connection.createStatement()) {
      String table = KeyLookupTest.table(connection, "total");
      assertThatThrownBy(
              () ->
                  statement.executeUpdate(
                      "INSERT INTO %s (state_key, state_value) SELECT state_key, 1 FROM %s"
                          .formatted(table, table)))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("cannot be decoded without the class shop.Ticket")
          .hasMessageContaining("with the job's jars (the connection property 'jars')");
    }
  }
}
