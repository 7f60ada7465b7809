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

import io.statesql.StateSqlAssert;
import io.statesql.format.keygroup.HeapBackend;
import io.statesql.forms.KeyedForms.Form;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.UncompressedStreamCompressionDecorator;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.streaming.api.operators.TimerHeapInternalTimer;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.runtime.typeutils.RowDataSerializer;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.DateType;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.TimestampType;
import org.apache.flink.table.types.logical.VarCharType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** State as the operators of Flink SQL keep it: keys and values are rows of {@code RowData}. */
class RowDataStateTest {
  private static final int MAX_PARALLELISM = KeyedForms.MAX_PARALLELISM;
  private static final int KEYS = 40;
  private static final VarCharType TEXT = new VarCharType(VarCharType.MAX_LENGTH);
  private static final VoidNamespaceSerializer NONE = VoidNamespaceSerializer.INSTANCE;

  /** GROUP BY town, number, day. */
  private static final RowDataSerializer KEY =
      new RowDataSerializer(TEXT, new BigIntType(), new DateType());

  private static final RowDataSerializer ROW =
      new RowDataSerializer(new BigIntType(), TEXT, new DecimalType(30, 2), new TimestampType(6));

  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource
  void findsAKeyByItsColumns(Form form) throws Exception {
    Path snapshot = KeyedForms.write(folder, form, KEY, keys());
    try (Connection connection = connect(snapshot)) {
      String table = KeyLookupTest.table(connection, "total");
      StateSqlAssert.on(connection).sql("SELECT COUNT(*) FROM " + table).returns("" + KEYS);
      for (int i : new int[] {0, 7, KEYS - 1}) {
        StateSqlAssert.on(connection)
            .sql("SELECT state_value, key_group FROM " + table + " WHERE " + condition(i))
            .explainContains("access=[point]")
            .returns(i + ", " + KeyGroupRangeAssignment.assignToKeyGroup(key(i), MAX_PARALLELISM));
      }
      StateSqlAssert.on(connection)
          .sql("SELECT state_value FROM " + table + " WHERE " + condition(KEYS))
          .explainContains("access=[point]")
          .returns();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"CANONICAL", "HEAP", "ROCKSDB"})
  void flinkFindsANewKey(Form form) throws Exception {
    Path snapshot = KeyedForms.write(folder, form, KEY, keys());
    try (Connection connection = connect(snapshot);
        Statement statement = connection.createStatement()) {
      String table = KeyLookupTest.table(connection, "total");
      connection.setAutoCommit(false);
      for (int i = KEYS; i < KEYS + 10; i++) {
        assertThat(
                statement.executeUpdate(
                    "INSERT INTO "
                        + table
                        + " (state_key_f0, state_key_f1, state_key_f2, state_value) VALUES ('"
                        + town(i)
                        + "', "
                        + i
                        + ", DATE '1970-01-02', "
                        + 100 * i
                        + ")"))
            .isOne();
      }
      assertThat(statement.executeUpdate("DELETE FROM " + table + " WHERE " + condition(3)))
          .isOne();
      connection.commit();
    }
    for (int i = KEYS; i < KEYS + 10; i++) {
      assertThat(restoredTotal(form, key(i))).as("total of key %d", i).isEqualTo(100L * i);
    }
    assertThat(restoredTotal(form, key(3))).isNull();
    assertThat(restoredTotal(form, key(4))).isEqualTo(4);
  }

  /** Last rows, as deduplication keeps them, and records of a join in a map. */
  @Test
  void readsAndChangesRows() throws Exception {
    ValueStateDescriptor<RowData> last = new ValueStateDescriptor<>("last-row", ROW);
    MapStateDescriptor<RowData, Integer> records =
        new MapStateDescriptor<>("left-records", ROW, IntSerializer.INSTANCE);
    Path snapshot;
    try (HeapBackend<RowData> backend = backend(List.of())) {
      backend.state(key(1), VoidNamespace.INSTANCE, NONE, last).update(row(7, "text", "1.50"));
      backend.state(key(2), VoidNamespace.INSTANCE, NONE, last).update(row(8, null, null));
      backend.state(key(1), VoidNamespace.INSTANCE, NONE, records).put(row(9, "a", "2"), 3);
      snapshot =
          Path.of(
              backend
                  .write(folder.resolve("rows"), backend.canonicalSnapshot())
                  .folder()
                  .getPath());
    }
    try (Connection connection = connect(snapshot);
        Statement statement = connection.createStatement()) {
      String rows = KeyLookupTest.table(connection, "\"last-row\"");
      StateSqlAssert.on(connection)
          .sql("SELECT state_key_f1, f0, f1, f2, f3, f3_nanos, row_kind FROM " + rows)
          .returnsUnordered(
              "1, 7, text, 1.50, 1970-01-01 00:00:00.005, 6000, +I",
              "2, 8, null, null, 1970-01-01 00:00:00.005, 6000, +I");
      StateSqlAssert.on(connection)
          .sql(
              "SELECT map_key_f0, map_key_f1, map_value FROM "
                  + KeyLookupTest.table(connection, "\"left-records\""))
          .returns("9, a, 3");
      assertThat(
              statement.executeUpdate(
                  "UPDATE "
                      + rows
                      + " SET f1 = 'a text of more than seven bytes', f2 = 12.25"
                      + " WHERE state_key_f1 = 2"))
          .isOne();
    }
    try (HeapBackend<RowData> backend = backend(List.of(committed()))) {
      assertThat(ROW.toBinaryRow(backend.state(key(2), VoidNamespace.INSTANCE, NONE, last).value()))
          .isEqualTo(ROW.toBinaryRow(row(8, "a text of more than seven bytes", "12.25")));
      assertThat(ROW.toBinaryRow(backend.state(key(1), VoidNamespace.INSTANCE, NONE, last).value()))
          .isEqualTo(ROW.toBinaryRow(row(7, "text", "1.50")));
    }
  }

  @Test
  void addsATimerOfANewKey() throws Exception {
    Path snapshot;
    try (HeapBackend<RowData> backend = backend(List.of())) {
      backend
          .timers("_timer_state/event_t", NONE)
          .add(new TimerHeapInternalTimer<>(5L, key(1), VoidNamespace.INSTANCE));
      snapshot =
          Path.of(
              backend
                  .write(folder.resolve("timers"), backend.canonicalSnapshot())
                  .folder()
                  .getPath());
    }
    try (Connection connection = connect(snapshot);
        Statement statement = connection.createStatement()) {
      String timers = '"' + HeapBackend.OPERATOR.toHexString() + "\".timers";
      assertThat(
              statement.executeUpdate(
                  "INSERT INTO "
                      + timers
                      + " (state_key_f0, state_key_f1, state_key_f2, time_domain,"
                      + " timer_timestamp, timer_service) VALUES ('"
                      + town(2)
                      + "', 2, DATE '1970-01-02', 'EVENT', 9, 't')"))
          .isOne();
      StateSqlAssert.on(connection)
          .sql("SELECT key_group FROM " + timers + " WHERE timer_timestamp = 9")
          .returns("" + KeyGroupRangeAssignment.assignToKeyGroup(key(2), MAX_PARALLELISM));
    }
  }

  /** An aggregate over all rows has one key, a row without fields. */
  @Test
  void readsTheKeyOfAGlobalAggregate() throws Exception {
    RowDataSerializer none = new RowDataSerializer(new LogicalType[0]);
    BinaryRowData key = none.toBinaryRow(new GenericRowData(0)).copy();
    Path snapshot = KeyedForms.write(folder, Form.CANONICAL, none, List.of(key));
    try (Connection connection = connect(snapshot);
        Statement statement = connection.createStatement()) {
      String table = KeyLookupTest.table(connection, "total");
      StateSqlAssert.on(connection)
          .sql("SELECT state_key, state_value, key_group FROM " + table)
          .returns("(), 0, " + KeyGroupRangeAssignment.assignToKeyGroup(key, MAX_PARALLELISM));
      assertThat(statement.executeUpdate("UPDATE " + table + " SET state_value = 5")).isOne();
    }
  }

  /** Whose NULL generated code stores in a form of its own, so that they are not looked up. */
  @Test
  void readsKeysOfDecimalsAndFineTimes() throws Exception {
    RowDataSerializer serializer =
        new RowDataSerializer(new DecimalType(10, 2), new TimestampType(6));
    List<RowData> keys = new ArrayList<>();
    for (int i = 0; i < KEYS; i++) {
      DecimalData number = DecimalData.fromBigDecimal(new BigDecimal(i + ".50"), 10, 2);
      keys.add(
          serializer
              .toBinaryRow(GenericRowData.of(number, TimestampData.fromEpochMillis(i, 1_000)))
              .copy());
    }
    Path snapshot = KeyedForms.write(folder, Form.CANONICAL, serializer, keys);
    try (Connection connection = connect(snapshot);
        Statement statement = connection.createStatement()) {
      String table = KeyLookupTest.table(connection, "total");
      StateSqlAssert.on(connection)
          .sql("SELECT state_value FROM " + table + " WHERE state_key_f0 = 7.5")
          .explainContains("access=[full]")
          .returns("7");
      assertThat(
              statement.executeUpdate(
                  "INSERT INTO "
                      + table
                      + " (state_key_f0, state_key_f1, state_key_f1_nanos, state_value)"
                      + " VALUES (1000.5, TIMESTAMP '1970-01-01 00:00:01', 2000, 77)"))
          .isOne();
      RowData key =
          serializer.toBinaryRow(
              GenericRowData.of(
                  DecimalData.fromBigDecimal(new BigDecimal("1000.50"), 10, 2),
                  TimestampData.fromEpochMillis(1_000, 2_000)));
      StateSqlAssert.on(connection)
          .sql("SELECT key_group FROM " + table + " WHERE state_value = 77")
          .returns("" + KeyGroupRangeAssignment.assignToKeyGroup(key, MAX_PARALLELISM));
      assertThatThrownBy(
              () ->
                  statement.executeUpdate(
                      "INSERT INTO "
                          + table
                          + " (state_key_f0, state_value) VALUES (1234567890.5, 77)"))
          .isInstanceOf(SQLException.class);
    }
  }

  private static List<RowData> keys() {
    List<RowData> keys = new ArrayList<>();
    for (int i = 0; i < KEYS; i++) {
      keys.add(key(i));
    }
    return keys;
  }

  /** As a key selector of a job makes it. */
  private static RowData key(int i) {
    return KEY.toBinaryRow(GenericRowData.of(StringData.fromString(town(i)), (long) i, 1)).copy();
  }

  /** Names of up to seven bytes, and longer ones. */
  private static String town(int i) {
    return i % 2 == 0 ? "town" + i : "a town of a longer name " + i;
  }

  private static String condition(int i) {
    return "state_key_f0 = '"
        + town(i)
        + "' AND state_key_f1 = "
        + i
        + " AND state_key_f2 = DATE '1970-01-02'";
  }

  private static RowData row(long number, String text, String decimal) {
    return GenericRowData.of(
        number,
        StringData.fromString(text),
        decimal == null ? null : DecimalData.fromBigDecimal(new BigDecimal(decimal), 30, 2),
        TimestampData.fromEpochMillis(5, 6_000));
  }

  private Connection connect(Path snapshot) throws SQLException {
    return DriverManager.getConnection(
        "jdbc:statesql:snapshot=" + snapshot + ";commitTo=" + folder.resolve("edits"));
  }

  private static HeapBackend<RowData> backend(List<KeyedStateHandle> restored) throws Exception {
    return new HeapBackend<>(
        KEY, MAX_PARALLELISM, UncompressedStreamCompressionDecorator.INSTANCE, restored);
  }

  /** What Flink has for a key when it restores what was committed. */
  private Long restoredTotal(Form form, RowData key) throws Exception {
    return RestoredTotals.of(folder, folder.resolve("edits"), form, KEY, key);
  }

  private KeyedStateHandle committed() throws Exception {
    return RestoredTotals.committed(folder.resolve("edits"));
  }
}
