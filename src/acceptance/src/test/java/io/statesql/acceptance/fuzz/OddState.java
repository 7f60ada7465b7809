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
package io.statesql.acceptance.fuzz;

import io.statesql.acceptance.TestOperator;
import io.statesql.acceptance.TestSnapshot;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.BigDecSerializer;
import org.apache.flink.api.common.typeutils.base.BooleanSerializer;
import org.apache.flink.api.common.typeutils.base.DoubleSerializer;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
import org.apache.flink.api.common.typeutils.base.LocalDateSerializer;
import org.apache.flink.api.common.typeutils.base.LocalDateTimeSerializer;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.api.java.typeutils.runtime.RowSerializer;
import org.apache.flink.types.Row;

/** A snapshot of values that engines tend to get wrong, with duplicates and NULLs. */
final class OddState {
  static final List<Integer> INTEGERS =
      List.of(-7, -1, 0, 1, 2, 3, 5, 100, 2147483647, -2147483648);
  static final List<Long> BIGINTS =
      List.of(-3L, 0L, 1L, 2L, 5L, 4294967295L, 9007199254740993L, 9223372036854775807L);
  static final List<String> DECIMALS =
      List.of("-1.5", "0", "0.00", "1", "1.00", "2.5", "2.50", "99.99", "123456789012.3456");

  /** Sums of these have no rounding, in whatever order they are made. */
  static final List<Double> DOUBLES =
      List.of(-2.5, -0.0, 0.0, 0.25, 1.0, 1.5, 3.0, 1e15, Double.NaN);

  static final List<String> TEXTS =
      List.of(
          "", " ", "a", "A", "ab", "abc", "a b", " a", "a ", "b", "%", "_", "it's", "\"", "\\", "é",
          "中国", "😀 ivan", "null", "1");
  static final List<LocalDate> DATES =
      List.of(
          LocalDate.of(1, 1, 1),
          LocalDate.of(1582, 10, 10),
          LocalDate.of(1969, 12, 31),
          LocalDate.of(2024, 2, 29),
          LocalDate.of(2026, 3, 1),
          LocalDate.of(9999, 12, 31));
  static final List<LocalDateTime> TIMES =
      List.of(
          LocalDateTime.of(1500, 3, 1, 0, 0),
          LocalDateTime.of(1969, 12, 31, 23, 59, 59, 999_000_000),
          LocalDateTime.of(2026, 3, 1, 0, 22, 33, 123_000_000),
          LocalDateTime.of(2026, 3, 1, 0, 0),
          LocalDateTime.of(2026, 12, 31, 12, 30));

  private static final TypeSerializer<Row> ROW =
      new RowSerializer(
          new TypeSerializer<?>[] {
            IntSerializer.INSTANCE,
            LongSerializer.INSTANCE,
            BigDecSerializer.INSTANCE,
            DoubleSerializer.INSTANCE,
            StringSerializer.INSTANCE,
            BooleanSerializer.INSTANCE,
            LocalDateSerializer.INSTANCE,
            LocalDateTimeSerializer.INSTANCE
          });

  private final Dice dice = new Dice(20261201);
  private final TestSnapshot snapshot = TestSnapshot.create();

  private OddState() {}

  /**
   * Writes it.
   *
   * @return the folder
   */
  static Path write(Path folder) throws Exception {
    OddState state = new OddState();
    state.add("by-text", StringSerializer.INSTANCE, TEXTS);
    state.add("by-bigint", LongSerializer.INSTANCE, BIGINTS);
    state.add("by-double", DoubleSerializer.INSTANCE, DOUBLES);
    state.add(
        "by-decimal", BigDecSerializer.INSTANCE, DECIMALS.stream().map(BigDecimal::new).toList());
    state.add("by-date", LocalDateSerializer.INSTANCE, DATES);
    state
        .snapshot
        .operator("many", LongSerializer.INSTANCE)
        .valueState("rows", ROW, state.byKey(longs(20_000), state::row));
    return state.snapshot.write(folder);
  }

  private <K> void add(String uid, TypeSerializer<K> serializer, List<K> keys) throws Exception {
    TestOperator<K> operator = snapshot.operator(uid, serializer);
    operator.valueState("rows", ROW, byKey(keys, this::row));
    operator.valueState("number", DoubleSerializer.INSTANCE, byKey(keys, () -> dice.of(DOUBLES)));
    operator.valueState("nothing", IntSerializer.INSTANCE, Map.of());
    operator.listState("list", ROW, byKey(keys, () -> rows(dice.below(7))));
    operator.mapState(
        "map", StringSerializer.INSTANCE, ROW, byKey(keys, () -> entries(dice.below(5))));
  }

  private static List<Long> longs(int count) {
    return LongStream.range(0, count).boxed().toList();
  }

  /** A value for about four of five keys. */
  private <K, V> Map<K, V> byKey(List<K> keys, Supplier<V> values) {
    Map<K, V> map = new LinkedHashMap<>();
    for (K key : keys) {
      if (dice.chance(80)) {
        map.put(key, values.get());
      }
    }
    return map;
  }

  private List<Row> rows(int count) {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      rows.add(i > 0 && dice.chance(30) ? rows.get(i - 1) : row());
    }
    return rows;
  }

  private Map<String, Row> entries(int count) {
    Map<String, Row> entries = new LinkedHashMap<>();
    for (int i = 0; i < count; i++) {
      entries.put(dice.of(TEXTS), row());
    }
    return entries;
  }

  private Row row() {
    return Row.of(
        orNull(INTEGERS),
        orNull(BIGINTS),
        dice.chance(20) ? null : new BigDecimal(dice.of(DECIMALS)),
        orNull(DOUBLES),
        orNull(TEXTS),
        orNull(List.of(true, false)),
        orNull(DATES),
        orNull(TIMES));
  }

  private <T> T orNull(List<T> values) {
    return dice.chance(20) ? null : dice.of(values);
  }
}
