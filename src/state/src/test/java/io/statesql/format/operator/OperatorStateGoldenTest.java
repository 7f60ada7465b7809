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

import com.fasterxml.jackson.databind.JsonNode;
import io.statesql.format.model.ColumnSource;
import io.statesql.format.model.OperatorSplit;
import io.statesql.format.model.OperatorStateMeta;
import io.statesql.format.model.RowCursor;
import io.statesql.format.model.StateKind;
import io.statesql.format.rows.OperatorRows;
import io.statesql.format.split.OperatorSplits;
import io.statesql.golden.GoldenEntry;
import io.statesql.golden.GoldenFile;
import io.statesql.golden.GoldenState;
import io.statesql.snapshot.OperatorState;
import io.statesql.snapshot.Snapshot;
import io.statesql.type.SqlType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What we read of operator state is what Flink restores of it, in every snapshot of its own. */
class OperatorStateGoldenTest {
  private static final Path SNAPSHOTS = Path.of("target", "flink-tests", "2.3.0");

  static List<String> snapshots() throws IOException {
    return GoldenFile.snapshots();
  }

  @ParameterizedTest
  @MethodSource("snapshots")
  void statesAndEntriesAreThoseThatFlinkRestores(String name) throws IOException {
    GoldenFile golden = GoldenFile.of(name);
    Read read = read(name);

    assertThat(read.states)
        .containsExactlyInAnyOrderElementsOf(
            golden.states().stream().filter(state -> isOperatorState(state.kind())).toList());
    List<String> expected =
        golden.entries().stream()
            .filter(entry -> isOperatorState(entry.kind()))
            .map(entry -> line(entry, read.isOpaque(entry.operator(), entry.state())))
            .toList();
    assertThat(read.entries).containsExactlyInAnyOrderElementsOf(expected);
  }

  @Test
  void onlyTheJavaSerializedListsOfOldOperatorsAreOpaque() throws IOException {
    int entries = 0;
    Map<String, Integer> opaque = new TreeMap<>();
    for (String name : snapshots()) {
      Read read = read(name);
      entries += read.entries.size();
      read.opaque.forEach(state -> opaque.merge(state.split("\\.", 2)[1], 1, Integer::sum));
    }

    assertThat(entries).isEqualTo(5221);
    assertThat(opaque).isEqualTo(Map.of("_default_", 80));
  }

  private static boolean isOperatorState(String kind) {
    return switch (StateKind.valueOf(kind)) {
      case SPLIT_LIST, UNION_LIST, BROADCAST -> true;
      default -> false;
    };
  }

  private static String line(GoldenEntry entry, boolean opaque) {
    return line(
        entry.operator(),
        entry.state(),
        entry.subtask(),
        text(entry.mapKey()),
        entry.index(),
        opaque ? javaSerialized(text(entry.value())) : text(entry.value()));
  }

  /** The bytes, in hex, that {@link java.io.ObjectOutputStream} makes of a text. */
  private static String javaSerialized(String text) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return HexFormat.of().formatHex(bytes.toByteArray());
  }

  private static String text(JsonNode node) {
    return node == null || node.isNull() ? null : node.asText();
  }

  private static String line(
      String operator, String state, int subtask, String mapKey, Integer index, String value) {
    return String.join(
        "|",
        Stream.of(operator, state, subtask, mapKey, index, value).map(String::valueOf).toList());
  }

  private static Read read(String name) {
    Read read = new Read();
    Snapshot snapshot = Snapshot.open(SNAPSHOTS.resolve(name).toString());
    for (OperatorState operator : snapshot.metadata().operators()) {
      read.add(snapshot, operator);
    }
    return read;
  }

  /** The operator state of a snapshot, as lines. */
  private static final class Read {
    private final List<GoldenState> states = new ArrayList<>();
    private final List<String> entries = new ArrayList<>();
    private final TreeSet<String> opaque = new TreeSet<>();

    boolean isOpaque(String operator, String state) {
      return opaque.contains(operator + "." + state);
    }

    void add(Snapshot snapshot, OperatorState operator) {
      String id = operator.id().hex();
      TreeMap<String, GoldenState> byName = new TreeMap<>();
      for (OperatorSplit split : OperatorSplits.of(snapshot, operator)) {
        for (OperatorStateMeta state : split.header().states()) {
          if (state.value().codec().type() instanceof SqlType.Opaque) {
            opaque.add(id + "." + state.name());
          }
          int count = add(snapshot, id, split, state);
          byName.merge(
              state.name(),
              new GoldenState(id, state.name(), state.kind().name(), count),
              (one, two) ->
                  new GoldenState(id, one.name(), one.kind(), one.entries() + two.entries()));
        }
      }
      states.addAll(byName.values());
    }

    private int add(Snapshot snapshot, String id, OperatorSplit split, OperatorStateMeta state) {
      boolean broadcast = state.kind() == StateKind.BROADCAST;
      List<ColumnSource> columns =
          List.of(
              ColumnSource.Derived.SUBTASK,
              broadcast
                  ? new ColumnSource.Whole(ColumnSource.Part.MAP_KEY)
                  : ColumnSource.Derived.LIST_INDEX,
              new ColumnSource.Whole(ColumnSource.Part.VALUE));
      int count = 0;
      try (RowCursor rows = OperatorRows.open(snapshot, split, state, columns)) {
        while (rows.next()) {
          Object[] row = rows.row();
          if (isOpaque(id, state.name()) && count == 0)
            System.err.println("XX " + row[2] + state.value());
          entries.add(
              line(
                  id,
                  state.name(),
                  (Integer) row[0],
                  broadcast ? String.valueOf(row[1]) : null,
                  broadcast ? null : (Integer) row[1],
                  String.valueOf(row[2])));
          count++;
        }
      }
      return count;
    }
  }
}
