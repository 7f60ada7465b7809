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

import io.statesql.StateSqlException;
import io.statesql.format.model.KeyedElement;
import io.statesql.format.model.KeyedElements;
import io.statesql.format.model.OperatorSplit;
import io.statesql.format.model.OperatorStateMeta;
import io.statesql.snapshot.Bytes;
import io.statesql.type.MalformedValueException;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The elements of one operator state with what statements made of them. */
public final class StagedOperatorElements implements KeyedElements {
  private final KeyedElements stored;
  private final KeyedElement changed = new KeyedElement();

  /** The list that replaces the stored one, or null. */
  private final Iterator<Bytes> list;

  private final Map<Bytes, Optional<Bytes>> entries;
  private final Iterator<Map.Entry<Bytes, Optional<Bytes>>> entriesLeft;
  private boolean showsStored;

  private StagedOperatorElements(
      KeyedElements stored,
      int subtask,
      Optional<List<Bytes>> list,
      Map<Bytes, Optional<Bytes>> entries) {
    this.stored = stored;
    this.list = list.map(List::iterator).orElse(null);
    this.entries = entries;
    this.entriesLeft = entries.entrySet().iterator();
    changed.subtask = subtask;
    changed.listIndex = -1;
  }

  /** The stored elements themselves if the state did not change. */
  public static KeyedElements over(
      KeyedElements stored, OperatorSplit split, OperatorStateMeta state) {
    Optional<List<Bytes>> list = split.staged().list(state.name(), split.subtask());
    Map<Bytes, Optional<Bytes>> entries = split.staged().broadcast(state.name());
    return list.isEmpty() && entries.isEmpty()
        ? stored
        : new StagedOperatorElements(stored, split.subtask(), list, entries);
  }

  @Override
  public boolean next() {
    return list == null ? nextEntry() : nextOfList();
  }

  private boolean nextOfList() {
    if (!list.hasNext()) {
      return false;
    }
    changed.show(list.next());
    changed.listIndex++;
    return true;
  }

  private boolean nextEntry() {
    while (stored.next()) {
      if (!entries.containsKey(Bytes.rest(stored.element().mapKey()))) {
        showsStored = true;
        return true;
      }
    }
    showsStored = false;
    while (entriesLeft.hasNext()) {
      Map.Entry<Bytes, Optional<Bytes>> entry = entriesLeft.next();
      if (entry.getValue().isPresent()) {
        changed.mapKey.reset(entry.getKey().input());
        changed.show(entry.getValue().get());
        changed.listIndex = 0;
        return true;
      }
    }
    return false;
  }

  @Override
  public KeyedElement element() {
    return showsStored ? stored.element() : changed;
  }

  @Override
  public StateSqlException malformed(MalformedValueException fault) {
    return stored.malformed(fault);
  }

  @Override
  public void close() {
    stored.close();
  }
}
