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
import java.math.BigInteger;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.base.DoubleSerializer;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Aggregates of a table that several threads read, each of them a part. */
class FoldedAggregatesTest {
  private static final int KEYS = 30_000;

  private static final ValueStateDescriptor<Long> AMOUNT =
      new ValueStateDescriptor<>("amount", LongSerializer.INSTANCE);
  private static final ValueStateDescriptor<Double> SHARE =
      new ValueStateDescriptor<>("share", DoubleSerializer.INSTANCE);
  private static final ValueStateDescriptor<String> TEXT =
      new ValueStateDescriptor<>("text", StringSerializer.INSTANCE);

  @TempDir private static Path folder;

  /** Forms in which a table is read piece by piece. */
  enum Parted {
    CANONICAL(Form.CANONICAL),
    HEAP_COMPRESSED(Form.HEAP_COMPRESSED),
    ROCKSDB(Form.ROCKSDB);

    private final Form form;

    Parted(Form form) {
      this.form = form;
    }
  }

  @BeforeAll
  static void write() throws Exception {
    for (Parted parted : Parted.values()) {
      ManyKeys.write(
          folder.resolve(parted.name()),
          parted.form,
          128,
          states -> {
            for (int i = 0; i < KEYS; i++) {
              String key = "key-" + i;
              states.of(key, AMOUNT).update(amount(i));
              states.of(key, SHARE).update(0.1 * i);
              if (i % 3 == 0) {
                states.of(key, TEXT).update("a text that says " + i);
              }
            }
          });
    }
  }

  private static long amount(int i) {
    return i == 7 ? Long.MIN_VALUE : Long.MAX_VALUE - i;
  }

  @ParameterizedTest
  @EnumSource
  void theRowsOfEachPartAreAggregatedWhereTheyAreRead(Parted form) throws Exception {
    BigInteger sum =
        IntStream.range(0, KEYS)
            .mapToObj(i -> BigInteger.valueOf(amount(i)))
            .reduce(BigInteger.ZERO, BigInteger::add);
    try (Connection connection = connect(form, 4)) {
      StateSqlAssert.on(connection)
          .sql(
              "SELECT COUNT(*), SUM(state_value), MIN(state_value), MAX(state_value),"
                  + " COUNT(*) FILTER (WHERE state_value < 0), MIN(state_key)"
                  + " FROM "
                  + table(connection, "amount"))
          .explainContains("StateFold", "INTEGER_SUM", "access=[full]")
          .returns(
              KEYS + ", " + sum + ", " + Long.MIN_VALUE + ", " + Long.MAX_VALUE + ", 1, key-0");
      assertThat(rowsRead(connection)).isEqualTo(KEYS);
      StateSqlAssert.on(connection)
          .sql("SELECT MIN(state_value), MAX(state_value) FROM " + table(connection, "share"))
          .explainContains("StateFold")
          .returns("0.0, " + 0.1 * (KEYS - 1));
      StateSqlAssert.on(connection)
          .sql(
              "SELECT COUNT(*), COUNT(text), MAX(text), SUM(CHAR_LENGTH(text)) FROM "
                  + table(connection, "keyed_state"))
          .explainContains("StateFold")
          .returns(
              KEYS
                  + ", "
                  + KEYS / 3
                  + ", a text that says 9999, "
                  + IntStream.range(0, KEYS)
                      .filter(i -> i % 3 == 0)
                      .map(i -> ("a text that says " + i).length())
                      .sum());
    }
  }

  @ParameterizedTest
  @EnumSource
  void aSumOfDoublesIsTheSameHoweverManyThreadsThereAre(Parted form) throws Exception {
    String one = null;
    for (int threads : new int[] {1, 2, 5}) {
      try (Connection connection = connect(form, threads)) {
        List<String> sums =
            StateSqlAssert.on(connection)
                .sql(
                    "SELECT SUM(state_value), AVG(state_value) FROM "
                        + table(connection, "share")
                        + " WHERE state_value < 2000.5")
                .explainContains("StateFold")
                .rows();
        one = one == null ? sums.get(0) : one;
        assertThat(sums).containsExactly(one);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void noRowsHaveAnAggregateToo(Parted form) throws Exception {
    try (Connection connection = connect(form, 4)) {
      StateSqlAssert sql = StateSqlAssert.on(connection);
      String amount = table(connection, "amount");
      String aggregates = "SELECT COUNT(state_value), SUM(state_value), MAX(state_key) FROM ";
      sql.sql(aggregates + amount + " WHERE state_value = 12")
          .explainContains("StateFold")
          .returns("0, null, null");
      sql.sql(aggregates + amount + " WHERE state_key = 'nobody'")
          .explainContains("StateFold", "access=[point]")
          .returns("0, null, null");
      sql.sql(aggregates + amount + " WHERE key_group > 200").returns("0, null, null");
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatPartsCannotTellIsLeftToTheWhole(Parted form) throws Exception {
    try (Connection connection = connect(form, 4)) {
      StateSqlAssert sql = StateSqlAssert.on(connection);
      String amount = table(connection, "amount");
      sql.sql("SELECT COUNT(DISTINCT MOD(state_value, 7)) FROM " + amount)
          .explainLacks("StateFold")
          .returns("8");
      sql.sql(
              "SELECT state_value < 0, SUM(state_value) FROM "
                  + amount
                  + " WHERE state_key IN ('key-7', 'key-1', 'key-2') GROUP BY state_value < 0")
          .explainContains("INTEGER_SUM")
          .explainLacks("StateFold")
          .returnsUnordered(
              "true, " + Long.MIN_VALUE,
              "false, "
                  + BigInteger.valueOf(Long.MAX_VALUE)
                      .multiply(BigInteger.TWO)
                      .subtract(BigInteger.valueOf(3)));
    }
  }

  @ParameterizedTest
  @EnumSource
  void anErrorInAPartIsTheStatements(Parted form) throws Exception {
    try (Connection connection = connect(form, 4)) {
      StateSqlAssert sql = StateSqlAssert.on(connection);
      String amount = table(connection, "amount");
      sql.sql("SELECT SUM(CAST(state_value AS INTEGER)) FROM " + amount).throwsSql("22003");
      sql.sql("SELECT SUM(state_value) FROM " + amount + " WHERE state_key = 'key-7'")
          .returns(String.valueOf(Long.MIN_VALUE));
    }
  }

  private static long rowsRead(Connection connection) throws SQLException {
    return Long.parseLong(
        StateSqlAssert.on(connection).sql("SELECT scanned_rows FROM last_statement").rows().get(0));
  }

  private static String table(Connection connection, String state) throws SQLException {
    String schema =
        StateSqlAssert.on(connection).sql("SELECT schema_name FROM operators").rows().get(0);
    return "\"" + schema + "\".\"" + state + "\"";
  }

  private Connection connect(Parted form, int threads) throws SQLException {
    return DriverManager.getConnection(
        "jdbc:statesql:snapshot=state=" + folder.resolve(form.name()) + ";parallelism=" + threads);
  }
}
