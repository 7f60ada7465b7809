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
package io.statesql.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.statesql.StateSqlAssert;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.TimeZone;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TypeSystemTest {
  private static final String DIGITS_38 = ToyCatalogs.DIGITS_38.toString();
  private static final String DIGITS_300 = ToyCatalogs.DIGITS_300.toString();

  private Connection connection;

  @BeforeEach
  void connect() throws SQLException {
    connection = StateSqlAssert.connect(ToyCatalogs::open, "snapshot=/toy");
    connection.setSchema("orders");
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  private StateSqlAssert.Query sql(String sql) {
    return StateSqlAssert.on(connection).sql(sql);
  }

  @Test
  void textOfUnequalLengthIsNeverPadded() throws SQLException {
    sql("SELECT '<' || c || '>' FROM (VALUES ('a'), ('abc')) AS t (c)")
        .types("EXPR$0 VARCHAR")
        .returns("<a>", "<abc>");
    sql("SELECT '<' || CASE WHEN key_group = 3 THEN 'three' ELSE 'x' END || '>' FROM keyed_state ORDER BY key_group")
        .returns("<three>", "<x>", "<x>");
    sql("SELECT c FROM (SELECT 'a' AS c UNION ALL SELECT 'bcd') ORDER BY c").returns("a", "bcd");
    sql("SELECT CHAR_LENGTH(ARRAY['a', 'bcd'][1])").returns("1");
    sql("SELECT CHAR_LENGTH(COALESCE(state_key, 'unknown')) FROM keyed_state WHERE key_group = 3")
        .returns("1");
  }

  @Test
  void textIsUtf8() throws SQLException {
    sql("SELECT 'žluťoučký 馬 🐴', CHAR_LENGTH('馬')").returns("žluťoučký 馬 🐴, 1");
    sql("SELECT state_key FROM keyed_state WHERE state_key = 'ç'").returns("ç");
    sql("SELECT state_key || '€', UPPER(state_key) FROM keyed_state WHERE state_key IN ('ç', '馬')")
        .returns("ç€, Ç");
    sql("SELECT _UTF8'é', U&'\\00e9'").returns("é, é");
    sql("SELECT * FROM (VALUES ('é'), ('e')) AS t (c) WHERE c LIKE 'é%'").returns("é");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "t + CAST(1 AS TINYINT)",
        "s + CAST(1 AS SMALLINT)",
        "i + 1",
        "l + 1",
        "i * 2",
        "l * 2",
        "i - (-1)",
        "2147483647 + i",
        "CAST(l AS INTEGER)",
        "CAST(i AS SMALLINT)",
        "CAST(i AS TINYINT)",
        "CAST(CAST(l AS DECIMAL) + 1 AS BIGINT)",
        "i * i + CAST(1 AS DECIMAL(5, 2))"
      })
  void overflowUpwardsIsAnError(String expression) {
    sql("SELECT " + expression + " FROM numbers WHERE name = 'max'").throwsSql("22003", "range");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-t",
        "-s",
        "-i",
        "-l",
        "ABS(t)",
        "ABS(s)",
        "ABS(i)",
        "ABS(l)",
        "i - 1",
        "l - 1",
        "i / (-1)",
        "l / (-1)"
      })
  void overflowDownwardsIsAnError(String expression) {
    sql("SELECT " + expression + " FROM numbers WHERE name = 'min'").throwsSql("22003", "range");
  }

  @Test
  void constantOverflowIsAnError() {
    sql("SELECT 2147483647 + 1").throwsSql("22003", "range");
    sql("SELECT 9223372036854775807 + 1").throwsSql("22003", "range");
    sql("SELECT CAST(300 AS TINYINT)").throwsSql("22003");
    sql("SELECT CAST(123.4 AS DECIMAL(2, 1))").throwsSql("22003");
    sql("SELECT 1 FROM numbers WHERE i + 1 > 0").throwsSql("22003", "range");
  }

  @Test
  void arithmeticWithinTheRangeIsRight() throws SQLException {
    sql("SELECT t + s, i * l, -i, ABS(-i), 7 / i, MOD(7, i) FROM numbers WHERE name = 'two'")
        .returns("4, 4, -2, 2, 3, 1");
    sql("SELECT 1 / (i - 2) FROM numbers WHERE name = 'two'").throwsSql("22012", "divided by zero");
  }

  @Test
  void remaindersOfBigintsAreWholeNumbers() throws SQLException {
    sql("SELECT MOD(l, 10), MOD(-l, 10), MOD(10, l), MOD(l, l - 1), MOD(t, l) FROM numbers WHERE name = 'max'")
        .types("EXPR$0 INTEGER, EXPR$1 INTEGER, EXPR$2 BIGINT, EXPR$3 BIGINT, EXPR$4 BIGINT")
        .returns("7, -7, 10, 1, 127");
    sql("SELECT MOD(l, -1), MOD(l, CAST(NULL AS INTEGER)) FROM numbers WHERE name = 'min'")
        .returns("0, null");
    sql("SELECT MOD(9223372036854775807, 10)").returns("7");
    sql("SELECT MOD(l, i - 2) FROM numbers WHERE name = 'two'")
        .throwsSql("22012", "divided by zero");
  }

  @Test
  void sumsAreWideAndAveragesAreNoIntegers() throws SQLException {
    sql("SELECT SUM(i) AS i, SUM(l) AS l, SUM(t) AS t FROM numbers WHERE name IN ('max', 'two')")
        .types("i BIGINT, l DECIMAL, t BIGINT")
        .returns("2147483649, 9223372036854775809, 129");
    sql("SELECT AVG(i) AS a, AVG(l) AS b, AVG(d) AS c FROM numbers WHERE name IN ('one', 'two')")
        .types("a DECIMAL, b DECIMAL, c DOUBLE")
        .returns("1.5, 1.5, -Infinity");
    sql("SELECT SUM(l) OVER (ORDER BY name), AVG(i) OVER () FROM numbers WHERE name IN ('max', 'two') ORDER BY name")
        .returns("9223372036854775807, 1073741824.5", "9223372036854775809, 1073741824.5");
    sql("SELECT SUM(DISTINCT i), COUNT(DISTINCT d), SUM(l) FROM numbers WHERE name = 'none'")
        .returns("null, 0, null");
  }

  @Test
  void everyDigitOfADecimalSurvives() throws SQLException {
    sql("SELECT d FROM decimals ORDER BY id")
        .types("d DECIMAL")
        .returns(DIGITS_38, DIGITS_300, "1.0", "1.00", "null");
    sql("SELECT id FROM decimals WHERE d = " + DIGITS_300).returns("2");
    sql("SELECT id FROM decimals WHERE d = " + DIGITS_38).returns("1");
    sql("SELECT id FROM decimals WHERE d > " + DIGITS_38 + " AND d < " + DIGITS_300 + " + 1")
        .returns("2");
    sql("SELECT MIN(d), MAX(d) FROM decimals WHERE id < 3").returns(DIGITS_38 + ", " + DIGITS_300);
    sql("SELECT id FROM decimals ORDER BY d DESC NULLS LAST, id").returns("2", "1", "3", "4", "5");
    sql("SELECT CASE WHEN id = 2 THEN d ELSE bounded END FROM decimals ORDER BY id")
        .returns("1.50", DIGITS_300, "99999999.99", "0.00", "null");
    sql("SELECT d FROM decimals WHERE id = 2 UNION ALL SELECT 1 UNION ALL SELECT 2.5 UNION ALL SELECT bounded FROM decimals WHERE id = 1")
        .returnsUnordered(DIGITS_300, "1", "2.5", "1.50");
    sql("SELECT a.id, b.id FROM decimals a JOIN decimals b ON a.d IS NOT DISTINCT FROM b.d WHERE a.id > 2")
        .returnsUnordered("3, 3", "3, 4", "4, 3", "4, 4", "5, 5");
    sql("SELECT id FROM decimals WHERE d <> ALL (SELECT d FROM decimals WHERE id = 4)")
        .returnsUnordered("1", "2");
    sql("SELECT id FROM decimals WHERE d = ANY (SELECT d FROM decimals WHERE id = 4)")
        .returnsUnordered("3", "4");
    sql("SELECT a.id, n.i FROM decimals a JOIN numbers n ON a.d IS NOT DISTINCT FROM n.i")
        .returnsUnordered("3, 1", "4, 1");
    sql("SELECT SUM(d) FROM decimals")
        .returns(
            ToyCatalogs.DIGITS_38
                .add(ToyCatalogs.DIGITS_300)
                .add(new BigDecimal("2.00"))
                .toString());
    sql("SELECT d + 1, d * d, d - d FROM decimals WHERE id = 2")
        .returns(
            ToyCatalogs.DIGITS_300.add(BigDecimal.ONE)
                + ", "
                + ToyCatalogs.DIGITS_300.multiply(ToyCatalogs.DIGITS_300)
                + ", "
                + ToyCatalogs.DIGITS_300.subtract(ToyCatalogs.DIGITS_300));
    sql("SELECT CAST('" + DIGITS_300 + "' AS DECIMAL), CAST(0.1 AS DECIMAL), CAST(1e0 AS DECIMAL)")
        .returns(DIGITS_300 + ", 0.1, 1.0");
    sql("SELECT CAST(d AS VARCHAR) FROM decimals WHERE id = 2").returns(DIGITS_300);
    sql("SELECT COALESCE(d, 0) FROM decimals WHERE id IN (2, 5) ORDER BY id")
        .returns(DIGITS_300, "0");
  }

  @Test
  void decimalsAreEqualByValueEverywhere() throws SQLException {
    sql("SELECT d, COUNT(*) FROM decimals WHERE id IN (3, 4) GROUP BY d").returns("1, 2");
    sql("SELECT COUNT(DISTINCT d) FROM decimals").returns("3");
    sql("SELECT DISTINCT d FROM decimals WHERE id IN (3, 4)").returns("1");
    sql("SELECT a.id, b.id FROM decimals a JOIN decimals b ON a.d = b.d WHERE a.id = 3 ORDER BY b.id")
        .returns("3, 3", "3, 4");
    sql("SELECT a.id, b.id FROM decimals a, decimals b WHERE a.d = b.d AND a.id = 4 ORDER BY b.id")
        .returns("4, 3", "4, 4");
    sql("SELECT d FROM decimals WHERE id = 3 UNION SELECT d FROM decimals WHERE id = 4")
        .returns("1");
    sql("SELECT d FROM decimals WHERE id = 3 INTERSECT SELECT d FROM decimals WHERE id = 4")
        .returns("1");
    sql("SELECT id FROM decimals WHERE d IN (SELECT d FROM decimals WHERE id = 3) ORDER BY id")
        .returns("3", "4");
    sql("SELECT id FROM decimals WHERE d NOT IN (SELECT d FROM decimals WHERE id = 3) ORDER BY id")
        .returns("1", "2");
    sql("SELECT id FROM decimals WHERE d IN (1, 2.0) ORDER BY id").returns("3", "4");
    sql("SELECT id, COUNT(*) OVER (PARTITION BY d) FROM decimals WHERE id IN (3, 4) ORDER BY id")
        .returns("3, 2", "4, 2");
  }

  @Test
  void narrowerDecimalsAreCheckedAndRoundHalfUp() throws SQLException {
    sql("SELECT bounded * 10, CAST(bounded AS DECIMAL(9, 1)), CAST(2.25 AS DECIMAL(3, 1)) FROM decimals WHERE id = 2")
        .returns("22.50, 2.3, 2.3");
    sql("SELECT CAST(d AS DECIMAL(10, 2)) FROM decimals WHERE id = 1").throwsSql("22003", "range");
    sql("SELECT CAST(d AS BIGINT) FROM decimals WHERE id = 1").throwsSql("22003", "range");
    sql("SELECT 10 / CAST(4 AS DECIMAL(5, 0))").returns("2.5");
  }

  @Test
  void specialFloatingPointValuesAreKept() throws SQLException {
    sql("SELECT r, d FROM numbers")
        .returns("NaN, NaN", "-0.0, -0.0", "Infinity, -Infinity", "0.1, 0.0");
    sql("SELECT name FROM numbers ORDER BY d").returns("one", "min", "two", "max");
    sql("SELECT name FROM numbers WHERE d = 0").returns("min", "two");
    sql("SELECT MAX(d), MIN(r) FROM numbers WHERE name <> 'max'").returns("0.0, -0.0");
    sql("SELECT name FROM numbers WHERE d > 1e300 OR d < -1e300").returnsUnordered("max", "one");
    sql("SELECT CAST(d AS INTEGER) FROM numbers WHERE name = 'max'").throwsSql("22003");
    sql("SELECT CAST(d AS DECIMAL) FROM numbers WHERE name = 'max'").throwsSql("22003", "NaN");
    sql("SELECT CAST(d AS DECIMAL(5, 2)) FROM numbers WHERE name = 'max'").throwsSql("22003");
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTC", "America/New_York", "Asia/Kathmandu", "Pacific/Apia"})
  void timesHaveTheSameTextInEveryZone(String zone) throws SQLException {
    TimeZone before = TimeZone.getDefault();
    TimeZone.setDefault(TimeZone.getTimeZone(zone));
    try {
      sql("SELECT ts, d, tm FROM times")
          .returns(
              "2024-02-29 12:00:00.123, 2024-02-29, 12:00:00.123",
              "1969-12-31 23:59:59.999, 1969-12-31, 00:00:00.000",
              "10000-01-01 00:00:00.000, 10000-01-01, 23:59:59.999",
              "0000-12-31 23:59:59.999, 0000-12-31, null",
              "null, null, null");
      sql("SELECT id FROM times WHERE ts = TIMESTAMP '2024-02-29 12:00:00.123'").returns("1");
      sql("SELECT id FROM times WHERE d = DATE '1969-12-31' AND tm = TIME '00:00:00'").returns("2");
    } finally {
      TimeZone.setDefault(before);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTC", "Asia/Kathmandu"})
  void currentTimestampIsUtc(String zone) throws SQLException {
    TimeZone before = TimeZone.getDefault();
    TimeZone.setDefault(TimeZone.getTimeZone(zone));
    try {
      for (String function : new String[] {"CURRENT_TIMESTAMP", "LOCALTIMESTAMP"}) {
        String text = sql("SELECT CAST(" + function + " AS TIMESTAMP)").rows().get(0);
        LocalDateTime time =
            LocalDateTime.parse(text, DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS"));
        assertThat(time)
            .isCloseTo(
                LocalDateTime.now(ZoneOffset.UTC),
                org.assertj.core.api.Assertions.within(2, ChronoUnit.MINUTES));
      }
    } finally {
      TimeZone.setDefault(before);
    }
  }

  @Test
  void textOfATimestampKeepsMilliseconds() throws SQLException {
    sql("SELECT CAST(ts AS VARCHAR), CAST(tm AS VARCHAR), CAST(d AS VARCHAR) FROM times WHERE id < 4")
        .returns(
            "2024-02-29 12:00:00.123, 12:00:00.123, 2024-02-29",
            "1969-12-31 23:59:59.999, 00:00:00.000, 1969-12-31",
            "10000-01-01 00:00:00.000, 23:59:59.999, 10000-01-01");
  }

  @ParameterizedTest
  @CsvSource({
    "TIMESTAMP '2024-01-01 00:00:00.1234'",
    "TIME '00:00:00.0001'",
    "TIMESTAMP '2024-01-01 00:00:00.000000001'"
  })
  void aLiteralFinerThanAMillisecondIsRefused(String literal) {
    sql("SELECT " + literal).throwsSql("22008", "Line 1, column 8: ", "finer than a millisecond");
    sql("VALUES " + literal).throwsSql("22008", "Line 1, column 8: ", "finer than a millisecond");
  }

  @Test
  void aLiteralMayHaveAnyYear() throws SQLException {
    sql("SELECT DATE '12026-01-01', TIMESTAMP '12026-01-01 00:00:00', DATE '0000-12-31', TIMESTAMP '-0001-01-01 12:00:00.123'")
        .types("EXPR$0 DATE, EXPR$1 TIMESTAMP, EXPR$2 DATE, EXPR$3 TIMESTAMP")
        .returns("12026-01-01, 12026-01-01 00:00:00.000, 0000-12-31, -0001-01-01 12:00:00.123");
    sql("SELECT id FROM times WHERE d = DATE '10000-01-01'").returns("3");
    sql("SELECT id FROM times WHERE d = DATE '0000-01-14' OR ts = TIMESTAMP '0000-12-31 23:59:59.999'")
        .returns("4");
    sql("SELECT id FROM times WHERE ts >= TIMESTAMP '10000-01-01 00:00:00' AND ts < TIMESTAMP '10000-01-02'")
        .explainContains("EnumerableTableScan")
        .returns("3");
    sql("SELECT id FROM times WHERE d BETWEEN DATE '2024-01-01' AND DATE '12026-01-01' ORDER BY id")
        .returns("1", "3");
    sql("SELECT DATE '12026-02-30'").throwsSql("22018", "The text '12026-02-30' is not a DATE");
    sql("SELECT DATE '2026-02-30'").throwsSql("42000", "2026-02-30");
  }

  @Test
  void aConstantBeyondTheYear9999IsFoldedRight() throws SQLException {
    sql("SELECT id FROM times WHERE d = CAST('10000-01-01' AS DATE)").returns("3");
    sql("SELECT id FROM times WHERE ts = CAST('10000-01-01 00:00:00' AS TIMESTAMP)").returns("3");
    sql("SELECT id FROM times WHERE d > CAST('9999-12-31' AS DATE)").returns("3");
    sql("SELECT id FROM times WHERE d = CAST('9999-12-31' AS DATE) + INTERVAL '1' DAY")
        .returns("3");
    sql("SELECT CAST('12026-01-01' AS DATE), CAST('12026-01-01' AS DATE) + INTERVAL '1' DAY FROM times WHERE id = 1")
        .returns("12026-01-01, 12026-01-02");
    sql("SELECT EXTRACT(YEAR FROM CAST('12026-01-01' AS DATE)), CAST(DATE '12026-01-01' AS TIMESTAMP)")
        .returns("12026, 12026-01-01 00:00:00.000");
  }

  @Test
  void aLiteralWithTrailingZerosIsExact() throws SQLException {
    sql("SELECT TIMESTAMP '2024-01-01 00:00:00.123000'").returns("2024-01-01 00:00:00.123");
  }

  @Test
  void valuesComeAsJavaObjectsToo() throws SQLException {
    try (var statement = connection.createStatement();
        ResultSet results =
            statement.executeQuery("SELECT d, bounded FROM decimals WHERE id = 2")) {
      assertThat(results.next()).isTrue();
      assertThat(results.getBigDecimal(1)).isEqualTo(ToyCatalogs.DIGITS_300);
      assertThat(results.getObject(2)).isEqualTo(new BigDecimal("2.25"));
    }
  }

  @Test
  void textIsReadAsDatesAndTimes() throws SQLException {
    sql("SELECT CAST('2024-02-29 12:00:00.123' AS TIMESTAMP), CAST('12345-01-02T03:04' AS TIMESTAMP), CAST(' 1969-12-31 ' AS TIMESTAMP)")
        .returns("2024-02-29 12:00:00.123, 12345-01-02 03:04:00.000, 1969-12-31 00:00:00.000");
    sql("SELECT CAST('2024-02-29' AS DATE), CAST('-0001-01-01' AS DATE), CAST('23:59:59.999000' AS TIME), CAST(NULL AS DATE)")
        .returns("2024-02-29, -0001-01-01, 23:59:59.999, null");
    sql("SELECT id FROM times WHERE ts = '2024-02-29 12:00:00.123'").returns("1");
    sql("SELECT id FROM times WHERE CAST(ts AS VARCHAR) LIKE '2024%' AND CAST(CAST(ts AS VARCHAR) AS TIMESTAMP) = ts")
        .returns("1");
  }

  @ParameterizedTest
  @CsvSource({
    "'2024-02-30', DATE",
    "'2024-01-01 00:00', DATE",
    "'24:00', TIME",
    "'', TIMESTAMP",
    "'12:00', TIMESTAMP",
    "'2024-01-01 12', TIMESTAMP",
    "'x', TIMESTAMP"
  })
  void textThatIsNoDateOrTimeIsRefused(String text, String type) {
    sql("SELECT CAST('%s' AS %s)".formatted(text, type))
        .throwsSql("22018", "The text '" + text + "' is not a " + type);
  }

  @Test
  void textFinerThanAMillisecondIsRefused() {
    sql("SELECT CAST('2024-01-01 00:00:00.1234' AS TIMESTAMP)")
        .throwsSql("22008", "finer than a millisecond");
  }

  @Test
  void divisionOfExactNumbersHasThirtyFourDigits() throws SQLException {
    sql("SELECT i / 3.0, 2 / CAST(3 AS DECIMAL), CAST(2 AS DECIMAL(5, 0)) / CAST(3 AS DECIMAL(5, 0)) FROM numbers WHERE name = 'one'")
        .returns(
            "0.3333333333333333333333333333333333, 0.6666666666666666666666666666666667, 0.6666666666666666666666666666666667");
    sql("SELECT l * 12345678901234567890123, l + 0.1, MOD(l, 2.0) FROM numbers WHERE name = 'max'")
        .returns(
            new BigDecimal(Long.MAX_VALUE).multiply(new BigDecimal("12345678901234567890123"))
                + ", 9223372036854775807.1, 1.0");
  }
}
