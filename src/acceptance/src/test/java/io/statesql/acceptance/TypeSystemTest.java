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
package io.statesql.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.statesql.StateSqlAssert;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeutils.base.BigDecSerializer;
import org.apache.flink.api.common.typeutils.base.BigIntSerializer;
import org.apache.flink.api.common.typeutils.base.DoubleSerializer;
import org.apache.flink.api.common.typeutils.base.FloatSerializer;
import org.apache.flink.api.common.typeutils.base.InstantSerializer;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
import org.apache.flink.api.common.typeutils.base.LocalDateSerializer;
import org.apache.flink.api.common.typeutils.base.LocalDateTimeSerializer;
import org.apache.flink.api.common.typeutils.base.LocalTimeSerializer;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Values at the edges of their types, as they come out of state and as SQL computes with them:
 * through JDBC and printed by the shell.
 */
class TypeSystemTest {
  private static final StringSerializer TEXT = StringSerializer.INSTANCE;
  private static final BigDecimal DIGITS_38 =
      new BigDecimal("12345678901234567890123456789012345.678");
  private static final BigInteger DIGITS_300 =
      BigInteger.TEN.pow(299).add(BigInteger.valueOf(123456789));
  private static final String NOTE = "примечание 大小 😀";

  @TempDir private static Path folder;

  private static Connection connection;
  private static StateSqlAssert sql;

  @BeforeAll
  static void writeSnapshot() throws Exception {
    TestSnapshot snapshot = TestSnapshot.create();
    snapshot
        .operator("numbers", TEXT)
        .valueState(
            "decimal",
            BigDecSerializer.INSTANCE,
            Map.of(
                "38 digits", DIGITS_38,
                "300 digits", new BigDecimal(DIGITS_300),
                "scale 40", new BigDecimal(BigInteger.ONE, 40),
                "scale 2", new BigDecimal("1.00")))
        .valueState("integer", BigIntSerializer.INSTANCE, Map.of("300 digits", DIGITS_300))
        .valueState(
            "double",
            DoubleSerializer.INSTANCE,
            Map.of(
                "NaN", Double.NaN,
                "-0.0", -0.0,
                "+Inf", Double.POSITIVE_INFINITY,
                "-Inf", Double.NEGATIVE_INFINITY,
                "min", Double.MIN_VALUE))
        .valueState(
            "float", FloatSerializer.INSTANCE, Map.of("NaN", Float.NaN, "-0.0", -0f, "0.1", 0.1f))
        .valueState("int", IntSerializer.INSTANCE, Map.of("max", Integer.MAX_VALUE))
        .valueState("long", LongSerializer.INSTANCE, Map.of("max", Long.MAX_VALUE));
    snapshot
        .operator("times", TEXT)
        .valueState(
            "instant",
            InstantSerializer.INSTANCE,
            Map.of(
                "nanoseconds", Instant.parse("2026-02-28T23:59:59.123456789Z"),
                "before 1970", Instant.parse("1969-12-31T23:59:59.999999999Z"),
                "epoch", Instant.EPOCH))
        .valueState(
            "local-date-time",
            LocalDateTimeSerializer.INSTANCE,
            Map.of("nanoseconds", LocalDateTime.parse("1582-10-04T00:00:00.000000001")))
        .valueState(
            "local-time",
            LocalTimeSerializer.INSTANCE,
            Map.of("last", LocalTime.MAX, "first", LocalTime.MIN))
        .valueState(
            "date",
            LocalDateSerializer.INSTANCE,
            Map.of(
                "first", LocalDate.of(1, 1, 1),
                "before 1970", LocalDate.of(1969, 12, 31),
                "Julian gap", LocalDate.of(1582, 10, 10),
                "last of four digits", LocalDate.of(9999, 12, 31),
                "beyond", LocalDate.of(12026, 1, 1)));
    snapshot
        .operator("texts", TEXT)
        .valueState(
            "text",
            TEXT,
            Map.of("empty", "", "note", NOTE, "unpaired", "a\uD800b", "nul", "a\u0000b"))
        .mapState("nullable", TEXT, TEXT, Map.of("ada", mapOfNull()));
    TestOperator<String> extremes = snapshot.operator("extremes", TEXT);
    TimeWindow.Serializer windows = new TimeWindow.Serializer();
    for (TimeWindow window :
        List.of(
            new TimeWindow(Long.MIN_VALUE, Long.MAX_VALUE),
            new TimeWindow(-1, 0),
            new TimeWindow(0, Long.MAX_VALUE))) {
      extremes.valueState("windowed", LongSerializer.INSTANCE, windows, window, Map.of("ada", 1L));
    }
    extremes.eventTimers(
        "service", windows, new TimeWindow(0, 1), Map.of("min", Long.MIN_VALUE, "zero", 0L));
    snapshot.write(folder);
    connection = QueryResult.connect(folder);
    sql = StateSqlAssert.on(connection);
  }

  private static Map<String, String> mapOfNull() {
    Map<String, String> map = new HashMap<>();
    map.put("null", null);
    map.put("empty", "");
    return map;
  }

  @AfterAll
  static void close() throws SQLException {
    connection.close();
  }

  @Test
  void decimalsKeepEveryDigit() throws SQLException {
    sql.sql("SELECT state_key, state_value FROM numbers.\"decimal\"")
        .returnsUnordered(
            "38 digits, " + DIGITS_38,
            "300 digits, " + DIGITS_300,
            "scale 40, 1E-40",
            "scale 2, 1.00");
    assertThat(value("SELECT state_value FROM numbers.\"integer\""))
        .isEqualTo(new BigDecimal(DIGITS_300));
    sql.sql("SELECT COUNT(*) FROM numbers.\"decimal\" WHERE state_value = " + DIGITS_38)
        .returns("1");
    sql.sql("SELECT state_value + 1 FROM numbers.\"integer\"")
        .returns(DIGITS_300.add(BigInteger.ONE).toString());
    sql.sql("SELECT SUM(state_value) FROM numbers.\"decimal\" WHERE state_key = '38 digits'")
        .returns(DIGITS_38.toString());
  }

  @Test
  void aSingleColumnCanBeSortedAndLimited() throws SQLException {
    sql.sql("SELECT state_value FROM times.instant ORDER BY 1 LIMIT 2")
        .returns("1969-12-31 23:59:59.999", "1970-01-01 00:00:00.000");
    sql.sql("SELECT timer_timestamp FROM extremes.timers ORDER BY 1")
        .returns("-9223372036854775808", "0");
    sql.sql("SELECT map_key FROM texts.nullable ORDER BY 1 DESC OFFSET 1").returns("empty");
  }

  @Test
  void overflowIsAnError() {
    sql.sql("SELECT state_value + 1 FROM numbers.\"int\"").throwsSql("22003");
    sql.sql("SELECT state_value + 1 FROM numbers.\"long\"").throwsSql("22003");
    sql.sql("SELECT state_value * 2 FROM numbers.\"long\"").throwsSql("22003");
    sql.sql("SELECT CAST(state_value AS INTEGER) FROM numbers.\"long\"").throwsSql("22003");
    sql.sql("SELECT state_value / 0 FROM numbers.\"long\"").throwsSql("22012");
  }

  @Test
  void floatingPointKeepsItsSpecialValues() throws SQLException {
    sql.sql("SELECT state_key, state_value FROM numbers.\"double\"")
        .returnsUnordered(
            "NaN, NaN", "-0.0, -0.0", "+Inf, Infinity", "-Inf, -Infinity", "min, 4.9E-324");
    sql.sql("SELECT state_key, state_value FROM numbers.\"float\"")
        .returnsUnordered("NaN, NaN", "-0.0, -0.0", "0.1, 0.1");
    assertThat(value("SELECT state_value FROM numbers.\"double\" WHERE state_key = '-0.0'"))
        .isEqualTo(-0.0);
    assertThat(value("SELECT state_value FROM numbers.\"double\" WHERE state_key = 'NaN'"))
        .isEqualTo(Double.NaN);
  }

  @Test
  void timesKeepTheirNanoseconds() throws SQLException {
    sql.sql("SELECT state_key, state_value, state_value_nanos FROM times.instant")
        .returnsUnordered(
            "nanoseconds, 2026-02-28 23:59:59.123, 456789",
            "before 1970, 1969-12-31 23:59:59.999, 999999",
            "epoch, 1970-01-01 00:00:00.000, 0");
    sql.sql("SELECT state_value, state_value_nanos FROM times.\"local-date-time\"")
        .returns("1582-10-04 00:00:00.000, 1");
    sql.sql("SELECT state_key, state_value, state_value_nanos FROM times.\"local-time\"")
        .returnsUnordered("last, 23:59:59.999, 999999", "first, 00:00:00.000, 0");
  }

  @Test
  void datesReachBeyondYearsOfFourDigits() throws SQLException {
    sql.sql("SELECT state_key, state_value FROM times.\"date\"")
        .returnsUnordered(
            "first, 0001-01-01",
            "before 1970, 1969-12-31",
            "Julian gap, 1582-10-10",
            "last of four digits, 9999-12-31",
            "beyond, 12026-01-01");
    sql.sql("SELECT state_key FROM times.\"date\" WHERE state_value < DATE '1582-10-15' ORDER BY 1")
        .returns("Julian gap", "first");
    sql.sql("SELECT MIN(state_value), MAX(state_value) FROM times.\"date\"")
        .returns("0001-01-01, 12026-01-01");
  }

  @Test
  void textIsKeptAsItIs() throws SQLException {
    assertThat(value("SELECT state_value FROM texts.text WHERE state_key = 'note'"))
        .isEqualTo(NOTE);
    assertThat(value("SELECT state_value FROM texts.text WHERE state_key = 'unpaired'"))
        .isEqualTo("a\uD800b");
    assertThat(value("SELECT state_value FROM texts.text WHERE state_key = 'nul'"))
        .isEqualTo("a\u0000b");
    sql.sql("SELECT state_key FROM texts.text WHERE state_value = '" + NOTE + "'").returns("note");
    sql.sql("SELECT CHAR_LENGTH(state_value) FROM texts.text WHERE state_key = 'empty'")
        .returns("0");
    sql.sql("SELECT map_key FROM texts.nullable WHERE map_value IS NULL").returns("null");
    sql.sql("SELECT map_key FROM texts.nullable WHERE map_value = ''").returns("empty");
  }

  @Test
  void textIsNeverPadded() throws SQLException {
    sql.sql(
            "SELECT '[' || CASE WHEN state_key = 'empty' THEN 'a' ELSE 'bcd' END || ']'"
                + " FROM texts.text WHERE state_key IN ('empty', 'note') ORDER BY 1")
        .returns("[a]", "[bcd]");
    sql.sql("SELECT '[' || x || ']' FROM (VALUES ('a'), ('bcd')) AS t(x) ORDER BY 1")
        .returns("[a]", "[bcd]");
    sql.sql("SELECT '[' || x || ']' FROM (SELECT 'a' AS x UNION ALL SELECT 'bcd') ORDER BY 1")
        .returns("[a]", "[bcd]");
  }

  @Test
  void timersAndWindowsMayLieOutOfTheRangeOfTimestamps() throws SQLException {
    sql.sql("SELECT state_key, timer_timestamp, fire_time FROM extremes.timers")
        .returnsUnordered("min, -9223372036854775808, null", "zero, 0, 1970-01-01 00:00:00.000");
    sql.sql(
            "SELECT window_start, window_end, window_start_ms, window_end_ms"
                + " FROM extremes.windowed")
        .returnsUnordered(
            "null, null, -9223372036854775808, 9223372036854775807",
            "1969-12-31 23:59:59.999, 1970-01-01 00:00:00.000, null, null",
            "1970-01-01 00:00:00.000, null, null, 9223372036854775807");
  }

  private static final List<String> PRINTED =
      List.of(
          "SELECT state_value FROM numbers.\"decimal\" WHERE state_key = '38 digits'",
          "SELECT state_value FROM numbers.\"double\" ORDER BY state_key",
          "SELECT state_value, state_value_nanos FROM times.instant ORDER BY 1",
          "SELECT state_value FROM times.\"date\" ORDER BY 1",
          "SELECT state_value FROM texts.text WHERE state_key = 'note'",
          "SELECT map_key, map_value FROM texts.nullable ORDER BY map_key",
          "SELECT window_start, window_end_ms FROM extremes.windowed ORDER BY 1, 2",
          "VALUES ('a'), ('bcd')",
          "SELECT CASE WHEN state_key = 'empty' THEN 'a' ELSE 'bcd' END AS c FROM texts.text"
              + " WHERE state_key IN ('empty', 'note') ORDER BY 1",
          "SELECT state_value FROM numbers.\"integer\"",
          "SELECT state_value FROM numbers.\"decimal\" WHERE state_key LIKE 'scale%' ORDER BY 1",
          "SELECT state_value FROM numbers.\"float\" ORDER BY state_key",
          "SELECT state_value, state_value_nanos FROM times.\"local-date-time\"",
          "SELECT state_value, state_value_nanos FROM times.\"local-time\" ORDER BY 1",
          "SELECT timer_timestamp, fire_time FROM extremes.timers ORDER BY 1",
          "SELECT nullable FROM texts.keyed_state WHERE state_key = 'ada'");

  @Test
  void theShellPrintsCsv() throws Exception {
    ShellRun run = print("csv");

    assertThat(run.err()).isEmpty();
    assertThat(run.status()).isZero();
    assertThat(run.out())
        .isEqualTo(
            String.join(
                "\n",
                "state_value",
                DIGITS_38.toString(),
                "state_value",
                "Infinity",
                "-0.0",
                "-Infinity",
                "NaN",
                "4.9E-324",
                "state_value,state_value_nanos",
                "1969-12-31 23:59:59.999,999999",
                "1970-01-01 00:00:00.000,0",
                "2026-02-28 23:59:59.123,456789",
                "state_value",
                "0001-01-01",
                "1582-10-10",
                "1969-12-31",
                "9999-12-31",
                "12026-01-01",
                "state_value",
                NOTE,
                "map_key,map_value",
                "empty,\"\"",
                "null,",
                "window_start,window_end_ms",
                "1969-12-31 23:59:59.999,",
                "1970-01-01 00:00:00.000,9223372036854775807",
                ",9223372036854775807",
                "EXPR$0",
                "a",
                "bcd",
                "c",
                "a",
                "bcd",
                "state_value",
                DIGITS_300.toString(),
                "state_value",
                new BigDecimal(BigInteger.ONE, 40).toPlainString(),
                "1.00",
                "state_value",
                "-0.0",
                "0.1",
                "NaN",
                "state_value,state_value_nanos",
                "1582-10-04 00:00:00.000,1",
                "state_value,state_value_nanos",
                "00:00:00.000,0",
                "23:59:59.999,999999",
                "timer_timestamp,fire_time",
                "-9223372036854775808,",
                "0,1970-01-01 00:00:00.000",
                "nullable",
                "\"{\"\"null\"\":null,\"\"empty\"\":\"\"\"\"}\"",
                ""));
  }

  @Test
  void theShellPrintsTables() throws Exception {
    ShellRun run = print("table");

    assertThat(run.err()).isEmpty();
    assertThat(run.status()).isZero();
    assertThat(run.out().lines())
        .contains(
            "| " + DIGITS_38 + " |",
            "| 1969-12-31 23:59:59.999 | 999999            |",
            "| 0001-01-01  |",
            "| 9999-12-31  |",
            "| 12026-01-01 |",
            "| " + NOTE + " |",
            "| -0.0        |",
            "| NaN         |",
            "| -Infinity   |",
            "| empty   |           |",
            "| null    | null      |",
            "| a      |",
            "| bcd    |");
  }

  @Test
  void theShellTellsOfEachOverflowAndFails() throws Exception {
    ShellRun run =
        ShellRun.of(
            folder.toString(),
            "--silent",
            "--force",
            "-e",
            "SELECT state_value + 1 FROM numbers.\"int\"",
            "-e",
            "SELECT state_value * 2 FROM numbers.\"long\"",
            "-e",
            "SELECT CAST(state_value AS INTEGER) FROM numbers.\"long\"");

    assertThat(run.out()).isEmpty();
    assertThat(run.err().lines())
        .hasSize(3)
        .allMatch(line -> line.startsWith("Error: ") && line.contains("22003"));
    assertThat(run.status()).isEqualTo(2);
  }

  private static ShellRun print(String format) throws Exception {
    List<String> args = new ArrayList<>(List.of(folder.toString()));
    args.addAll(List.of("--silent", "--outputFormat=" + format));
    for (String statement : PRINTED) {
      args.addAll(List.of("-e", statement));
    }
    return ShellRun.of(args.toArray(String[]::new));
  }

  private static Object value(String sql) throws SQLException {
    return QueryResult.of(connection, sql, ResultSet::getObject).rows().get(0).get(0);
  }

  @Test
  void aMapKeepsItsNullsInside() throws SQLException {
    assertThat(value("SELECT nullable FROM texts.keyed_state WHERE state_key = 'ada'"))
        .isEqualTo(mapOfNull());
  }
}
