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

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.apache.flink.types.Row;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Windows of Flink SQL that were open in a savepoint close with what SQL made of them. */
@Tag("proof")
class WindowJobTest {
  private static final String TUMBLE =
      "SELECT name, window_end, COUNT(*), SUM(amount), COUNT(DISTINCT num) FROM"
          + " TABLE(TUMBLE(TABLE events, DESCRIPTOR(`at`), INTERVAL '1' MINUTE))"
          + " GROUP BY name, window_start, window_end";

  private static final String SESSION =
      "SELECT name, SESSION_START(`at`, INTERVAL '1' MINUTE), COUNT(*), SUM(amount) FROM events"
          + " GROUP BY name, SESSION(`at`, INTERVAL '1' MINUTE)";

  private static final String MATCH =
      "SELECT name, first_at, last_amount FROM events MATCH_RECOGNIZE (PARTITION BY name ORDER BY"
          + " `at` MEASURES a.`at` AS first_at, b.amount AS last_amount ONE ROW PER MATCH"
          + " PATTERN (a b) DEFINE a AS a.num = 1, b AS b.num = 2)";

  /** Of the first minute. */
  private static final long WINDOW_END = 1_767_225_660_000L;

  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource
  void closesEditedWindows(JobForm form) throws Exception {
    Path savepoint;
    try (SqlJob job = SqlJob.start(TUMBLE, Map.of(), form.backend, form.before, null)) {
      job.send(event("a", 1, 10), event("a", 2, 20), event("b", 1, 30), event("c", 1, 40));
      savepoint = job.stop(form.format, folder);
      assertThat(job.changes()).isEmpty();
    }
    Path edited;
    try (JobState state = JobState.of(savepoint)) {
      assertThat(state.rows("SELECT state_key_f0, namespace, f0, f1, f2 FROM {window-aggs}"))
          .containsExactlyInAnyOrder(
              "a, 1767225660000, 2, 3.00000, 2",
              "b, 1767225660000, 1, 1.00000, 1",
              "c, 1767225660000, 1, 1.00000, 1");
      state.change(1, "UPDATE {window-aggs} SET f0 = 50, f1 = 5.5 WHERE state_key_f0 = 'a'");
      state.change(1, "DELETE FROM {window-aggs} WHERE state_key_f0 = 'b'");
      state.change(1, "DELETE FROM {distinctAcc_0} WHERE state_key_f0 = 'b'");
      state.change(1, "DELETE FROM {_timer_state/event_window-timers} WHERE state_key_f0 = 'b'");
      state.change(
          1,
          "INSERT INTO {window-aggs} (state_key_f0, namespace, f0, f1, f2) VALUES ('new', "
              + WINDOW_END
              + ", 3, 33.25, 1)");
      state.change(
          1,
          "INSERT INTO {distinctAcc_0} (state_key_f0, namespace, map_key, map_value)"
              + " VALUES ('new', "
              + WINDOW_END
              + ", 1, 1)");
      state.change(
          1,
          "INSERT INTO {_timer_state/event_window-timers}"
              + " (state_key_f0, namespace, time_domain, timer_timestamp, timer_service)"
              + " VALUES ('new', "
              + WINDOW_END
              + ", 'EVENT', "
              + (WINDOW_END - 1)
              + ", 'window-timers')");
      edited = state.commit();
    }
    try (SqlJob job = SqlJob.start(TUMBLE, Map.of(), form.backend, form.after, edited)) {
      job.send(event("a", 1, 50), event("late", 1, 200));
      job.awaitChanges(3);
      job.stop(form.format, folder);
      assertThat(job.changes())
          .containsExactlyInAnyOrder(
              "+I[a, 2026-01-01T00:01, 51, 6.50000, 2]",
              "+I[c, 2026-01-01T00:01, 1, 1.00000, 1]",
              "+I[new, 2026-01-01T00:01, 3, 33.25000, 1]");
    }
  }

  /** Whose windows merge: each key has a map of them, too. */
  @ParameterizedTest
  @EnumSource(names = {"HEAP_CANONICAL", "ROCKSDB_NATIVE"})
  void closesEditedSessions(JobForm form) throws Exception {
    Path savepoint;
    try (SqlJob job = SqlJob.start(SESSION, Map.of(), form.backend, form.before, null)) {
      job.send(event("a", 1, 10), event("b", 1, 20), event("b", 2, 30));
      savepoint = job.stop(form.format, folder);
    }
    Path edited;
    try (JobState state = JobState.of(savepoint)) {
      assertThat(state.rows("SELECT state_key_f0, window_start, f0, f1 FROM {window-aggs}"))
          .containsExactlyInAnyOrder(
              "a, 2026-01-01 00:00:10.000, 1, 1.00000", "b, 2026-01-01 00:00:20.000, 2, 3.00000");
      assertThat(
              state.rows(
                  "SELECT state_key_f0, map_key_end - \"end\" FROM {session-window-mapping}"))
          .containsExactlyInAnyOrder("a, 0", "b, 10000");
      state.change(1, "UPDATE {window-aggs} SET f1 = 7 WHERE state_key_f0 = 'b'");
      edited = state.commit();
    }
    try (SqlJob job = SqlJob.start(SESSION, Map.of(), form.backend, form.after, edited)) {
      job.send(event("b", 1, 60), event("late", 1, 500));
      job.awaitChanges(2);
      job.stop(form.format, folder);
      assertThat(job.changes())
          .containsExactlyInAnyOrder(
              "+I[a, 2026-01-01T00:00:10, 1, 1.00000]", "+I[b, 2026-01-01T00:00:20, 3, 8.00000]");
    }
  }

  /** Matches under way show as bytes, events that wait for their time as rows. */
  @ParameterizedTest
  @EnumSource(names = {"HEAP_CANONICAL", "ROCKSDB_NATIVE"})
  void matchesEditedEvents(JobForm form) throws Exception {
    Path savepoint;
    try (SqlJob job = SqlJob.start(MATCH, Map.of(), form.backend, form.before, null)) {
      job.send(event("x", 1, 10), event("x", 2, 18));
      savepoint = job.stop(form.format, folder);
      assertThat(job.changes()).isEmpty();
    }
    Path edited;
    try (JobState state = JobState.of(savepoint)) {
      assertThat(
              state.rows(
                  "SELECT state_name, value_type FROM sys.states"
                      + " WHERE state_name IN ('nfaStateName', 'sharedBuffer-events')"))
          .containsExactlyInAnyOrder(
              "nfaStateName, VARBINARY", "sharedBuffer-events, MAP(VARBINARY, VARBINARY)");
      state.change(
          1,
          "UPDATE {eventQueuesStateName} SET map_value = ARRAY[ROW('x', NULL, 2, NULL, 7.5, NULL,"
              + " NULL, NULL, NULL, TIMESTAMP '2026-01-01 00:00:18', '+I')]");
      edited = state.commit();
    }
    try (SqlJob job = SqlJob.start(MATCH, Map.of(), form.backend, form.after, edited)) {
      job.send(event("late", 1, 500));
      job.awaitChanges(1);
      job.stop(form.format, folder);
      assertThat(job.changes()).containsExactly("+I[x, 2026-01-01T00:00:10, 7.50000]");
    }
  }

  /** An event with an amount, some seconds after the start. */
  private static Row event(String name, long number, long second) {
    return Events.event(name, null, number, number + ".0", second);
  }
}
