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
package io.statesql.shell;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import javax.xml.parsers.DocumentBuilderFactory;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;

/** How values look in each output format. */
class OutputFormatTest {
  private static final String AWKWARD =
      "select cast(null as varchar) as a, '' as b, cast(null as integer) as c, 'null' as d,"
          + " 'x,\"y\"' as e, U&'1\\000A2\\0007' as f from (values 1)";

  @Test
  void csvTellsNullFromTheEmptyText() {
    Outcome outcome = Outcome.onCalcite("--outputformat=csv", "-e", AWKWARD);

    assertThat(outcome.out())
        .isEqualTo("A,B,C,D,E,F\n,\"\",,null,\"x,\"\"y\"\"\",\"1\n2\u0007\"\n");
    assertThat(outcome.err()).isEmpty();
  }

  @Test
  void tsvFollowsTheSameRules() {
    Outcome outcome = Outcome.onCalcite("--outputformat=tsv", "-e", AWKWARD);

    assertThat(outcome.out())
        .isEqualTo("A\tB\tC\tD\tE\tF\n\t\"\"\t\tnull\t\"x,\"\"y\"\"\"\t\"1\n2\u0007\"\n");
  }

  @Test
  void csvTakesTheDelimiterAndQuoteThatTheUserChose() {
    Outcome outcome =
        Outcome.onCalcite(
            "--outputformat=csv",
            "--csvDelimiter=;",
            "--csvQuoteCharacter=|",
            "--nullValue=NULL",
            "-e",
            "values ('a;b', cast(null as integer), 'c,d', 'e|')");

    assertThat(outcome.out().lines().skip(1)).containsExactly("|a;b|;NULL;c,d;|e|||");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "cast('NaN' as double)                            | NaN",
        "cast('Infinity' as double)                       | Infinity",
        "cast('-0.0' as double)                           | -0.0",
        "cast(1e300 as double)                            | 1.0E300",
        "0.1e0 + 0.2e0                                    | 0.30000000000000004",
        "0.0000001                                        | 0.0000001",
        "1234567890123456789                              | 1234567890123456789",
        "cast(12345.6000 as decimal(18, 4))               | 12345.6000",
        "timestamp '1969-12-31 23:59:59.123'              | 1969-12-31 23:59:59.123",
        "timestampadd(year, 9000, timestamp '2024-02-29 00:00:00') | 11024-02-29 00:00:00.000",
        "timestamp '0001-01-01 00:00:00'                  | 0001-01-01 00:00:00.000",
        "date '0001-01-01'                                | 0001-01-01",
        "date '1969-12-31'                                | 1969-12-31",
        "time '01:02:03'                                  | 01:02:03.000",
        "cast(null as timestamp)                          | ''",
        "x'00ab'                                          | 00ab",
        "true                                             | true",
        "cast(null as boolean)                            | ''",
        "_UTF8'日本é😀'                                   | 日本é😀",
      })
  void valuesAreExact(String expression, String text) {
    Outcome outcome =
        Outcome.onCalcite(
            "--outputformat=csv",
            "--showheader=false",
            "-e",
            "select " + expression + " from (values 1)");

    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.out()).isEqualTo(text + "\n");
  }

  @Test
  void formatsThatTheUserSetWin() {
    Outcome outcome =
        Outcome.onCalcite(
            "--outputformat=csv",
            "--showheader=false",
            "--numberFormat=0.00",
            "-e",
            "values (1.5, 2, 'a')");

    assertThat(outcome.out()).isEqualTo("1.50,2.00,a\n");
  }

  @Test
  void planIsShownAsItsLines() {
    String plan = "explain plan for select count(*) from (values 1, 2) as t (n) where n > 1";

    assertThat(Outcome.onCalcite("-e", plan).out().lines().toList())
        .hasSizeGreaterThan(1)
        .first(InstanceOfAssertFactories.STRING)
        .startsWith("Enumerable");
    assertThat(Outcome.onCalcite("--outputformat=csv", "-e", plan).out()).startsWith("PLAN\n\"");
  }

  @Test
  void jsonIsValidAndExact() throws Exception {
    Outcome outcome =
        Outcome.onCalcite(
            "--outputformat=json",
            "-e",
            "select cast('NaN' as double) as \"n\"\"an\", 1.50 as d, true as b,"
                + " cast(null as integer) as n, '{\"a\":\"\\b\"}' as nested,"
                + " U&'\\0001\\000A\\007F/' as controls, '1' as text"
                + " from (values 1, 2)");
    JsonNode rows = new ObjectMapper().readTree(outcome.out()).get("resultset");

    assertThat(rows).hasSize(2);
    assertThat(rows.get(0).get("n\"an").textValue()).isEqualTo("NaN");
    assertThat(rows.get(0).get("D").decimalValue()).isEqualByComparingTo("1.50");
    assertThat(rows.get(0).get("B").booleanValue()).isTrue();
    assertThat(rows.get(0).get("N").isNull()).isTrue();
    assertThat(rows.get(0).get("NESTED").textValue()).isEqualTo("{\"a\":\"\\b\"}");
    assertThat(rows.get(0).get("CONTROLS").textValue()).isEqualTo("\u0001\n\u007F/");
    assertThat(rows.get(0).get("TEXT").textValue()).isEqualTo("1");
  }

  @Test
  void jsonOfNoRowsIsValid() throws Exception {
    Outcome outcome =
        Outcome.onCalcite("--outputformat=json", "-e", "select * from (values 1) where false");

    assertThat(new ObjectMapper().readTree(outcome.out()).get("resultset")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"xmlattrs", "xmlattr", "xmlelements"})
  void xmlIsWellFormed(String format) throws Exception {
    Outcome outcome =
        Outcome.onCalcite(
            "--outputformat=" + format,
            "-e",
            "select 1 + 1, 'a<b>&\"c\"' as \"2 x\", U&'\\0001' as y, cast(null as integer) as z,"
                + " 3 as \"y\" from (values 1)");
    Document document =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new ByteArrayInputStream(outcome.out().getBytes(StandardCharsets.UTF_8)));

    assertThat(outcome.out())
        .contains("EXPR_0")
        .contains("_2_x")
        .contains("\uFFFD")
        .doesNotContain("Z");
    assertThat(document.getElementsByTagName("result").getLength()).isEqualTo(1);
  }

  @Test
  void aTableShowsNullAndKeepsARowOnItsLine() {
    Outcome outcome =
        Outcome.onCalcite(
            "-e",
            "select cast(null as varchar) as a, '' as b, cast(null as integer) as c,"
                + " U&'x\\000A\\001B[31m' as d from (values 1)");

    assertThat(outcome.out())
        .isEqualTo(
            """
            +------+---+------+---------------+
            |  A   | B |  C   |       D       |
            +------+---+------+---------------+
            | null |   | null | x\\n\\u001b[31m |
            +------+---+------+---------------+
            """);
  }

  @Test
  void aTableIsNotCutWithoutATerminal() {
    String wide = "x".repeat(5000);

    assertThat(Outcome.onCalcite("-e", "values '" + wide + "'").out()).contains("| " + wide + " |");
    assertThat(Outcome.onCalcite("--maxWidth=20", "-e", "values '" + wide + "'").out().lines())
        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(20));
  }

  @Test
  void verticalAndAnsiconsoleShowEveryColumn() {
    String sql = "select 1 as a, cast(null as varchar) as b from (values 1)";

    assertThat(Outcome.onCalcite("--outputformat=vertical", "-e", sql).out())
        .isEqualTo("A  1\nB  null\n\n");
    assertThat(Outcome.onCalcite("--outputformat=ansiconsole", "-e", sql).out().lines())
        .map(String::strip)
        .containsExactly("A B", "1 null");
  }

  @Test
  void resultsLargerThanTheBufferAreWhole() {
    String ten = "(values 0,1,2,3,4,5,6,7,8,9)";
    Outcome outcome =
        Outcome.onCalcite(
            "--outputformat=csv",
            "--showheader=false",
            "-e",
            "select 1000 * a.x + 100 * b.x + 10 * c.x + d.x from %s a(x), %s b(x), %s c(x), %s d(x)"
                .formatted(ten, ten, ten, ten));

    assertThat(outcome.out().lines().distinct()).hasSize(10_000);
  }
}
