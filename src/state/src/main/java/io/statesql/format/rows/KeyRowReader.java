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
package io.statesql.format.rows;

import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import io.statesql.format.model.ColumnSource;
import io.statesql.format.model.ColumnSource.Part;
import io.statesql.format.model.KeyedElement;
import io.statesql.format.model.KeyedElements;
import io.statesql.format.model.KeyedSplit;
import io.statesql.format.model.KeyedStateMeta;
import io.statesql.format.model.RowSize;
import io.statesql.format.model.SplitFault;
import io.statesql.format.model.StateKind;
import io.statesql.format.model.StoredElement;
import io.statesql.format.scan.ElementReader;
import io.statesql.type.MalformedValueException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Makes rows of keys from the elements of one split, and estimates what memory they take. Not
 * thread-safe.
 */
final class KeyRowReader {
  /** A row and its place in a map, without its values and the bytes of its key. */
  private static final long ROW_BYTES = 256;

  private final KeyedSplit split;
  private final List<KeyColumn> columns;
  private final long rowLimit;

  /** By number of the state in the split's header; null for a state that is not wanted. */
  private final StateReader[] readers;

  private final BitSet wanted = new BitSet();

  /**
   * @param states names of the states, none of them windowed
   * @param rowLimit how much memory one row may take, in bytes
   */
  KeyRowReader(KeyedSplit split, Set<String> states, List<KeyColumn> columns, long rowLimit) {
    this.split = split;
    this.columns = columns;
    this.rowLimit = rowLimit;
    this.readers = new StateReader[split.header().states().size()];
    for (KeyedStateMeta state : split.header().states()) {
      if (states.contains(state.name())) {
        wanted.set(state.id());
        readers[state.id()] = new StateReader(state, columns, split.operator().maxParallelism());
      }
    }
  }

  /** The numbers of the states whose elements it reads. */
  BitSet wanted() {
    return wanted;
  }

  /** A row that grows. */
  static final class KeyRow {
    private final Object[] values;

    /** The numbers of the states that have given the key what they have but once. */
    private final BitSet complete = new BitSet();

    private long bytes;

    private KeyRow(Object[] values, long bytes) {
      this.values = values;
      this.bytes = bytes;
    }

    Object[] values() {
      return values;
    }

    /** About how much memory it takes. */
    long bytes() {
      return bytes;
    }
  }

  /** The row of the key of the present element, so far with nothing but the key. */
  KeyRow newRow(KeyedElements elements) {
    KeyedElement element = elements.element();
    Object[] values = new Object[columns.size()];
    for (int i = 0; i < values.length; i++) {
      if (columns.get(i) instanceof KeyColumn.Presence) {
        values[i] = false;
      }
    }
    int keyStart = element.key().position();
    long keyBytes = element.key().remaining();
    try {
      readers[element.state().id()].readKey(element, values);
      element.key().position(keyStart);
    } catch (MalformedValueException e) {
      throw elements.malformed(e);
    } catch (StateSqlException e) {
      throw SplitFault.located(split, element, e);
    }
    return new KeyRow(values, ROW_BYTES + keyBytes + RowSize.of(values));
  }

  /**
   * Puts what the present element says into the row of its key.
   *
   * @throws StateSqlException if the row takes more memory than one may
   */
  void add(KeyedElements elements, KeyRow row) {
    KeyedElement element = elements.element();
    try {
      requireOnce(element, row);
      row.bytes += readers[element.state().id()].read(element, row.values);
    } catch (MalformedValueException e) {
      throw elements.malformed(e);
    } catch (StateSqlException e) {
      throw SplitFault.located(split, element, e);
    }
    if (row.bytes > rowLimit) {
      throw tooLarge(element);
    }
  }

  /** Refuses a second value, or list, of one state for one key: it would hide the first. */
  private static void requireOnce(KeyedElement element, KeyRow row) {
    int state = element.state().id();
    boolean isNew =
        switch (element.state().kind()) {
          case MAP -> true;
          case LIST -> element.listIndex() > 0 || !row.complete.get(state);
          default -> !row.complete.get(state);
        };
    if (!isNew) {
      throw element.key().malformed("the state has this key twice in its key group");
    }
    row.complete.set(state);
  }

  private StateSqlException tooLarge(KeyedElement element) {
    return new StateSqlException(
        ErrorCode.MEMORY_LIMIT,
        SplitFault.where(split, element)
            + "what one key has of it takes more memory than a row may have, about "
            + rowLimit
            + " bytes; read the table \""
            + element.state().name()
            + "\" in place of \"keyed_state\", which has a row for each element, or allow more with"
            + " the option memory.");
  }

  /** Puts what one state knows of a key into the key's row. */
  private static final class StateReader {
    private final KeyedStateMeta state;
    private final StateKind kind;
    private final ElementReader keyReader;
    private final int[] keyTargets;
    private final ElementReader valueReader;
    private final int[] valueTargets;
    private final int[] presenceTargets;
    private final int[] collectedTargets;
    private final int[] storedTargets;
    private final Object[] values;

    StateReader(KeyedStateMeta state, List<KeyColumn> columns, int maxParallelism) {
      this.state = state;
      this.kind = state.kind();
      List<ColumnSource> keySources = new ArrayList<>();
      List<Integer> keyIndexes = new ArrayList<>();
      List<ColumnSource> valueSources = new ArrayList<>();
      List<Integer> valueIndexes = new ArrayList<>();
      List<Integer> presence = new ArrayList<>();
      List<Integer> collected = new ArrayList<>();
      List<Integer> stored = new ArrayList<>();
      for (int i = 0; i < columns.size(); i++) {
        KeyColumn column = columns.get(i);
        if (column instanceof KeyColumn.OfKey ofKey) {
          keySources.add(ofKey.source());
          keyIndexes.add(i);
        } else if (column instanceof KeyColumn.OfState ofState
            && ofState.state().equals(state.name())) {
          valueSources.add(ofState.source());
          valueIndexes.add(i);
        } else if (column instanceof KeyColumn.Presence present
            && present.state().equals(state.name())) {
          presence.add(i);
        } else if (column instanceof KeyColumn.Collected all && all.state().equals(state.name())) {
          collected.add(i);
        } else if (column instanceof KeyColumn.Stored) {
          stored.add(i);
        }
      }
      if (!collected.isEmpty()) {
        valueSources.add(new ColumnSource.Whole(Part.VALUE));
        valueSources.add(new ColumnSource.Whole(Part.MAP_KEY));
      }
      this.keyReader = ElementReader.ofKeys(state, keySources, maxParallelism);
      this.keyTargets = toArray(keyIndexes);
      this.valueReader = new ElementReader(state, valueSources);
      this.valueTargets = toArray(valueIndexes);
      this.presenceTargets = toArray(presence);
      this.collectedTargets = toArray(collected);
      this.storedTargets = toArray(stored);
      this.values = new Object[Math.max(keySources.size(), valueSources.size())];
    }

    void readKey(KeyedElement element, Object[] row) {
      keyReader.read(element, values, 0);
      for (int i = 0; i < keyTargets.length; i++) {
        row[keyTargets[i]] = values[i];
      }
    }

    /** Returns about how many bytes the values take that were put into the row. */
    long read(KeyedElement element, Object[] row) {
      long bytes = 0;
      for (int target : storedTargets) {
        bytes += RowSize.MAP_ENTRY + element.key().remaining() + element.value().remaining();
        addStored(row, target, StoredElement.of(state, element));
      }
      for (int target : presenceTargets) {
        row[target] = true;
      }
      valueReader.read(element, values, 0);
      for (int i = 0; i < valueTargets.length; i++) {
        row[valueTargets[i]] = values[i];
        bytes += RowSize.of(values[i]);
      }
      for (int target : collectedTargets) {
        Object value = values[valueTargets.length];
        Object mapKey = values[valueTargets.length + 1];
        if (!collect(row, target, value, mapKey)) {
          throw element.mapKey().malformed("a map holds the key %s twice", mapKey);
        }
        bytes += RowSize.MAP_ENTRY + RowSize.of(value) + RowSize.of(mapKey);
      }
      return bytes;
    }

    @SuppressWarnings("unchecked") // the column holds what this method put there
    private static void addStored(Object[] row, int target, StoredElement element) {
      if (row[target] == null) {
        row[target] = new ArrayList<>();
      }
      ((List<Object>) row[target]).add(element);
    }

    /** Returns whether the column has not had the map key before. */
    @SuppressWarnings("unchecked") // a collected column holds what this method put there
    private boolean collect(Object[] row, int target, Object value, Object mapKey) {
      if (kind == StateKind.MAP) {
        if (row[target] == null) {
          row[target] = new LinkedHashMap<>();
        }
        Map<Object, Object> entries = (Map<Object, Object>) row[target];
        if (entries.containsKey(mapKey)) {
          return false;
        }
        entries.put(mapKey, value);
      } else {
        if (row[target] == null) {
          row[target] = new ArrayList<>();
        }
        ((List<Object>) row[target]).add(value);
      }
      return true;
    }

    private static int[] toArray(List<Integer> indexes) {
      return indexes.stream().mapToInt(Integer::intValue).toArray();
    }
  }
}
