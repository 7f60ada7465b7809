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

import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Keys of every type that SQL adds or updates, the job finds after a restore at another
 * parallelism: it counts on from their values, and makes no keys of its own beside them. Those that
 * SQL deletes, it counts anew.
 */
@Tag("proof")
class KeyTypesRestoreTest {
  private static final long MILLIS = 1_000_000_007L;
  private static final int FIRST_NEW = 100;
  private static final int END_NEW = 120;
  private static final int OLD = 6;

  /** What SQL lets a key have that the job counted. */
  private static final int UPDATED = 500;

  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss");
  private static final DateTimeFormatter TIMESTAMP =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS");

  @TempDir private Path folder;

  /** How SQL writes the key for a number that the job makes of it, by the name of the type. */
  private static Map<String, LongFunction<String>> keys() {
    Map<String, LongFunction<String>> keys = new LinkedHashMap<>();
    keys.put("string", n -> "'key-" + n + "é'");
    keys.put("int", n -> "" + (n * 1_000_003 - 50_000_000));
    keys.put("long", n -> "" + (n * 1_000_000_000_039L - 50_000_000_000_000L));
    keys.put("short", n -> "" + (n * 251 - 16_000));
    keys.put("byte", n -> "" + (n - 100));
    keys.put("float", n -> "" + (n / 4f - 20));
    keys.put("double", n -> "" + (n / 4d - 20));
    keys.put("char", n -> "'" + (char) ('A' + n) + "'");
    keys.put("decimal", n -> BigDecimal.valueOf(n * 10 - 1000, 1).toPlainString());
    keys.put(
        "integer", n -> BigInteger.valueOf(n - 110).multiply(BigInteger.TEN.pow(20)).toString());
    keys.put("date", n -> "DATE '" + LocalDate.of(1969, 10, 1).plusDays(n) + "'");
    keys.put("time", n -> "TIME '" + TIME.format(LocalTime.of(10, 0).plusSeconds(n * 11)) + "'");
    keys.put("timestamp", n -> timestamp(LocalDateTime.of(1969, 12, 31, 23, 0).plusMinutes(n)));
    keys.put("instant", n -> timestamp((n - 110) * MILLIS));
    keys.put("sql-date", n -> timestamp(LocalDate.of(1970, 1, 1).plusDays(n).atStartOfDay()));
    keys.put("sql-time", n -> timestamp(n * 60_000));
    keys.put("sql-timestamp", n -> timestamp((n - 110) * MILLIS));
    keys.put("tuple", n -> "'t" + n + "', " + (n - 110));
    keys.put("row", n -> "'r" + n + "', " + n * MILLIS + ", '+I'");
    keys.put("avro-generic", KeyTypesRestoreTest::sensor);
    keys.put("avro-specific", KeyTypesRestoreTest::sensor);
    return keys;
  }

  private static String sensor(long n) {
    String slot = n % 7 == 3 ? "NULL" : "" + n * MILLIS;
    String kind = List.of("HEAT", "LIGHT", "SOUND").get((int) (n % 3));
    return "'site-" + n + "ß', " + slot + ", '" + kind + "'";
  }

  private static String timestamp(long epochMillis) {
    return timestamp(LocalDateTime.ofInstant(Instant.ofEpochMilli(epochMillis), ZoneOffset.UTC));
  }

  private static String timestamp(LocalDateTime time) {
    return "TIMESTAMP '" + TIMESTAMP.format(time) + "'";
  }

  private static String columns(String type) {
    return switch (type) {
      case "tuple" -> "state_key_f0, state_key_f1";
      case "row" -> "state_key_f0, state_key_f1, state_key_row_kind";
      case "avro-generic", "avro-specific" -> "state_key_site, state_key_slot, state_key_kind";
      default -> "state_key";
    };
  }

  @ParameterizedTest
  @CsvSource({
    "V2_3, 1, hashmap, 1, 1",
    "V2_3, 128, rocksdb, 2, 3",
    "V2_3, 4096, hashmap, 2, 3",
    "V2_3, 32768, rocksdb, 3, 2",
    "V1_20, 128, rocksdb, 3, 2",
  })
  void theJobFindsTheKeys(
      FlinkVersion flink, int maxParallelism, String backend, int before, int after)
      throws Exception {
    List<String> options = List.of("--backend=" + backend, "--max-parallelism=" + maxParallelism);
    Path source = runJob(flink, options, "--parallelism=" + before, "--from=0", "--to=" + OLD);
    edit(source);
    Path restored =
        runJob(
            flink,
            options,
            "--parallelism=" + after,
            "--from=0",
            "--to=" + END_NEW,
            "--restore-from=" + source.resolveSibling(source.getFileName() + "-edited-1"));

    int added = END_NEW - FIRST_NEW;
    long sumOfAdded = 0;
    for (int n = FIRST_NEW; n < END_NEW; n++) {
      sumOfAdded += valueOf(n) + 1;
    }
    int counted = OLD - 2;
    int anew = FIRST_NEW - OLD + 1;
    try (Connection connection = QueryResult.connect(restored)) {
      for (String type : keys().keySet()) {
        String table = "\"by-" + type + "\".\"count\"";
        assertThat(
                EditedSample.rows(
                    connection,
                    "SELECT state_value, COUNT(*) FROM "
                        + table
                        + " WHERE state_value < 1000 GROUP BY state_value ORDER BY 1"))
            .as(type)
            .containsExactly("1, " + anew, "2, " + counted, (UPDATED + 1) + ", 1");
        assertThat(
                EditedSample.rows(
                    connection,
                    "SELECT COUNT(*), SUM(state_value) FROM "
                        + table
                        + " WHERE state_value >= 1000"))
            .as(type)
            .containsExactly(added + ", " + sumOfAdded);
      }
      assertThat(
              EditedSample.rows(
                  connection, "SELECT state_key, state_value FROM \"by-boolean\".\"count\""))
          .containsExactlyInAnyOrder(
              "false, " + (UPDATED + FIRST_NEW), "true, " + (valueOf(0) + added));
    }
  }

  /** What the key of a number has that SQL adds. */
  private static long valueOf(int number) {
    return 1000L + number;
  }

  /** Updates the first key, deletes the second, and adds the new ones, of each type. */
  private static void edit(Path source) throws Exception {
    try (Connection connection = QueryResult.connect(source)) {
      connection.setAutoCommit(false);
      for (Map.Entry<String, LongFunction<String>> type : keys().entrySet()) {
        List<String> rows = new ArrayList<>();
        for (int n = FIRST_NEW; n < END_NEW; n++) {
          rows.add("(" + type.getValue().apply(n) + ", " + valueOf(n) + ")");
        }
        String table = "\"by-" + type.getKey() + "\".\"count\"";
        String columns = columns(type.getKey());
        String where = " WHERE (" + columns + ") IN ((%s))";
        execute(
            connection,
            "UPDATE " + table + " SET state_value = " + UPDATED + where,
            type.getValue().apply(0),
            1);
        execute(connection, "DELETE FROM " + table + where, type.getValue().apply(1), 1);
        execute(
            connection,
            "INSERT INTO " + table + " (" + columns + ", state_value) VALUES %s",
            String.join(", ", rows),
            rows.size());
      }
      execute(connection, "UPDATE \"by-boolean\".\"count\" SET state_value = %s", "" + UPDATED, 1);
      execute(
          connection,
          "INSERT INTO \"by-boolean\".\"count\" (state_key, state_value) VALUES (TRUE, %s)",
          "" + valueOf(0),
          1);
      connection.commit();
    }
  }

  private static void execute(Connection connection, String sql, String values, int count)
      throws Exception {
    try (Statement statement = connection.createStatement()) {
      String text = sql.formatted(values);
      assertThat(statement.executeUpdate(text)).as(text).isEqualTo(count);
    }
  }

  private Path runJob(FlinkVersion flink, List<String> options, String... more)
      throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(options);
    all.add("--target=" + folder);
    all.addAll(List.of(more));
    return JobRun.savepoint(
        flink, "io.statesql.examples.keys.KeysJob", folder.resolve("job.log"), all);
  }
}
