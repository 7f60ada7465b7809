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

import io.statesql.StateSqlAssert;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An operator of several subtasks is one schema, whatever each of them knows. */
class SubtasksTest {
  private static final StringSerializer TEXT = StringSerializer.INSTANCE;
  private static final LongSerializer LONG = LongSerializer.INSTANCE;
  private static final KeyGroupRange LOWER = KeyGroupRange.of(0, 63);
  private static final KeyGroupRange UPPER = KeyGroupRange.of(64, 127);

  @TempDir private Path folder;

  /** A job may register a state with its first element, which only some subtasks have had. */
  @Test
  void tablesAreTheUnionOfWhatTheSubtasksKnow() throws Exception {
    String low = keyIn(LOWER);
    String high = keyIn(UPPER);
    TestSnapshot snapshot = TestSnapshot.create();
    snapshot
        .subtask("op", TEXT, LOWER)
        .valueState("both", LONG, Map.of(low, 1L))
        .valueState("lower", LONG, Map.of(low, 2L));
    snapshot
        .subtask("op", TEXT, UPPER)
        .listState("upper", LONG, Map.of(high, List.of(3L, 4L)))
        .valueState("both", LONG, Map.of(high, 5L));
    snapshot.write(folder);

    try (Connection connection = QueryResult.connect(folder)) {
      StateSqlAssert sql = StateSqlAssert.on(connection);
      sql.sql("SELECT state_name, state_kind, table_name, reason FROM states ORDER BY 1")
          .returns(
              "both, VALUE, both, null", "lower, VALUE, lower, null", "upper, LIST, upper, null");
      sql.sql("SELECT state_key, state_value FROM op.\"both\"")
          .returnsUnordered(low + ", 1", high + ", 5");
      sql.sql("SELECT state_key, state_value FROM op.\"lower\"").returns(low + ", 2");
      sql.sql("SELECT state_key, list_index, list_value FROM op.\"upper\"")
          .returns(high + ", 0, 3", high + ", 1, 4");
      sql.sql("SELECT state_key, \"both\", \"lower\", \"upper\" FROM op.keyed_state")
          .returnsUnordered(low + ", 1, 2, null", high + ", 5, null, [3, 4]");
      sql.sql("SELECT subtask_count, parallelism FROM operators").returns("2, 2");
      sql.sql("SELECT subtask, key_group_start, key_group_end FROM state_files ORDER BY 1")
          .returns("0, 0, 63", "1, 64, 127");
      sql.sql("SELECT state_key FROM op.\"lower\" WHERE state_key = '" + high + "'").returns();
    }
  }

  /** Whose fault it is cannot be known; that no key and no column goes missing can. */
  @Test
  void whatSubtasksStoreAsTwoTypesIsAnErrorWhereItIsAskedFor() throws Exception {
    String low = keyIn(LOWER);
    String high = keyIn(UPPER);
    TestSnapshot snapshot = TestSnapshot.create();
    snapshot
        .subtask("op", TEXT, LOWER)
        .valueState("amount", LONG, Map.of(low, 1L))
        .valueState("other", LONG, Map.of(low, 2L));
    snapshot.subtask("op", TEXT, UPPER).valueState("amount", TEXT, Map.of(high, "one"));
    snapshot.write(folder);

    try (Connection connection = QueryResult.connect(folder)) {
      StateSqlAssert sql = StateSqlAssert.on(connection);
      sql.sql("SELECT state_key, \"other\" FROM op.keyed_state")
          .returnsUnordered(low + ", 2", high + ", null");
      sql.sql("SELECT COUNT(*) FROM op.keyed_state").returns("2");
      sql.sql("SELECT * FROM op.keyed_state")
          .throwsSql("58S02", "\"amount\"", "subtask 0 in", "BIGINT", "subtask 1 in", "_metadata");
      sql.sql("SELECT * FROM op.\"amount\"")
          .throwsSql("58S02", "\"amount\"", "subtask 0 in", "BIGINT", "subtask 1 in", "VARCHAR");
      sql.sql("SELECT state_name, table_name FROM states ORDER BY 1")
          .returns("amount, null", "other, other");
    }
  }

  /** Keys cannot be told where a state is a value here and a map there. */
  @Test
  void aStateOfTwoKindsIsAnErrorOfAllTablesThatItIsIn() throws Exception {
    TestSnapshot snapshot = TestSnapshot.create();
    snapshot
        .subtask("op", TEXT, LOWER)
        .valueState("amount", LONG, Map.of(keyIn(LOWER), 1L))
        .valueState("other", LONG, Map.of(keyIn(LOWER), 2L));
    snapshot
        .subtask("op", TEXT, UPPER)
        .listState("amount", LONG, Map.of(keyIn(UPPER), List.of(3L)));
    snapshot.write(folder);

    try (Connection connection = QueryResult.connect(folder)) {
      StateSqlAssert sql = StateSqlAssert.on(connection);
      sql.sql("SELECT * FROM op.keyed_state")
          .throwsSql("58S02", "\"amount\"", "VALUE", "LIST", "subtask 0 in", "subtask 1 in");
      sql.sql("SELECT state_value FROM op.\"other\"").returns("2");
    }
  }

  private static String keyIn(KeyGroupRange range) {
    return IntStream.range(0, 1000)
        .mapToObj(i -> "key-" + i)
        .filter(
            k ->
                range.contains(
                    KeyGroupRangeAssignment.assignToKeyGroup(k, TestSnapshot.MAX_PARALLELISM)))
        .findFirst()
        .orElseThrow();
  }
}
