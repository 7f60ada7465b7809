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
package io.statesql.sqljob;

import static io.statesql.sqljob.Events.event;
import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.types.Row;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A GROUP BY of Flink SQL goes on from what SQL made of its accumulators. */
@Tag("proof")
class GroupAggregateJobTest {
  private static final String TOTALS =
      "SELECT name, region, COUNT(*), SUM(amount), MAX(amount), COUNT(DISTINCT num) FROM events"
          + " GROUP BY name, region";

  private static final String COUNTS =
      "SELECT name, num, price, amount, seen, fine, flag, COUNT(*) FROM events"
          + " GROUP BY name, num, price, amount, seen, fine, flag";

  private static final int KEY_COLUMNS = 7;
  private static final int NULL_PATTERNS = 1 << KEY_COLUMNS;

  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource
  void goesOnFromEditedAccumulators(JobForm form) throws Exception {
    goesOnFromEditedAccumulators(form, Map.of());
  }

  /** Whose accumulators are updated by a bundle of events at a time, and expire. */
  @ParameterizedTest
  @EnumSource(names = {"HEAP_CANONICAL", "ROCKSDB_NATIVE"})
  void goesOnFromEditedAccumulatorsOfBundles(JobForm form) throws Exception {
    goesOnFromEditedAccumulators(
        form,
        Map.of(
            "table.exec.mini-batch.enabled", "true",
            "table.exec.mini-batch.allow-latency", "50 ms",
            "table.exec.mini-batch.size", "100",
            "table.exec.state.ttl", "1 d"));
  }

  private void goesOnFromEditedAccumulators(JobForm form, Map<String, String> options)
      throws Exception {
    Path savepoint;
    List<String> computed;
    try (SqlJob job = SqlJob.start(TOTALS, options, form.backend, form.before, null)) {
      for (long i = 0; i < 12; i++) {
        job.send(event("user-" + i, i % 3 == 0 ? null : "region", i, i + ".5"));
        job.send(event("user-" + i, i % 3 == 0 ? null : "region", i % 2 == 0 ? i : null, "2.25"));
      }
      savepoint = job.stop(form.format, folder);
      computed = job.result();
    }
    Path edited;
    try (JobState state = JobState.of(savepoint)) {
      assertThat(state.rows("SELECT state_key_f0, state_key_f1, f0, f1, f2, f3 FROM {accState}"))
          .hasSize(12)
          .containsExactlyInAnyOrderElementsOf(computed);
      state.change(1, "UPDATE {accState} SET f0 = 100, f1 = 1000.5 WHERE state_key_f0 = 'user-1'");
      state.change(1, "UPDATE {accState} SET f2 = NULL WHERE state_key_f0 = 'user-3'");
      for (String name : List.of("accState", "distinctAcc_0")) {
        state.change(1, "DELETE FROM {" + name + "} WHERE state_key_f0 = 'user-2'");
      }
      state.change(
          2,
          "INSERT INTO {accState} (state_key_f0, state_key_f1, f0, f1, f2, f3)"
              + " VALUES ('a new user', 'region', 7, 70.25, 50, 2), ('new', NULL, 1, NULL, NULL, 1)");
      state.change(
          3,
          "INSERT INTO {distinctAcc_0} (state_key_f0, state_key_f1, map_key, map_value)"
              + " VALUES ('a new user', 'region', 1, 1), ('a new user', 'region', 2, 1),"
              + " ('new', NULL, 5, 1)");
      edited = state.commit();
    }
    try (SqlJob job = SqlJob.start(TOTALS, options, form.backend, form.after, edited)) {
      job.send(
          event("user-1", "region", 1L, "1"),
          event("user-2", "region", 2L, "1"),
          event("user-3", null, 77L, "1"),
          event("user-4", "region", 4L, "1"),
          event("a new user", "region", 2L, "1"),
          event("new", null, 6L, "1"));
      job.stop(form.format, folder);
      assertThat(job.changes())
          .containsExactlyInAnyOrder(
              "-U[user-1, region, 100, 1000.50000, 2.25000, 1]",
              "+U[user-1, region, 101, 1001.50000, 2.25000, 1]",
              "+I[user-2, region, 1, 1.00000, 1.00000, 1]",
              "-U[user-3, null, 2, 5.75000, null, 1]",
              "+U[user-3, null, 3, 6.75000, 1.00000, 2]",
              "-U[user-4, region, 2, 6.75000, 4.50000, 1]",
              "+U[user-4, region, 3, 7.75000, 4.50000, 1]",
              "-U[a new user, region, 7, 70.25000, 50.00000, 2]",
              "+U[a new user, region, 8, 71.25000, 50.00000, 2]",
              "-U[new, null, 1, null, null, 1]",
              "+U[new, null, 2, 1.00000, 1.00000, 2]");
    }
  }

  /** Keys of seven types, with each set of them NULL: half of them the job made, half SQL. */
  @ParameterizedTest
  @EnumSource
  void findsNewKeysOfEachType(JobForm form) throws Exception {
    List<String> counted = new ArrayList<>();
    Path savepoint;
    try (SqlJob job = SqlJob.start(COUNTS, Map.of(), form.backend, form.before, null)) {
      for (int nulls = 0; nulls < NULL_PATTERNS; nulls += 2) {
        job.send(Key.of(nulls).event());
        counted.add(Key.of(nulls).text() + ", 1");
      }
      savepoint = job.stop(form.format, folder);
      assertThat(job.result()).containsExactlyInAnyOrderElementsOf(counted);
    }
    Path edited;
    try (JobState state = JobState.of(savepoint)) {
      List<String> stored = new ArrayList<>();
      List<String> added = new ArrayList<>();
      for (int nulls = 0; nulls < NULL_PATTERNS; nulls += 2) {
        stored.add(Key.of(nulls).shown() + ", 1");
        added.add("(" + Key.of(nulls + 1).literals() + ", " + (1001 + nulls) + ")");
      }
      String columns =
          "state_key_f0, state_key_f1, state_key_f2, state_key_f3, state_key_f4, state_key_f5,"
              + " state_key_f5_nanos, state_key_f6, f0";
      assertThat(state.rows("SELECT " + columns + " FROM {accState}"))
          .containsExactlyInAnyOrderElementsOf(stored);
      state.change(
          added.size(),
          "INSERT INTO {accState} (" + columns + ") VALUES " + String.join(", ", added));
      edited = state.commit();
    }
    try (SqlJob job = SqlJob.start(COUNTS, Map.of(), form.backend, form.after, edited)) {
      List<String> changes = new ArrayList<>();
      for (int nulls = 0; nulls < NULL_PATTERNS; nulls++) {
        Key key = Key.of(nulls);
        job.send(key.event());
        int count = nulls % 2 == 0 ? 1 : 1000 + nulls;
        changes.add("-U[" + key.text() + ", " + count + "]");
        changes.add("+U[" + key.text() + ", " + (count + 1) + "]");
      }
      job.stop(form.format, folder);
      assertThat(job.changes()).containsExactlyInAnyOrderElementsOf(changes);
    }
  }

  /** The columns of a key, of which some are null. */
  private record Key(
      String name,
      Long number,
      BigDecimal price,
      BigDecimal amount,
      LocalDateTime seen,
      LocalDateTime fine,
      Boolean flag) {

    /**
     * A key.
     *
     * @param nulls a bit for each column that is null
     */
    static Key of(int nulls) {
      Object[] values = {
        nulls % 3 == 0 ? "short" : "a longer name",
        -5_000_000_000L,
        new BigDecimal("-12345678.90"),
        new BigDecimal("1234567890123456789012345.67890"),
        LocalDateTime.of(2026, 2, 3, 4, 5, 6, 789_000_000),
        LocalDateTime.of(1969, 2, 3, 4, 5, 6, 789_012_345),
        true
      };
      for (int i = 0; i < KEY_COLUMNS; i++) {
        values[i] = (nulls >> i & 1) == 1 ? null : values[i];
      }
      return new Key(
          (String) values[0],
          (Long) values[1],
          (BigDecimal) values[2],
          (BigDecimal) values[3],
          (LocalDateTime) values[4],
          (LocalDateTime) values[5],
          (Boolean) values[6]);
    }

    Row event() {
      return Row.of(name, "region", number, price, amount, seen, fine, flag, Events.START);
    }

    /** As Flink prints it. */
    String text() {
      return "%s, %s, %s, %s, %s, %s, %s".formatted(name, number, price, amount, seen, fine, flag);
    }

    /** As StateSQL shows it. */
    String shown() {
      return "%s, %s, %s, %s, %s, %s, %s"
          .formatted(
              name,
              number,
              price,
              amount,
              seen == null ? null : "2026-02-03 04:05:06.789",
              fine == null ? "null, null" : "1969-02-03 04:05:06.789, 12345",
              flag);
    }

    String literals() {
      return "%s, %s, %s, %s, %s, %s, %s"
          .formatted(
              name == null ? null : "'" + name + "'",
              number,
              price,
              amount,
              seen == null ? null : "TIMESTAMP '2026-02-03 04:05:06.789'",
              fine == null ? "NULL, NULL" : "TIMESTAMP '1969-02-03 04:05:06.789', 12345",
              flag);
    }
  }
}
