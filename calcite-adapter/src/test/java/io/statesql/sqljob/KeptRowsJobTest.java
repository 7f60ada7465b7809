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

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rows that Flink SQL keeps, of a join and of a Top-N, are those that SQL left. */
@Tag("proof")
class KeptRowsJobTest {
  private static final String JOIN =
      "SELECT o.name, o.num, p.amount FROM (SELECT name, num FROM events WHERE region = 'order') o"
          + " JOIN (SELECT name, amount FROM events WHERE region = 'payment') p ON o.name = p.name";

  private static final String LATEST =
      "SELECT name, num, amount FROM (SELECT *, ROW_NUMBER() OVER"
          + " (PARTITION BY name ORDER BY `at` DESC) AS n FROM events) WHERE n = 1";

  private static final String TOP =
      "SELECT name, num, n FROM (SELECT name, num, ROW_NUMBER() OVER"
          + " (PARTITION BY name ORDER BY num DESC) AS n FROM events) WHERE n <= 2";

  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource
  void joinsEditedRows(JobForm form) throws Exception {
    Path savepoint;
    try (SqlJob job = SqlJob.start(JOIN, Map.of(), form.backend, form.before, null)) {
      job.send(
          event("a", "payment", null, "1.5"),
          event("a", "payment", null, "1.5"),
          event("a", "payment", null, "2.5"),
          event("b", "payment", null, "3.5"),
          event("b", "order", 1L, null));
      savepoint = job.stop(form.format, folder);
      assertThat(job.result()).containsExactly("b, 1, 3.50000");
    }
    Path edited;
    try (JobState state = JobState.of(savepoint)) {
      assertThat(
              state.rows(
                  "SELECT state_key_f0, map_key_f0, map_key_f1, map_value FROM {right-records}"))
          .containsExactlyInAnyOrder("a, a, 1.50000, 2", "a, a, 2.50000, 1", "b, b, 3.50000, 1");
      assertThat(state.rows("SELECT map_key_f0, map_key_f1, map_value FROM {left-records}"))
          .containsExactly("b, 1, 1");
      state.change(1, "UPDATE {right-records} SET map_value = 1 WHERE map_key_f1 = 1.5");
      state.change(1, "DELETE FROM {right-records} WHERE map_key_f1 = 2.5");
      state.change(
          2,
          "INSERT INTO {right-records} (state_key_f0, map_key_f0, map_key_f1, map_value)"
              + " VALUES ('a', 'a', 12345678901234567890.5, 1), ('new', 'new', NULL, 2)");
      edited = state.commit();
    }
    try (SqlJob job = SqlJob.start(JOIN, Map.of(), form.backend, form.after, edited)) {
      job.send(
          event("a", "order", 2L, null),
          event("b", "order", 3L, null),
          event("new", "order", 4L, null));
      job.stop(form.format, folder);
      assertThat(job.changes())
          .containsExactlyInAnyOrder(
              "+I[a, 2, 1.50000]",
              "+I[a, 2, 12345678901234567890.50000]",
              "+I[b, 3, 3.50000]",
              "+I[new, 4, null]",
              "+I[new, 4, null]");
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"HEAP_NATIVE", "ROCKSDB_NATIVE"})
  void goesOnFromEditedLastRows(JobForm form) throws Exception {
    Path savepoint;
    try (SqlJob job = SqlJob.start(LATEST, Map.of(), form.backend, form.before, null)) {
      job.send(
          event("a", null, 1L, "1.5"), event("b", null, 2L, "2.5"), event("c", null, 3L, null));
      savepoint = job.stop(form.format, folder);
    }
    Path edited;
    try (JobState state = JobState.of(savepoint)) {
      assertThat(state.rows("SELECT state_key_f0, f0, f1, f2 FROM {deduplicate-state}"))
          .containsExactlyInAnyOrder("a, a, 1, 1.50000", "b, b, 2, 2.50000", "c, c, 3, null");
      state.change(
          1, "UPDATE {deduplicate-state} SET f1 = NULL, f2 = 9.5 WHERE state_key_f0 = 'a'");
      state.change(1, "UPDATE {deduplicate-state} SET f2 = 4.5 WHERE state_key_f0 = 'c'");
      state.change(1, "DELETE FROM {deduplicate-state} WHERE state_key_f0 = 'b'");
      edited = state.commit();
    }
    try (SqlJob job = SqlJob.start(LATEST, Map.of(), form.backend, form.after, edited)) {
      for (String name : new String[] {"a", "b", "c"}) {
        job.send(event(name, null, 10L, "10"));
      }
      job.stop(form.format, folder);
      assertThat(job.changes())
          .containsExactlyInAnyOrder(
              "-U[a, null, 9.50000]",
              "+U[a, 10, 10.00000]",
              "+I[b, 10, 10.00000]",
              "-U[c, 3, 4.50000]",
              "+U[c, 10, 10.00000]");
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"HEAP_CANONICAL", "ROCKSDB_NATIVE"})
  void ranksAmongEditedRows(JobForm form) throws Exception {
    Path savepoint;
    try (SqlJob job = SqlJob.start(TOP, Map.of(), form.backend, form.before, null)) {
      job.send(event("a", null, 10L, null), event("a", null, 20L, null));
      savepoint = job.stop(form.format, folder);
    }
    Path edited;
    try (JobState state = JobState.of(savepoint)) {
      assertThat(
              state.rows(
                  "SELECT state_key_f0, map_key_f0, map_value FROM {data-state-with-append}"))
          .containsExactlyInAnyOrder(
              "a, 10, [{\"f0\":\"a\",\"f1\":10,\"row_kind\":\"+I\"}]",
              "a, 20, [{\"f0\":\"a\",\"f1\":20,\"row_kind\":\"+I\"}]");
      state.change(1, "DELETE FROM {data-state-with-append} WHERE map_key_f0 = 20");
      state.change(
          1,
          "INSERT INTO {data-state-with-append} (state_key_f0, map_key_f0, map_value)"
              + " VALUES ('new', 40, ARRAY[ROW('new', 40, '+I')])");
      edited = state.commit();
    }
    try (SqlJob job = SqlJob.start(TOP, Map.of(), form.backend, form.after, edited)) {
      job.send(event("a", null, 15L, null), event("new", null, 30L, null));
      job.stop(form.format, folder);
      assertThat(job.changes())
          .containsExactlyInAnyOrder(
              "-U[a, 10, 1]", "+U[a, 15, 1]", "+I[a, 10, 2]", "+I[new, 30, 2]");
    }
  }
}
