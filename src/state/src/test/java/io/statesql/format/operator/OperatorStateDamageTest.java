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
package io.statesql.format.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.primitives.ImmutableLongArray;
import io.statesql.StateSqlException;
import io.statesql.format.model.ColumnSource;
import io.statesql.format.model.OperatorExtents;
import io.statesql.format.model.OperatorSplit;
import io.statesql.format.model.OperatorStateMeta;
import io.statesql.format.model.RowCursor;
import io.statesql.format.rows.OperatorRows;
import io.statesql.format.split.OperatorSplits;
import io.statesql.snapshot.Bytes;
import io.statesql.snapshot.OperatorState;
import io.statesql.snapshot.OperatorStateHandle;
import io.statesql.snapshot.OperatorStateHandle.NamedState;
import io.statesql.snapshot.Snapshot;
import io.statesql.snapshot.StreamHandle;
import io.statesql.snapshot.SubtaskState;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Damaged operator state gives an error or rows, and whatever can be noticed is an error. */
class OperatorStateDamageTest {
  private static final List<ColumnSource> ALL =
      List.of(
          ColumnSource.Derived.SUBTASK,
          ColumnSource.Derived.LIST_INDEX,
          new ColumnSource.Whole(ColumnSource.Part.MAP_KEY),
          new ColumnSource.Whole(ColumnSource.Part.VALUE));

  @TempDir Path folder;

  private Snapshot snapshot;
  private OperatorState operator;
  private OperatorStateHandle handle;
  private byte[] file;

  private void write(boolean compressed) throws Exception {
    new OperatorStateWriter(compressed)
        .add(
            store -> {
              store
                  .getListState(new ListStateDescriptor<>("texts", Types.STRING))
                  .addAll(List.of("one", "", "another text", "x".repeat(40)));
              store
                  .getUnionListState(
                      new ListStateDescriptor<>("pairs", Types.TUPLE(Types.INT, Types.STRING)))
                  .addAll(List.of(Tuple2.of(1, "one"), Tuple2.of(2, "two")));
              store.getListState(new ListStateDescriptor<>("nothing", Types.LONG));
              store
                  .getBroadcastState(new MapStateDescriptor<>("rules", Types.STRING, Types.LONG))
                  .putAll(Map.of("a", 1L, "b", 2L));
            })
        .write(folder);
    snapshot = Snapshot.open(folder.toString());
    operator = snapshot.metadata().operators().get(0);
    handle = operator.subtasks().get(0).managedOperatorState();
    file = ((StreamHandle.ByteStream) handle.delegate()).data().toByteArray();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void soundStateIsRead(boolean compressed) throws Exception {
    write(compressed);

    assertThat(read(handle.states(), file)).hasSize(8);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void everyTruncationIsAnError(boolean compressed) throws Exception {
    write(compressed);

    for (int length = 0; length < file.length; length++) {
      byte[] truncated = Arrays.copyOf(file, length);
      assertThatThrownBy(() -> read(handle.states(), truncated))
          .as("%d of %d bytes", length, file.length)
          .isInstanceOf(StateSqlException.class);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void everyWrongOffsetIsAnError(boolean compressed) throws Exception {
    write(compressed);

    int tried = 0;
    for (int state = 0; state < handle.states().size(); state++) {
      ImmutableLongArray offsets = handle.states().get(state).offsets();
      for (int i = 0; i < offsets.length(); i++) {
        for (long wrong : wrongOffsets(offsets.get(i))) {
          List<NamedState> states = withOffset(state, i, wrong);
          assertThatThrownBy(() -> read(states, file))
              .as("offset %d of %s as %d", i, handle.states().get(state).name(), wrong)
              .isInstanceOf(StateSqlException.class);
          tried++;
        }
      }
    }
    assertThat(tried).isEqualTo(7 * 9);
  }

  private long[] wrongOffsets(long offset) {
    return new long[] {
      offset + 1,
      offset - 1,
      offset + 4,
      offset - 4,
      0,
      -1,
      file.length + 1L,
      Long.MAX_VALUE,
      Long.MIN_VALUE
    };
  }

  private List<NamedState> withOffset(int state, int index, long offset) {
    List<NamedState> states = new ArrayList<>(handle.states());
    NamedState old = states.get(state);
    long[] offsets = old.offsets().toArray();
    offsets[index] = offset;
    states.set(state, new NamedState(old.name(), old.mode(), ImmutableLongArray.copyOf(offsets)));
    return states;
  }

  @Test
  void flippedBitOfTheHeaderIsAnErrorOrRows() throws Exception {
    write(false);

    int start = (int) OperatorExtents.start(handle, file.length);
    // One bit of each byte: a class name that is not known makes the reader try lengths.
    assertThat(flip(0, start, 9)).isGreaterThan(start / 2);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void everyFlippedBitOfTheElementsIsAnErrorOrRows(boolean compressed) throws Exception {
    write(compressed);

    int start = (int) OperatorExtents.start(handle, file.length);
    assertThat(flip(start, file.length, 1)).isGreaterThan(file.length - start);
  }

  /** Flips bits from one byte to another; counts those that are errors. */
  private int flip(int fromByte, int toByte, int step) {
    List<String> sound = read(handle.states(), file);
    int errors = 0;
    for (int bit = fromByte * Byte.SIZE; bit < toByte * Byte.SIZE; bit += step) {
      byte[] flipped = file.clone();
      flipped[bit / Byte.SIZE] ^= (byte) (1 << (bit % Byte.SIZE));
      List<String> rows = null;
      try {
        rows = read(handle.states(), flipped);
      } catch (StateSqlException e) {
        assertThat(e).hasMessageContaining("Operator \"operator-uid\", subtask 0");
        errors++;
      }
      if (split(handle.states(), file).header().compressed()) {
        // Two compressed forms may have one meaning, and the checksum is of the meaning.
        assertThat(rows).as("bit %d, behind a checksum", bit).isIn(null, sound);
      }
    }
    return errors;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void offsetsOfAnUnknownStateAreAnError(boolean compressed) throws Exception {
    write(compressed);
    List<NamedState> states = new ArrayList<>(handle.states());
    states.add(
        new NamedState(
            "unknown", OperatorStateHandle.Mode.UNION, ImmutableLongArray.of(file.length)));

    assertThatThrownBy(() -> read(states, file))
        .isInstanceOf(StateSqlException.class)
        .hasMessageContaining("offsets of state unknown, which the header does not have");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void valuesThatAreNotUsedAreNotRead(boolean compressed) throws Exception {
    write(compressed);
    byte[] damaged = file.clone();
    int start = (int) OperatorExtents.start(handle, file.length);
    Arrays.fill(damaged, start, damaged.length, (byte) 0xFF);
    OperatorSplit split = split(handle.states(), damaged);
    OperatorStateMeta texts = split.header().state("texts").orElseThrow();

    assertThat(rows(split, texts, ALL.subList(0, 2)))
        .containsExactly("[0, 0]", "[0, 1]", "[0, 2]", "[0, 3]");
    assertThatThrownBy(() -> rows(split, texts, ALL)).isInstanceOf(StateSqlException.class);
  }

  private List<String> read(List<NamedState> states, byte[] bytes) {
    OperatorSplit split = split(states, bytes);
    List<String> rows = new ArrayList<>();
    for (OperatorStateMeta state : split.header().states()) {
      rows.addAll(rows(split, state, ALL));
    }
    return rows;
  }

  private OperatorSplit split(List<NamedState> states, byte[] bytes) {
    SubtaskState subtask =
        new SubtaskState(
            0,
            false,
            new OperatorStateHandle(
                states, null, new StreamHandle.ByteStream("damaged", Bytes.copyOf(bytes))),
            null,
            null,
            null,
            List.of(),
            List.of());
    OperatorState damaged =
        new OperatorState(
            operator.id(),
            operator.name(),
            operator.uid(),
            operator.parallelism(),
            operator.maxParallelism(),
            null,
            false,
            List.of(subtask));
    return OperatorSplits.of(snapshot, damaged).get(0);
  }

  private List<String> rows(
      OperatorSplit split, OperatorStateMeta state, List<ColumnSource> columns) {
    List<String> rows = new ArrayList<>();
    try (RowCursor cursor = OperatorRows.open(snapshot, split, state, columns)) {
      while (cursor.next()) {
        rows.add(Arrays.deepToString(cursor.row()));
      }
    }
    return rows;
  }
}
