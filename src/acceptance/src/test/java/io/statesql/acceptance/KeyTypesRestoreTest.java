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
import java.lang.ProcessBuilder.Redirect;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
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
 * Keys of every type that SQL adds, the job finds after a restore at another parallelism: it counts
 * on from the added values, and makes no keys of its own beside them.
 */
@Tag("proof")
class KeyTypesRestoreTest {
  private static final long MILLIS = 1_000_000_007L;
  private static final int FIRST_NEW = 100;
  private static final int END_NEW = 120;
  private static final int OLD = 6;
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
    return keys;
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
  void theJobFindsTheAddedKeys(
      FlinkVersion flink, int maxParallelism, String backend, int before, int after)
      throws Exception {
    List<String> options = List.of("--backend=" + backend, "--max-parallelism=" + maxParallelism);
    Path source = runJob(flink, options, "--parallelism=" + before, "--from=0", "--to=" + OLD);
    addKeys(source);
    Path restored =
        runJob(
            flink,
            options,
            "--parallelism=" + after,
            "--from=" + FIRST_NEW,
            "--to=" + END_NEW,
            "--restore-from=" + source.resolveSibling(source.getFileName() + "-edited-1"));

    int added = END_NEW - FIRST_NEW;
    long sum = 0;
    for (int n = FIRST_NEW; n < END_NEW; n++) {
      sum += 1001 + n;
    }
    try (Connection connection = QueryResult.connect(restored)) {
      for (String type : keys().keySet()) {
        assertThat(
                EditedSample.rows(
                    connection,
                    "SELECT COUNT(*), SUM(state_value), COUNT(*) FILTER (WHERE state_value = 1)"
                        + " FROM \"by-%s\".\"count\"".formatted(type)))
            .as(type)
            .containsExactly((OLD + added) + ", " + (OLD + sum) + ", " + OLD);
      }
      assertThat(
              EditedSample.rows(
                  connection, "SELECT state_key, state_value FROM \"by-boolean\".\"count\""))
          .containsExactlyInAnyOrder("false, " + OLD, "true, " + (1000 + added));
    }
  }

  private static void addKeys(Path source) throws Exception {
    try (Connection connection = QueryResult.connect(source)) {
      connection.setAutoCommit(false);
      for (Map.Entry<String, LongFunction<String>> type : keys().entrySet()) {
        List<String> rows = new ArrayList<>();
        for (int n = FIRST_NEW; n < END_NEW; n++) {
          rows.add("(" + type.getValue().apply(n) + ", " + (1000 + n) + ")");
        }
        insert(connection, type.getKey(), String.join(", ", rows), rows.size());
      }
      insert(connection, "boolean", "(TRUE, 1000)", 1);
      connection.commit();
    }
  }

  private static void insert(Connection connection, String type, String rows, int count)
      throws Exception {
    String sql =
        "INSERT INTO \"by-%s\".\"count\" (%s, state_value) VALUES %s"
            .formatted(type, columns(type), rows);
    try (Statement statement = connection.createStatement()) {
      assertThat(statement.executeUpdate(sql)).as(sql).isEqualTo(count);
    }
  }

  /** Runs the job in a JVM of its own, which alone has its classes; returns its savepoint. */
  private Path runJob(FlinkVersion flink, List<String> options, String... more)
      throws IOException, InterruptedException {
    List<String> command = flink.java("-Xmx2g", "-Duser.timezone=UTC");
    command.add("io.statesql.examples.keys.KeysJob");
    command.add("--target=" + folder);
    command.addAll(options);
    command.addAll(List.of(more));
    Path messages = folder.resolve("job.log");
    Process process =
        new ProcessBuilder(command).redirectError(Redirect.to(messages.toFile())).start();
    String output =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    if (process.waitFor() != 0) {
      throw new IOException("The job failed: " + output + "\n" + Files.readString(messages));
    }
    return Path.of(URI.create(output));
  }
}
