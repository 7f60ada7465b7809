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

import com.google.common.primitives.Bytes;
import com.google.common.primitives.Longs;
import io.statesql.StateSqlAssert;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A key that cannot stand where it stands is an error, and no row. */
class DamagedEntriesTest {
  private static final LongSerializer LONG = LongSerializer.INSTANCE;
  private static final long KEY = 5;
  private static final long FIRST = 100;

  /** A key of another key group, which differs from {@link #KEY} in one bit. */
  private static final long WRONG_KEY = KEY + (1L << 40);

  @TempDir private Path folder;
  private byte[] sound;

  @BeforeEach
  void write() throws Exception {
    TestSnapshot snapshot = TestSnapshot.create();
    snapshot
        .operator("op", LONG)
        .valueState("first", LONG, plus(FIRST))
        .valueState("second", LONG, plus(2 * FIRST))
        .eventTimers(
            "timers", VoidNamespaceSerializer.INSTANCE, VoidNamespace.INSTANCE, plus(3 * FIRST));
    sound = Files.readAllBytes(snapshot.write(folder).resolve("_metadata"));
  }

  /** Some keys, each with a number that is so much more. */
  private static Map<Long, Long> plus(long more) {
    return LongStream.range(0, 20)
        .boxed()
        .collect(Collectors.toMap(Function.identity(), key -> key + more));
  }

  /** An entry of the first state: key group, key, namespace, length of the value, value. */
  private static byte[] stored(int keyGroup, long key) {
    return Bytes.concat(
        new byte[] {(byte) keyGroup},
        Longs.toByteArray(key),
        new byte[] {0, 0, 0, 0, Long.BYTES},
        Longs.toByteArray(KEY + FIRST));
  }

  private static int keyGroup(long key) {
    return KeyGroupRangeAssignment.assignToKeyGroup(key, TestSnapshot.MAX_PARALLELISM);
  }

  /** Writes other bytes where some stand. */
  private void replace(byte[] found, byte[] other) throws Exception {
    byte[] damaged = sound.clone();
    int index = Bytes.indexOf(damaged, found);
    assertThat(index).isPositive();
    System.arraycopy(other, 0, damaged, index, other.length);
    Files.write(folder.resolve("_metadata"), damaged);
  }

  /** The first byte of the last entry of a state carries a mark. */
  private byte[] storedEntry() {
    byte[] plain = stored(keyGroup(KEY), KEY);
    return Bytes.indexOf(sound, plain) > 0 ? plain : stored(keyGroup(KEY) | 0x80, KEY);
  }

  @Test
  void aKeyInAWrongKeyGroupIsAnErrorWhereItIsShown() throws Exception {
    assertThat(keyGroup(WRONG_KEY)).isNotEqualTo(keyGroup(KEY));
    byte[] entry = storedEntry();
    replace(entry, stored(entry[0], WRONG_KEY));

    try (Connection connection = QueryResult.connect(folder)) {
      StateSqlAssert sql = StateSqlAssert.on(connection);
      sql.sql("SELECT * FROM op.\"first\"")
          .throwsSql("XX001", "state \"first\"", "_metadata", "a key of key group");
      sql.sql("SELECT * FROM op.\"first\" WHERE state_key > 1000000").throwsSql("XX001");
      sql.sql("SELECT * FROM op.\"first\" WHERE state_key = " + WRONG_KEY).returns();
      // It is one row of its own table, whatever its key, but one key too many of the operator.
      sql.sql("SELECT COUNT(*) FROM op.\"first\"").returns("20");
      sql.sql("SELECT COUNT(*) FROM op.keyed_state").throwsSql("XX001", "a key of key group");
      sql.sql("SELECT \"second\" FROM op.keyed_state").throwsSql("XX001", "a key of key group");
      sql.sql("SELECT COUNT(state_key) FROM op.\"second\"").returns("20");
    }
  }

  @Test
  void aCountFailsWhereEntriesAreOfAnotherKeyGroup() throws Exception {
    byte[] entry = storedEntry();
    replace(entry, stored(entry[0] ^ 1, KEY));

    try (Connection connection = QueryResult.connect(folder)) {
      StateSqlAssert sql = StateSqlAssert.on(connection);
      sql.sql("SELECT * FROM op.\"first\"").throwsSql("XX001", "an entry of key group");
      sql.sql("SELECT COUNT(*) FROM op.\"first\"").throwsSql("XX001", "an entry of key group");
    }
  }

  @Test
  void aTimerOfAKeyInAWrongKeyGroupIsAnError() throws Exception {
    // A timer is its key group, its time with another sign, its key and its namespace.
    byte[] time = Longs.toByteArray((KEY + 3 * FIRST) ^ Long.MIN_VALUE);
    byte[] timer = Bytes.concat(time, Longs.toByteArray(KEY));
    replace(timer, Bytes.concat(time, Longs.toByteArray(WRONG_KEY)));

    try (Connection connection = QueryResult.connect(folder)) {
      StateSqlAssert.on(connection)
          .sql("SELECT state_key, timer_timestamp FROM op.timers")
          .throwsSql("XX001", "_timer_state/event_timers", "a key of key group");
    }
  }
}
