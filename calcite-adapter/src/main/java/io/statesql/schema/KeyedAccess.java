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
package io.statesql.schema;

import io.statesql.format.model.ColumnSource;
import io.statesql.format.model.ColumnSource.Part;
import io.statesql.format.model.ElementCodecs;
import io.statesql.format.model.KeyedSplit;
import io.statesql.format.model.KeyedStateMeta;
import io.statesql.format.scan.ElementCondition;
import io.statesql.format.scan.KeyTest;
import io.statesql.format.split.KeyedForms;
import io.statesql.plan.ColumnCondition;
import io.statesql.schema.PushedCondition.SourceColumn;
import io.statesql.type.SqlType;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The way to the rows of a table of keyed state: which splits and key groups are read, and by what
 * keys elements are found in them. Immutable.
 */
final class KeyedAccess {
  /** A guess at what one row takes in a snapshot. */
  private static final int BYTES_PER_ROW = 100;

  private static final double LARGEST_SHARE = 0.9;

  private final List<KeyedSplit> splits;
  private final Set<String> states;
  private final List<SourceColumn> columns;

  /** Null for all rows. */
  private final @Nullable PushedCondition pushed;

  /** Null for all keys. */
  private final @Nullable KeyTest keyTest;

  private KeyedAccess(
      List<KeyedSplit> splits,
      Set<String> states,
      List<SourceColumn> columns,
      @Nullable PushedCondition pushed,
      @Nullable KeyTest keyTest) {
    this.splits = splits;
    this.states = states;
    this.columns = columns;
    this.pushed = pushed;
    this.keyTest = keyTest;
  }

  /** The way to all rows. */
  static KeyedAccess toAll(
      List<KeyedSplit> splits, Set<String> states, List<SourceColumn> columns) {
    return new KeyedAccess(
        splits.stream().filter(split -> split.hasAny(states)).toList(),
        Set.copyOf(states),
        List.copyOf(columns),
        null,
        null);
  }

  Set<String> states() {
    return states;
  }

  /**
   * The way to the rows that may meet a condition.
   *
   * @return empty if that is no shorter, or if there is a condition already
   */
  Optional<KeyedAccess> narrow(ColumnCondition condition) {
    if (pushed != null || splits.isEmpty()) {
      return Optional.empty();
    }
    PushedCondition candidate = new PushedCondition(condition, columns, maxParallelism());
    return candidate.isOf(splits, this::wanted)
        ? Optional.of(new KeyedAccess(splits, states, columns, candidate, keyTest))
        : Optional.empty();
  }

  KeyedAccess bind(IntFunction<Object> parameters) {
    return pushed == null
        ? this
        : new KeyedAccess(splits, states, columns, pushed.bind(parameters), keyTest);
  }

  /** The columns of the key; none if keys are looked for by their values already. */
  Set<Integer> testableColumns() {
    if (splits.isEmpty()
        || (pushed != null && (pushed.hasParameters() || keyCount(pushed.ofElements()) >= 0))) {
      return Set.of();
    }
    return columns.stream()
        .filter(column -> PushedCondition.part(column.source()) == Part.KEY)
        .map(SourceColumn::position)
        .collect(Collectors.toSet());
  }

  /** The way to the rows whose keys pass a test. */
  KeyedAccess whereKey(List<Integer> positions, Predicate<Object[]> test) {
    List<ColumnSource> tested = new ArrayList<>();
    List<SqlType> types = new ArrayList<>();
    for (int position : positions) {
      columns.stream()
          .filter(column -> column.position() == position)
          .forEach(
              column -> {
                tested.add(column.source());
                types.add(column.type());
              });
    }
    KeyTest keys = new KeyTest(tested, SqlRows.test(test, types));
    return new KeyedAccess(splits, states, columns, pushed, keys);
  }

  /** What is asked of the elements of each split. */
  ElementCondition condition() {
    ElementCondition condition = pushed == null ? ElementCondition.NONE : pushed.ofElements();
    return keyTest == null ? condition : condition.where(keyTest);
  }

  /** The splits that may hold such elements. */
  List<KeyedSplit> splits(ElementCondition condition) {
    return wanted(splits, condition);
  }

  /** Those of some splits, or parts of splits, that may hold such elements. */
  List<KeyedSplit> wanted(List<KeyedSplit> parts, ElementCondition condition) {
    return pushed == null
        ? parts
        : parts.stream()
            .filter(split -> !condition.keyGroups(split, wanted(split)).isEmpty())
            .toList();
  }

  private BitSet wanted(KeyedSplit split) {
    BitSet ids = new BitSet();
    for (KeyedStateMeta state : split.header().states()) {
      ids.set(state.id(), states.contains(state.name()));
    }
    return ids;
  }

  private int maxParallelism() {
    return splits.get(0).operator().maxParallelism();
  }

  /**
   * A guess at the number of rows that costs no read: of one key, one row; of all, as the bytes of
   * the splits would hold, evenly shared by their states.
   */
  double rowCount() {
    double all = 1;
    for (KeyedSplit split : splits) {
      double share = (double) wanted(split).cardinality() / split.header().states().size();
      all += share * split.handle().stateSize() / BYTES_PER_ROW;
    }
    if (pushed == null) {
      return all;
    }
    ElementCondition condition = pushed.ofElements();
    int keys = pushed.hasParameters() ? 1 : keyCount(condition);
    double wanted = keys >= 0 ? keys : all * keyGroups(condition) / maxParallelism();
    // Always less than all, so that the planner takes the shorter way.
    return Math.min(wanted, all * LARGEST_SHARE);
  }

  /**
   * Whether rows differ in their key, window or map key as SQL sees them: not so where two stored
   * keys are equal in SQL, or where handles store keys of different types.
   */
  boolean hasExactKeys() {
    Set<SqlType> keyTypes = new HashSet<>();
    for (KeyedSplit split : splits) {
      for (KeyedStateMeta state : split.header().states()) {
        if (states.contains(state.name())) {
          ElementCodecs codecs = state.codecs();
          keyTypes.add(codecs.key().type());
          if (!Stream.of(codecs.key(), codecs.namespace(), codecs.mapKey())
              .allMatch(codec -> codec == null || codec.isExact())) {
            return false;
          }
        }
      }
    }
    return keyTypes.size() == 1;
  }

  private int keyCount(ElementCondition condition) {
    KeyedSplit split = splits.get(0);
    return condition.keyCount(split, split.header().states().get(wanted(split).nextSetBit(0)));
  }

  private int keyGroups(ElementCondition condition) {
    BitSet all = new BitSet();
    splits.forEach(split -> all.or(condition.keyGroups(split, wanted(split))));
    return all.cardinality();
  }

  /**
   * For EXPLAIN.
   *
   * @param isolated whether native code reads RocksDB files in a process of its own
   */
  Map<String, Object> explain(boolean isolated) {
    Map<String, Object> items = explain();
    if (isolated && splits.stream().anyMatch(split -> KeyedForms.of(split).isDatabase())) {
      items.put("isolated", true);
    }
    return items;
  }

  private Map<String, Object> explain() {
    Map<String, Object> items = new LinkedHashMap<>();
    if (pushed == null) {
      items.put("access", "full");
      items.put("splits", splits.size());
      return items;
    }
    ElementCondition condition = pushed.ofElements();
    boolean arePlaced = pushed.placesKeys(splits, this::wanted);
    int keyGroups = keyGroups(condition);
    boolean isPruned = keyGroups < maxParallelism();
    items.put("access", arePlaced ? "point" : isPruned ? "key groups" : "full");
    items.put("condition", pushed);
    if (pushed.hasParameters()) {
      return items;
    }
    items.put("keyGroups", keyGroups + " of " + maxParallelism());
    items.put("splits", splits(condition).size() + " of " + splits.size());
    return items;
  }

  /** For EXPLAIN of a change of the rows. */
  Map<String, Object> rewrites() {
    Map<String, Object> items = new LinkedHashMap<>();
    items.put("states", new TreeSet<>(states));
    if (splits.isEmpty() || (pushed != null && pushed.hasParameters())) {
      return items;
    }
    ElementCondition condition = condition();
    int keys = pushed == null ? -1 : keyCount(condition);
    long bytes = 0;
    int files = 0;
    int databases = 0;
    for (KeyedSplit split : splits(condition)) {
      if (KeyedForms.of(split).isDatabase()) {
        databases++;
      } else {
        files++;
        bytes += sizeOf(split, condition.keyGroups(split, wanted(split)).cardinality());
      }
    }
    List<String> most = new ArrayList<>();
    if (keys >= 0) {
      most.add(count(keys, "key"));
    }
    most.add(keyGroups(condition) + " of " + maxParallelism() + " key groups");
    if (files > 0) {
      most.add(count(files, "file") + ", about " + bytes + " bytes");
    }
    if (databases > 0) {
      most.add("new tables in " + count(databases, "RocksDB database"));
    }
    items.put("atMost", String.join(", ", most));
    return items;
  }

  private static String count(int number, String one) {
    return number + " " + one + (number == 1 ? "" : "s");
  }

  private static long sizeOf(KeyedSplit split, int keyGroups) {
    return split.handle().stateSize() * keyGroups / Math.max(1, split.keyGroups().count());
  }
}
