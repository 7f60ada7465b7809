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

import io.statesql.StateSqlAssert;
import io.statesql.forms.KeyedForms.Form;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.api.java.typeutils.runtime.TupleSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** New keys that Kryo writes, or a serializer of the job's own. */
class ObjectKeysTest {
  @TempDir private Path folder;
  @TempDir private Path other;
  private JobKeys keys;

  @BeforeEach
  void compileJob() throws Exception {
    keys = JobKeys.in(folder);
  }

  @AfterEach
  void closeJob() {
    keys.close();
  }

  private TypeSerializer<Object> tickets() throws ClassNotFoundException {
    return keys.serializer("shop.Ticket");
  }

  @SuppressWarnings("unchecked")
  private TypeSerializer<Object> moneys() throws ReflectiveOperationException {
    return (TypeSerializer<Object>) keys.job().make("shop.MoneySerializer", "CHF");
  }

  private Object money(long cents) throws ReflectiveOperationException {
    return keys.job().make("shop.Money", cents, "CHF");
  }

  @Test
  void aKeyShowsItsTextAndItsBytes() throws Exception {
    Path snapshot = keys.writeTickets(Form.CANONICAL);
    try (Connection connection = keys.connect(snapshot)) {
      String table = KeyLookupTest.table(connection, "total");
      StateSqlAssert.on(connection)
          .sql("SELECT * FROM " + table + " WHERE state_value = 3")
          .types(
              "state_key VARCHAR, state_key_bytes VARBINARY, state_value BIGINT, key_group"
                  + " INTEGER");
      StateSqlAssert.on(connection)
          .sql("SELECT state_key FROM " + table + " WHERE state_value = 3")
          .returns("{\"code\":\"row 3\",\"seat\":3,\"day\":\"2026-03-01\"}");
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"CANONICAL", "HEAP", "ROCKSDB"})
  void flinkFindsAKryoKeyThatItsTextTells(Form form) throws Exception {
    Path snapshot = keys.writeTickets(form);
    try (Connection connection = keys.connect(snapshot);
        Statement statement = connection.createStatement()) {
      String table = KeyLookupTest.table(connection, "total");
      connection.setAutoCommit(false);
      for (int seat = 100; seat < 110; seat++) {
        String text = "{\"code\":\"new\",\"seat\":" + seat + ",\"day\":\"2026-03-01\"}";
        assertThat(
                statement.executeUpdate(
                    "INSERT INTO "
                        + table
                        + " (state_key, state_value) VALUES ('"
                        + text
                        + "', 7)"))
            .isOne();
      }
      connection.commit();
    }
    for (int seat = 100; seat < 110; seat++) {
      assertThat(keys.restoredTotal(form, tickets(), keys.ticket("new", seat))).isEqualTo(7);
    }
    assertThat(keys.restoredTotal(form, tickets(), keys.ticket("row 3", 3))).isEqualTo(3);
  }

  /** Keys of one snapshot are copied into another, byte for byte. */
  @ParameterizedTest
  @EnumSource(names = {"CANONICAL", "HEAP", "ROCKSDB"})
  void flinkFindsACopiedKryoKey(Form form) throws Exception {
    Path snapshot = keys.writeTickets(form);
    Path source;
    try (JobKeys others = JobKeys.in(other)) {
      source =
          others.write(
              Form.CANONICAL,
              others.serializer("shop.Ticket"),
              seat -> others.ticket("copy", seat));
    }
    copy(snapshot, source, "state_key_bytes");
    for (int i = 0; i < JobKeys.COUNT; i++) {
      assertThat(keys.restoredTotal(form, tickets(), keys.ticket("copy", i))).isEqualTo(100 + i);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"CANONICAL", "HEAP", "ROCKSDB"})
  void flinkFindsAKeyOfASerializerOfTheJob(Form form) throws Exception {
    Path snapshot = keys.write(form, moneys(), this::money);
    Path source;
    try (JobKeys others = JobKeys.in(other)) {
      @SuppressWarnings("unchecked")
      TypeSerializer<Object> serializer =
          (TypeSerializer<Object>) others.job().make("shop.MoneySerializer", "CHF");
      source =
          others.write(
              Form.CANONICAL,
              serializer,
              number -> others.job().make("shop.Money", 50L + number, "CHF"));
    }
    copy(snapshot, source, "state_key, state_key_bytes");
    for (int i = 0; i < JobKeys.COUNT; i++) {
      assertThat(keys.restoredTotal(form, moneys(), money(50 + i))).isEqualTo(100 + i);
    }
  }

  private void copy(Path snapshot, Path source, String columns) throws Exception {
    String url =
        "jdbc:statesql:snapshot=target=%s,source=%s;jars=%s;commitTo=%s"
            .formatted(snapshot, source, keys.job().jar(), folder.resolve("edits"));
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      String from = table(connection, "source");
      String to = table(connection, "target");
      assertThat(
              statement.executeUpdate(
                  "INSERT INTO %s (%s, state_value) SELECT %s, state_value + 100 FROM %s"
                      .formatted(to, columns, columns, from)))
          .isEqualTo(JobKeys.COUNT);
    }
  }

  private static String table(Connection connection, String catalog) throws SQLException {
    return catalog
        + ".\""
        + StateSqlAssert.on(connection)
            .sql("SELECT DISTINCT schema_name FROM " + catalog + ".sys.states")
            .rows()
            .get(0)
        + "\".total";
  }

  @Test
  void aTupleWithAKryoFieldIsHashedAsAWhole() throws Exception {
    @SuppressWarnings("unchecked")
    TypeSerializer<Tuple2<Object, Integer>> pairs =
        new TupleSerializer<>(
            (Class<Tuple2<Object, Integer>>) (Class<?>) Tuple2.class,
            new TypeSerializer<?>[] {tickets(), IntSerializer.INSTANCE});
    Path snapshot =
        keys.write(
            Form.ROCKSDB, pairs, number -> Tuple2.of(keys.ticket("row " + number, number), number));
    try (Connection connection = keys.connect(snapshot);
        Statement statement = connection.createStatement()) {
      String table = KeyLookupTest.table(connection, "total");
      assertThat(
              statement.executeUpdate(
                  "INSERT INTO "
                      + table
                      + " (state_key_f0_bytes, state_key_f1, state_value)"
                      + " SELECT state_key_f0_bytes, 1000 + state_key_f1, 77 FROM "
                      + table))
          .isEqualTo(JobKeys.COUNT);
    }
    for (int i = 0; i < JobKeys.COUNT; i++) {
      assertThat(
              keys.restoredTotal(
                  Form.ROCKSDB, pairs, Tuple2.of(keys.ticket("row " + i, i), 1000 + i)))
          .isEqualTo(77);
    }
  }

  /** Java's own classes need no jar to be read, but to be written. */
  @Test
  void aKryoKeyOfAClassOfJavaIsWrittenByItsText() throws Exception {
    TypeSerializer<Object> uuids = keys.serializer("java.util.UUID");
    Path snapshot = keys.write(Form.ROCKSDB, uuids, number -> new UUID(1, number));
    try (Connection connection = keys.connect(snapshot);
        Statement statement = connection.createStatement()) {
      assertThat(
              statement.executeUpdate(
                  "INSERT INTO "
                      + KeyLookupTest.table(connection, "total")
                      + " (state_key, state_value) VALUES ('"
                      + new UUID(7, 8)
                      + "', 77)"))
          .isOne();
    }
    assertThat(keys.restoredTotal(Form.ROCKSDB, uuids, new UUID(7, 8))).isEqualTo(77);
  }

  @Test
  void anUpdateMovesAKeyAndDeletesLeaveItsPlace() throws Exception {
    Path snapshot = keys.writeTickets(Form.ROCKSDB);
    try (Connection connection = keys.connect(snapshot);
        Statement statement = connection.createStatement()) {
      String table = KeyLookupTest.table(connection, "total");
      connection.setAutoCommit(false);
      assertThat(
              statement.executeUpdate(
                  "UPDATE "
                      + table
                      + " SET state_key = REPLACE(state_key, 'row 3', 'moved')"
                      + " WHERE state_value = 3"))
          .isOne();
      assertThat(statement.executeUpdate("DELETE FROM " + table + " WHERE state_value = 4"))
          .isOne();
      connection.commit();
    }
    assertThat(keys.restoredTotal(Form.ROCKSDB, tickets(), keys.ticket("moved", 3))).isEqualTo(3);
    assertThat(keys.restoredTotal(Form.ROCKSDB, tickets(), keys.ticket("row 3", 3))).isNull();
    assertThat(keys.restoredTotal(Form.ROCKSDB, tickets(), keys.ticket("row 4", 4))).isNull();
  }
}
