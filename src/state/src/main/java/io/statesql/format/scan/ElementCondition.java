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
package io.statesql.format.scan;

import com.google.common.collect.ImmutableRangeSet;
import com.google.common.collect.Range;
import io.statesql.format.bytes.BytesSet;
import io.statesql.format.model.ColumnSource;
import io.statesql.format.model.ColumnSource.Part;
import io.statesql.format.model.KeyedSplit;
import io.statesql.format.model.KeyedStateMeta;
import io.statesql.snapshot.Bytes;
import io.statesql.snapshot.KeyGroupRange;
import io.statesql.type.Codec;
import io.statesql.type.ExactTypes;
import io.statesql.type.SqlType;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What a scan asks of the elements of keyed state. Elements that do not meet it may be given all
 * the same: where a type is not {@linkplain ExactTypes exact}, or a split stores it otherwise than
 * the condition says, the condition is not used. Safe for use by many threads.
 */
public final class ElementCondition implements Serializable {
  private static final long serialVersionUID = 1;

  /** Asks for everything. */
  public static final ElementCondition NONE =
      new ElementCondition(ImmutableRangeSet.of(Range.all()), List.of());

  private final transient ImmutableRangeSet<Integer> keyGroups;
  private final transient Map<Part, PartValues> parts = new HashMap<>();

  /** Keys in the bytes that every split stores them in; null where {@link #parts} says which. */
  private final transient @Nullable StoredKeys given;

  private final transient @Nullable KeyTest test;

  /** The stored keys by their codec; empty where the condition cannot be said in stored bytes. */
  private final transient Map<Codec, Optional<StoredKeys>> storedKeys = new ConcurrentHashMap<>();

  /**
   * The values that a part may have.
   *
   * @param columns that make up the part: the whole, its fields, or start and end of a window
   * @param values of these columns, none of them null
   */
  public record PartValues(Part part, List<ColumnSource> columns, Set<List<Object>> values)
      implements Serializable {
    public PartValues {
      columns = List.copyOf(columns);
      values = Set.copyOf(values);
    }
  }

  /**
   * @param keyGroups those that are asked for
   * @param parts the values that parts may have, one for each part at most
   */
  public ElementCondition(ImmutableRangeSet<Integer> keyGroups, List<PartValues> parts) {
    this(keyGroups, parts, null, null);
  }

  private ElementCondition(
      ImmutableRangeSet<Integer> keyGroups,
      Collection<PartValues> parts,
      @Nullable StoredKeys given,
      @Nullable KeyTest test) {
    this.keyGroups = keyGroups;
    parts.forEach(values -> this.parts.put(values.part(), values));
    this.given = given;
    this.test = test;
  }

  /** What is said in values: stored bytes, and tests in generated code, are of one process. */
  private record Said(ImmutableRangeSet<Integer> keyGroups, List<PartValues> parts)
      implements Serializable {
    private Object readResolve() {
      return new ElementCondition(keyGroups, parts);
    }
  }

  private Object writeReplace() {
    return new Said(keyGroups, List.copyOf(parts.values()));
  }

  private void readObject(ObjectInputStream in) throws InvalidObjectException {
    throw new InvalidObjectException("A condition is read as what it says");
  }

  /** The same condition, and keys that pass a test. */
  public ElementCondition where(KeyTest keyTest) {
    return new ElementCondition(keyGroups, parts.values(), given, keyTest);
  }

  /** Asks for all elements of some key groups. */
  public static ElementCondition ofKeyGroups(Set<Integer> keyGroups) {
    return new ElementCondition(ranges(keyGroups), List.of());
  }

  /**
   * Asks for the elements of some keys, of which the stored bytes are known.
   *
   * @param keys by the key group that they are in
   */
  public static ElementCondition ofStoredKeys(Map<Integer, Set<Bytes>> keys) {
    return new ElementCondition(ranges(keys.keySet()), List.of(), StoredKeys.of(keys), null);
  }

  /** Asks for the elements of one key, of which the stored bytes are known, in any key group. */
  public static ElementCondition ofStoredKey(Bytes key) {
    return new ElementCondition(
        NONE.keyGroups,
        List.of(),
        new StoredKeys(new BytesSet(List.of(key.toByteArray())), null),
        null);
  }

  private static ImmutableRangeSet<Integer> ranges(Set<Integer> keyGroups) {
    ImmutableRangeSet.Builder<Integer> ranges = ImmutableRangeSet.builder();
    keyGroups.forEach(group -> ranges.add(Range.singleton(group)));
    return ranges.build();
  }

  /** The same condition on keys and key groups alone. */
  public ElementCondition onKeys() {
    PartValues keys = parts.get(Part.KEY);
    return new ElementCondition(keyGroups, keys == null ? List.of() : List.of(keys), given, test);
  }

  /**
   * The key groups of a split that may hold such elements.
   *
   * @param states numbers of the states that are asked for
   */
  public BitSet keyGroups(KeyedSplit split, BitSet states) {
    KeyGroupRange range = split.keyGroups();
    BitSet wanted = new BitSet();
    for (int group = range.start(); group <= range.end(); group++) {
      wanted.set(group, keyGroups.contains(group));
    }
    if (asksForKeys()) {
      BitSet ofKeys = new BitSet();
      for (KeyedStateMeta state : split.header().states()) {
        if (states.get(state.id())) {
          Optional<StoredKeys> keys = keys(split, state);
          if (keys.isEmpty()) {
            return wanted;
          }
          wanted.stream().filter(group -> keys.get().in(group) != null).forEach(ofKeys::set);
        }
      }
      wanted.and(ofKeys);
    }
    return wanted;
  }

  /** Whether it is of use to find elements of some states of a split, beside their key groups. */
  public boolean finds(KeyedSplit split, BitSet states) {
    return states.stream().anyMatch(id -> matcher(split, split.header().states().get(id)) != null);
  }

  /** Whether it names keys of some states of a split, of which the key groups are known. */
  public boolean placesKeys(KeyedSplit split, BitSet states) {
    return asksForKeys()
        && states.stream()
            .allMatch(
                id ->
                    keys(split, split.header().states().get(id))
                        .filter(keys -> keys.byKeyGroup() != null)
                        .isPresent());
  }

  /** The number of keys that a state is asked for; -1 if it is asked for any. */
  public int keyCount(KeyedSplit split, KeyedStateMeta state) {
    return asksForKeys() ? keys(split, state).map(keys -> keys.all().size()).orElse(-1) : -1;
  }

  /** What is asked of the elements of a state; null if nothing is. */
  @Nullable ElementMatcher matcher(KeyedSplit split, KeyedStateMeta state) {
    ElementMatcher matcher =
        new ElementMatcher(
            asksForKeys() ? keys(split, state).orElse(null) : null,
            bytes(Part.NAMESPACE, state.codecs().namespace()),
            bytes(Part.MAP_KEY, state.codecs().mapKey()),
            test == null ? null : new KeyTester(state, test));
    boolean isEmpty =
        test == null
            && matcher.keys() == null
            && matcher.namespaces() == null
            && matcher.mapKeys() == null;
    return isEmpty ? null : matcher;
  }

  private boolean asksForKeys() {
    return given != null || parts.containsKey(Part.KEY);
  }

  private Optional<StoredKeys> keys(KeyedSplit split, KeyedStateMeta state) {
    if (given != null) {
      return Optional.of(given);
    }
    Codec codec = state.codecs().key();
    return storedKeys.computeIfAbsent(
        codec,
        unknown ->
            values(parts.get(Part.KEY), codec)
                .map(keys -> StoredKeys.of(keys, codec, split.operator().maxParallelism())));
  }

  private @Nullable BytesSet bytes(Part part, @Nullable Codec codec) {
    PartValues asked = parts.get(part);
    if (asked == null || codec == null) {
      return null;
    }
    return values(asked, codec)
        .map(
            values ->
                new BytesSet(
                    values.stream()
                        .flatMap(value -> ExactTypes.bytes(codec, value).stream())
                        .toList()))
        .orElse(null);
  }

  /** The values of a part as its codec reads them; empty if not of an exact type, or of others. */
  private static Optional<List<Object>> values(PartValues asked, Codec codec) {
    int[] positions = positions(asked.columns(), codec.type());
    if (positions.length == 0 || !codec.isExact()) {
      return Optional.empty();
    }
    boolean isWhole = asked.columns().get(0) instanceof ColumnSource.Whole;
    List<Object> values = new ArrayList<>(asked.values().size());
    for (List<Object> row : asked.values()) {
      Object[] fields = new Object[positions.length];
      for (int i = 0; i < positions.length; i++) {
        fields[positions[i]] = row.get(i);
      }
      values.add(isWhole ? fields[0] : fields);
    }
    return Optional.of(values);
  }

  /** Where each column is in a value of the type; empty unless they make up all of it. */
  private static int[] positions(List<ColumnSource> columns, SqlType type) {
    int width = type instanceof SqlType.Row row ? row.fields().size() : 1;
    if (columns.size() != width) {
      return new int[0];
    }
    int[] positions = new int[width];
    BitSet seen = new BitSet();
    for (int i = 0; i < width; i++) {
      positions[i] = position(columns.get(i), type);
      if (positions[i] < 0 || seen.get(positions[i])) {
        return new int[0];
      }
      seen.set(positions[i]);
    }
    return positions;
  }

  private static int position(ColumnSource column, SqlType type) {
    if (!(type instanceof SqlType.Row row)) {
      return column instanceof ColumnSource.Whole ? 0 : -1;
    }
    if (column instanceof ColumnSource.FieldOf field) {
      return field.indexIn(row);
    }
    if (column == ColumnSource.Derived.WINDOW_START) {
      return 0;
    }
    return column == ColumnSource.Derived.WINDOW_END ? 1 : -1;
  }
}
