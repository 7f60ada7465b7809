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

import io.statesql.forms.KeyedForms.Form;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.BigDecSerializer;
import org.apache.flink.api.common.typeutils.base.BooleanSerializer;
import org.apache.flink.api.common.typeutils.base.DoubleSerializer;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Random conditions find the same rows whether they decide what is read or are computed for each
 * row of the whole table.
 */
class RandomConditionsTest {
  /** Of each type of keys. */
  private static final int CONDITIONS = 4;

  private static final int MANY_CONDITIONS = 60;
  private static final long SEED = Long.getLong("statesql.seed", 20_261_130);

  @TempDir private Path folder;

  /** Keys of a type, and literals that are compared with them. */
  private record Keys<K>(TypeSerializer<K> serializer, List<K> values, List<String> literals) {}

  private static final Keys<String> TEXTS =
      new Keys<>(
          StringSerializer.INSTANCE,
          Stream.concat(
                  IntStream.range(0, 20).mapToObj(i -> "k" + i),
                  Stream.of("", "k1 ", "K1", "ü", "€"))
              .toList(),
          List.of("'k1'", "'k1 '", "'K1'", "''", "'ü'", "'k7'", "'k70'", "CAST(NULL AS VARCHAR)"));

  private static final Keys<Long> NUMBERS =
      new Keys<>(
          LongSerializer.INSTANCE,
          LongStream.concat(
                  LongStream.range(-5, 20), LongStream.of(Long.MAX_VALUE, Long.MIN_VALUE, 1L << 53))
              .boxed()
              .toList(),
          List.of(
              "3",
              "3.0",
              "3.5",
              "3e0",
              "'4'",
              "-5",
              "9223372036854775807",
              "9223372036854775808",
              "9007199254740993e0",
              "CAST(NULL AS BIGINT)"));

  private static final Keys<Double> DOUBLES =
      new Keys<>(
          DoubleSerializer.INSTANCE,
          List.of(0.0, -0.0, 1.0, 0.5, Double.NaN, Double.POSITIVE_INFINITY, -3.25),
          List.of("0", "0.0", "-0.0e0", "1", "0.5", "5e-1", "-3.25", "CAST(NULL AS DOUBLE)"));

  private static final Keys<BigDecimal> DECIMALS =
      new Keys<>(
          BigDecSerializer.INSTANCE,
          Stream.of("1", "1.0", "1.00", "2.5", "0", "0.000", "-7").map(BigDecimal::new).toList(),
          List.of("1", "1.0", "1.000", "2.50", "0", "-7.0", "1e0", "CAST(NULL AS DECIMAL(5, 2))"));

  private static final Keys<Boolean> BOOLEANS =
      new Keys<>(
          BooleanSerializer.INSTANCE,
          List.of(true, false),
          List.of("TRUE", "FALSE", "CAST(NULL AS BOOLEAN)"));

  @ParameterizedTest
  @EnumSource
  void decideWhatIsReadOnly(Form form) throws Exception {
    checkConditions(form, CONDITIONS, SEED);
  }

  @Tag("proof")
  @ParameterizedTest
  @EnumSource
  void decideWhatIsReadOnlyHoweverManyThereAre(Form form) throws Exception {
    checkConditions(form, MANY_CONDITIONS, SEED + 1);
  }

  private void checkConditions(Form form, int conditions, long seed) throws Exception {
    Random random = new Random(seed + form.name().hashCode());
    int type = 0;
    for (Keys<?> keys : List.of(TEXTS, NUMBERS, DOUBLES, DECIMALS, BOOLEANS)) {
      check(folder.resolve(String.valueOf(type++)), form, keys, conditions, random);
    }
  }

  private static <K> void check(Path folder, Form form, Keys<K> keys, int conditions, Random random)
      throws Exception {
    java.nio.file.Files.createDirectories(folder);
    Path snapshot = KeyedForms.write(folder, form, keys.serializer(), keys.values());
    try (Connection connection =
        DriverManager.getConnection("jdbc:statesql:snapshot=" + snapshot)) {
      for (int i = 0; i < conditions; i++) {
        String name = List.of("total", "parts", "keyed_state").get(random.nextInt(3));
        String condition = condition(random, keys.literals(), name, 2);
        String table = KeyLookupTest.table(connection, name);
        assertThat(rows(connection, "SELECT * FROM " + table + " WHERE " + condition))
            .as("%s: %s where %s (seed %s)", form, name, condition, SEED)
            .containsExactlyInAnyOrderElementsOf(
                matching(
                    connection, "SELECT (" + condition + ") IS TRUE, t.* FROM " + table + " t"));
      }
    }
  }

  /**
   * A list that no key is in but for one literal finds what the literal alone finds: each literal
   * in one of the forms.
   */
  @ParameterizedTest
  @EnumSource
  void findTheSameInALongList(Form form) throws Exception {
    List<Form> forms = List.of(Form.values());
    checkLongLists(form, literal -> forms.get(literal % forms.size()) == form);
  }

  @Tag("proof")
  @ParameterizedTest
  @EnumSource
  void findTheSameInALongListInEachForm(Form form) throws Exception {
    checkLongLists(form, literal -> true);
  }

  private void checkLongLists(Form form, IntPredicate wanted) throws Exception {
    int type = 0;
    for (Keys<?> keys : List.of(TEXTS, NUMBERS, DOUBLES, DECIMALS)) {
      Path ofType = folder.resolve(String.valueOf(type++));
      java.nio.file.Files.createDirectories(ofType);
      List<String> literals =
          IntStream.range(0, keys.literals().size())
              .filter(wanted)
              .mapToObj(keys.literals()::get)
              .toList();
      checkLongLists(ofType, form, keys, literals, keys.equals(TEXTS) ? "'z%d'" : "%d");
    }
  }

  private static <K> void checkLongLists(
      Path folder, Form form, Keys<K> keys, List<String> literals, String other) throws Exception {
    Path snapshot = KeyedForms.write(folder, form, keys.serializer(), keys.values());
    String others =
        IntStream.range(1000, 1030)
            .mapToObj(other::formatted)
            .collect(java.util.stream.Collectors.joining(", "));
    try (Connection connection =
        DriverManager.getConnection("jdbc:statesql:snapshot=" + snapshot)) {
      String query =
          "SELECT * FROM " + KeyLookupTest.table(connection, "total") + " WHERE state_key";
      for (String literal : literals) {
        for (String in : List.of(" IN ", " NOT IN ")) {
          assertThat(rows(connection, query + in + "(" + literal + ", " + others + ")"))
              .as("%s: %s%s", form, in, literal)
              .containsExactlyInAnyOrderElementsOf(
                  rows(
                      connection, query + in + "(" + literal + ", " + other.formatted(1000) + ")"));
        }
      }
    }
  }

  private static String condition(Random random, List<String> literals, String table, int depth) {
    if (depth > 0) {
      String left = condition(random, literals, table, depth - 1);
      String right = condition(random, literals, table, depth - 1);
      return switch (random.nextInt(5)) {
        case 0 -> left;
        case 1 -> "NOT (" + left + ")";
        case 2 -> "(" + left + " AND " + right + ")";
        default -> "(" + left + " OR " + right + ")";
      };
    }
    return switch (random.nextInt(table.equals("parts") ? 8 : 7)) {
      case 0, 1 -> "state_key = " + one(random, literals);
      case 2 -> "state_key IN (" + one(random, literals) + ", " + one(random, literals) + ")";
      case 3 -> one(random, literals) + " <> state_key";
      case 4 -> "state_key IS NOT NULL";
      case 5 -> "key_group = " + random.nextInt(10);
      case 6 -> "key_group " + (random.nextBoolean() ? ">= " : "< ") + random.nextInt(9);
      default -> "map_key IN ('part-" + random.nextInt(4) + "', 'part-0')";
    };
  }

  private static String one(Random random, List<String> literals) {
    return literals.get(random.nextInt(literals.size()));
  }

  private static List<String> rows(Connection connection, String sql) throws SQLException {
    return read(connection, sql, 1);
  }

  /** The rows whose first column is true, without it. */
  private static List<String> matching(Connection connection, String sql) throws SQLException {
    return read(connection, sql, 2);
  }

  private static List<String> read(Connection connection, String sql, int from)
      throws SQLException {
    List<String> rows = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet results = statement.executeQuery(sql)) {
      int columns = results.getMetaData().getColumnCount();
      while (results.next()) {
        if (from == 1 || results.getBoolean(1)) {
          List<String> row = new ArrayList<>();
          for (int i = from; i <= columns; i++) {
            row.add(String.valueOf(results.getObject(i)));
          }
          rows.add(row.toString());
        }
      }
    }
    return rows;
  }
}
