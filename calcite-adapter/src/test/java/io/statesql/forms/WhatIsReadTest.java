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
import io.statesql.forms.ManyKeys.Form;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.api.java.typeutils.runtime.TupleSerializer;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/**
 * The exact set of files, key groups and entries that a statement reads, by {@code last_statement}.
 */
class WhatIsReadTest {
  private static final int KEYS = 200;
  private static final int KEY_GROUPS = 8;

  /** A value whose second field is read as no BOOLEAN. */
  private static final ValueStateDescriptor<Tuple2<Long, Boolean>> DAMAGED =
      new ValueStateDescriptor<>("damaged", damaged());

  @TempDir private Path folder;

  /** What is read of a table. */
  private record Read(long files, long keyGroups, long entries, long rows) {}

  @ParameterizedTest
  @EnumSource
  void countingReadsNoValue(Form form) throws Exception {
    try (Connection connection = connect(form, KEYS)) {
      StateSqlAssert.on(connection)
          .sql("SELECT COUNT(*) FROM " + table(connection, "damaged"))
          .explainContains("StateCount", "access=[full]")
          .returns(String.valueOf(KEYS));

      assertThat(read(connection)).isEqualTo(all(connection, form, KEYS));
      StateSqlAssert.on(connection)
          .sql("SELECT SUM(damaged_f0) FROM " + table(connection, "keyed_state"))
          .returns(String.valueOf(KEYS * (KEYS - 1) / 2));
    }
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "CANONICAL_COMPRESSED") // has its bytes behind checksums
  void anUnusedFieldIsPassedOver(Form form) throws Exception {
    try (Connection connection = connect(form, KEYS)) {
      StateSqlAssert sql = StateSqlAssert.on(connection);
      String damaged = table(connection, "damaged");
      sql.sql("SELECT SUM(f0) FROM " + damaged)
          .explainContains("fields=[[f0]]")
          .returns(String.valueOf(KEYS * (KEYS - 1) / 2));
      sql.sql("SELECT MAX(f1) FROM " + damaged).throwsSql("XX001", "state \"damaged\"");
    }
  }

  @ParameterizedTest
  @EnumSource
  void otherStatesAreNotRead(Form form) throws Exception {
    try (Connection connection = connect(form, KEYS)) {
      StateSqlAssert.on(connection)
          .sql("SELECT SUM(state_value) FROM " + table(connection, "total"))
          .explainContains("fields=[[state_value]]")
          .returns(String.valueOf(KEYS * (KEYS - 1) / 2));

      assertThat(read(connection)).isEqualTo(all(connection, form, KEYS));
    }
  }

  @ParameterizedTest
  @EnumSource
  void aLimitEndsTheReading(Form form) throws Exception {
    try (Connection connection = connect(form, 2000)) {
      StateSqlAssert.on(connection)
          .sql("SELECT * FROM " + table(connection, "counts") + " LIMIT 10")
          .returnsCount(10);

      // One more row tells that there is one; what stands before the state is passed over.
      Read read = read(connection);
      assertThat(read.keyGroups()).isEqualTo(1);
      assertThat(read.rows()).isBetween(10L, 11L);
      assertThat(read.entries()).isBetween(5L, isSorted(form) ? 11L : 2L * keysOf(0, 2000) + 11);
    }
  }

  /** Ten times as many keys are in key groups ten times as large. */
  @ParameterizedTest
  @EnumSource
  void aLookUpReadsOneKeyGroupOrOneKey(Form form) throws Exception {
    for (int keys : new int[] {KEYS, 10 * KEYS}) {
      try (Connection connection = connect(form, keys)) {
        StateSqlAssert.on(connection)
            .sql(
                "SELECT state_value FROM "
                    + table(connection, "total")
                    + " WHERE state_key = 'key-7'")
            .explainContains("access=[point]", "keyGroups=[1 of 8]")
            .returns("7");
        int ofGroup = keysOf(keyGroup("key-7"), keys);
        Read read = read(connection);
        assertThat(read.keyGroups()).isEqualTo(1);
        assertThat(read.rows()).isEqualTo(1);
        assertThat(read.entries()).isEqualTo(isSorted(form) ? 1 : entries(form, ofGroup));
      }
    }
  }

  /** A key group that was passed once as a whole is known: who comes later goes to the state. */
  @ParameterizedTest
  @EnumSource(names = {"CANONICAL", "CANONICAL_COMPRESSED"})
  void aSecondStatementGoesToTheStateItWants(Form form) throws Exception {
    int keys = 10 * KEYS;
    try (Connection connection = connect(form, keys)) {
      StateSqlAssert sql = StateSqlAssert.on(connection);
      String total = table(connection, "total");
      String counts = table(connection, "counts");
      String sums = String.valueOf(keys * (keys - 1) / 2);
      sql.sql("SELECT SUM(state_value) FROM " + total).returns(sums);
      assertThat(read(connection).entries()).isEqualTo(entries(form, keys));

      long ofTotal = entriesOf(sql, connection, "SELECT SUM(state_value) FROM " + total, sums);
      long ofCounts =
          entriesOf(
              sql, connection, "SELECT COUNT(map_value) FROM " + counts, String.valueOf(2 * keys));
      sql.sql("SELECT SUM(total) FROM " + table(connection, "keyed_state")).returns(sums);

      assertThat(ofTotal).isEqualTo(keys);
      assertThat(ofCounts).isEqualTo(2L * keys);
    }
  }

  private static long entriesOf(
      StateSqlAssert sql, Connection connection, String query, String result) throws SQLException {
    sql.sql(query).returns(result);
    return read(connection).entries();
  }

  @Test
  void aFileThatIsChangedBetweenStatementsIsAnError() throws Exception {
    int keys = 10 * KEYS;
    try (Connection connection = connect(Form.CANONICAL, keys)) {
      StateSqlAssert sql = StateSqlAssert.on(connection);
      String query = "SELECT SUM(state_value) FROM " + table(connection, "total");
      sql.sql(query).returns(String.valueOf(keys * (keys - 1) / 2));

      Path file = stateFile(folder.resolve(String.valueOf(keys)));
      byte[] bytes = Files.readAllBytes(file);
      System.arraycopy(bytes, bytes.length / 2, bytes, bytes.length / 2 - 1, bytes.length / 2);
      Files.write(file, bytes);

      sql.sql(query).throwsSql("XX001", "key group");
    }
  }

  /** All of a table with a row for each key. */
  private static Read all(Connection connection, Form form, int keys) throws SQLException {
    long files =
        Long.parseLong(
            StateSqlAssert.on(connection).sql("SELECT COUNT(*) FROM state_files").rows().get(0));
    // The header was read before, and RocksDB has no use for the options of the job's database.
    long unused = form == Form.ROCKSDB ? 2 : form == Form.ROCKSDB_RESCALED ? 2 * 2 : 0;
    return new Read(files - unused, KEY_GROUPS, entries(form, keys), keys);
  }

  /**
   * What is passed to find all values of one state: where states lie apart no other, else all map
   * entries of the same keys, or maps as a whole.
   */
  private static long entries(Form form, int keys) {
    return switch (form) {
      case ROCKSDB, ROCKSDB_RESCALED, HEAP_COMPRESSED -> keys;
      case HEAP -> 3L * keys;
      case CANONICAL, CANONICAL_COMPRESSED -> 4L * keys;
    };
  }

  private static boolean isSorted(Form form) {
    return form == Form.ROCKSDB || form == Form.ROCKSDB_RESCALED;
  }

  private static int keyGroup(String key) {
    return KeyGroupRangeAssignment.assignToKeyGroup(key, KEY_GROUPS);
  }

  private static int keysOf(int keyGroup, int keys) {
    return (int) IntStream.range(0, keys).filter(key -> keyGroup("key-" + key) == keyGroup).count();
  }

  private Connection connect(Form form, int keys) throws Exception {
    Path snapshot =
        ManyKeys.write(
            folder.resolve(String.valueOf(keys)),
            form,
            KEY_GROUPS,
            states -> {
              for (int i = 0; i < keys; i++) {
                String key = "key-" + i;
                states.of(key, ManyKeys.TOTAL).update((long) i);
                states.of(key, DAMAGED).update(Tuple2.of((long) i, true));
                states
                    .of(key, ManyKeys.COUNTS)
                    .putAll(new TreeMap<>(Map.of("in", (long) i, "out", 0L)));
              }
            });
    if (form == Form.CANONICAL) {
      damage(snapshot, keys);
    }
    return DriverManager.getConnection("jdbc:statesql:snapshot=state=" + snapshot);
  }

  private static Path stateFile(Path snapshot) throws IOException {
    try (var files = Files.list(snapshot)) {
      return files.filter(path -> !path.endsWith("_metadata")).findFirst().orElseThrow();
    }
  }

  /** Flink writes canonical form by serializers of its own: the bytes are changed behind it. */
  private static void damage(Path snapshot, int keys) throws IOException {
    Path file = stateFile(snapshot);
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
    int valueLength = Long.BYTES + 1;
    int damaged = 0;
    for (int i = 0; i + Integer.BYTES + valueLength <= bytes.limit(); i++) {
      int last = i + Integer.BYTES + Long.BYTES;
      long number = bytes.getLong(i + Integer.BYTES);
      if (bytes.getInt(i) == valueLength && number >= 0 && number < keys && bytes.get(last) == 1) {
        bytes.put(last, BrokenBoolean.NEITHER_TRUE_NOR_FALSE);
        damaged++;
      }
    }
    assertThat(damaged).isGreaterThanOrEqualTo(keys);
    Files.write(file, bytes.array());
  }

  private static TypeSerializer<Tuple2<Long, Boolean>> damaged() {
    @SuppressWarnings({"unchecked", "rawtypes"}) // the class of a generic type
    TupleSerializer<Tuple2<Long, Boolean>> pairs =
        new TupleSerializer<>(
            (Class) Tuple2.class,
            new TypeSerializer<?>[] {LongSerializer.INSTANCE, new BrokenBoolean()});
    return pairs;
  }

  private static String table(Connection connection, String name) throws SQLException {
    return KeyLookupTest.table(connection, name);
  }

  private static Read read(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT files, key_groups, entries, scanned_rows FROM sys.last_statement")) {
      row.next();
      return new Read(row.getLong(1), row.getLong(2), row.getLong(3), row.getLong(4));
    }
  }
}
