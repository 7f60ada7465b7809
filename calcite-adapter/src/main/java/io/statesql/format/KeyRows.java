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
package io.statesql.format;

import io.statesql.Cancellation;
import io.statesql.StateSqlException;
import io.statesql.format.ColumnSource.Part;
import io.statesql.snapshot.Snapshot;
import io.statesql.type.MalformedValueException;
import io.statesql.type.StateInput;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The keys of one split, a row each, with some of their states. A key is there if it has any of the
 * states asked for, whether or not a column shows that state. Takes memory for the rows of one key
 * group.
 */
public final class KeyRows implements RowCursor {
  private final KeyedSplit split;
  private final KeyedElements elements;
  private final Cancellation cancellation;
  private final OpenSplits.Closing closing;
  private final List<KeyColumn> columns;

  /** By number of the state in the split's header; null for a state that is not wanted. */
  private final StateReader[] readers;

  private final Map<ByteBuffer, Object[]> keyGroup = new LinkedHashMap<>();
  private Iterator<Object[]> rows = Collections.emptyIterator();
  private Object[] row;

  /** Whether the present element belongs to a key group that is not yet gathered. */
  private boolean ahead;

  private boolean ended;

  private KeyRows(
      KeyedSplit split,
      KeyedElements elements,
      OpenSplits.Closing closing,
      List<KeyColumn> columns,
      StateReader[] readers,
      Cancellation cancellation) {
    this.split = split;
    this.elements = elements;
    this.closing = closing;
    this.cancellation = cancellation;
    this.columns = columns;
    this.readers = readers;
  }

  /**
   * Opens a split.
   *
   * @param states names of the states, none of them windowed
   * @param cancellation is asked while a key group is gathered
   * @throws StateSqlException if the file cannot be had or its form is not read
   */
  public static RowCursor open(
      Snapshot snapshot,
      KeyedSplit split,
      Set<String> states,
      List<KeyColumn> columns,
      Cancellation cancellation) {
    StateReader[] readers = new StateReader[split.header().states().size()];
    BitSet wanted = new BitSet();
    for (KeyedStateMeta state : split.header().states()) {
      if (states.contains(state.name())) {
        wanted.set(state.id());
        readers[state.id()] = new StateReader(state, columns);
      }
    }
    return new KeyRows(
        split,
        KeyedSplits.open(snapshot, split, wanted),
        OpenSplits.keyed(snapshot, split),
        columns,
        readers,
        cancellation);
  }

  @Override
  public boolean next() {
    if (!rows.hasNext() && !gatherKeyGroup()) {
      return false;
    }
    row = rows.next();
    return true;
  }

  private boolean gatherKeyGroup() {
    keyGroup.clear();
    if (!ahead && !advance()) {
      return false;
    }
    int gathering = elements.element().keyGroup();
    do {
      add(elements.element());
    } while (advance() && elements.element().keyGroup() == gathering);
    rows = keyGroup.values().iterator();
    return true;
  }

  private boolean advance() {
    if (ended) {
      return false;
    }
    cancellation.check();
    ahead = elements.next();
    ended = !ahead;
    return ahead;
  }

  private void add(KeyedElement element) {
    try {
      StateReader reader = readers[element.state().id()];
      StateInput key = element.key();
      ByteBuffer bytes = ByteBuffer.wrap(key.array(), key.position(), key.remaining());
      Object[] target = keyGroup.get(bytes);
      if (target == null) {
        target = newRow(reader, element);
      }
      reader.read(element, target);
    } catch (MalformedValueException e) {
      throw elements.malformed(e);
    } catch (StateSqlException e) {
      throw SplitFault.located(split, element, e);
    }
  }

  private Object[] newRow(StateReader reader, KeyedElement element) {
    StateInput key = element.key();
    byte[] bytes = Arrays.copyOfRange(key.array(), key.position(), key.limit());
    Object[] target = new Object[columns.size()];
    for (int i = 0; i < target.length; i++) {
      if (columns.get(i) instanceof KeyColumn.Presence) {
        target[i] = false;
      }
    }
    int start = key.position();
    reader.readKey(element, target);
    key.position(start);
    keyGroup.put(ByteBuffer.wrap(bytes), target);
    return target;
  }

  @Override
  public Object[] row() {
    return row;
  }

  @Override
  public void close() {
    try (closing) {
      elements.close();
    }
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

    StateReader(KeyedStateMeta state, List<KeyColumn> columns) {
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
      this.keyReader = new ElementReader(state, keySources);
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

    void read(KeyedElement element, Object[] row) {
      for (int target : storedTargets) {
        addStored(row, target, StoredElement.of(state, element));
      }
      for (int target : presenceTargets) {
        row[target] = true;
      }
      valueReader.read(element, values, 0);
      for (int i = 0; i < valueTargets.length; i++) {
        row[valueTargets[i]] = values[i];
      }
      for (int target : collectedTargets) {
        collect(row, target, values[valueTargets.length], values[valueTargets.length + 1]);
      }
    }

    @SuppressWarnings("unchecked") // the column holds what this method put there
    private static void addStored(Object[] row, int target, StoredElement element) {
      if (row[target] == null) {
        row[target] = new ArrayList<>();
      }
      ((List<Object>) row[target]).add(element);
    }

    @SuppressWarnings("unchecked") // a collected column holds what this method put there
    private void collect(Object[] row, int target, Object value, Object mapKey) {
      if (kind == StateKind.MAP) {
        if (row[target] == null) {
          row[target] = new LinkedHashMap<>();
        }
        ((Map<Object, Object>) row[target]).put(mapKey, value);
      } else {
        if (row[target] == null) {
          row[target] = new ArrayList<>();
        }
        ((List<Object>) row[target]).add(value);
      }
    }

    private static int[] toArray(List<Integer> indexes) {
      return indexes.stream().mapToInt(Integer::intValue).toArray();
    }
  }
}
