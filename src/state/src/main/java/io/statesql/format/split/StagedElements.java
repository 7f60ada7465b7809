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
package io.statesql.format.split;

import com.google.common.collect.Iterators;
import com.google.common.collect.PeekingIterator;
import io.statesql.StateSqlException;
import io.statesql.format.model.KeyedElement;
import io.statesql.format.model.KeyedElements;
import io.statesql.format.model.KeyedSplit;
import io.statesql.format.model.KeyedStateMeta;
import io.statesql.format.model.StagedEntry;
import io.statesql.format.model.StagedState;
import io.statesql.format.model.StateKind;
import io.statesql.format.scan.ElementCondition;
import io.statesql.snapshot.KeyGroupRange;
import io.statesql.type.MalformedValueException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Predicate;

/** The elements of a split with what statements made of them: key groups stay in order. */
final class StagedElements implements KeyedElements {
  private final KeyedElements stored;
  private final StagedState staged;
  private final List<Changes> changes;
  private final KeyedElement changed = new KeyedElement();

  /** What is left to show of a changed entry. */
  private StagedEntry entry;

  private int nextValue;

  /** Whether the stored elements stand at one that was not shown yet. */
  private boolean ahead;

  /** Tells the changed elements of the state and key group where the stored elements stand. */
  private Predicate<KeyedElement> isChanged;

  private int changedState = -1;
  private int changedKeyGroup;
  private boolean ended;
  private boolean showsStored;

  private StagedElements(KeyedElements stored, StagedState staged, List<Changes> changes) {
    this.stored = stored;
    this.staged = staged;
    this.changes = changes;
  }

  /**
   * The stored elements themselves if no wanted state changed.
   *
   * @param condition that tells of which key groups changes are shown
   */
  static KeyedElements over(
      KeyedElements stored, KeyedSplit split, BitSet wanted, ElementCondition condition) {
    List<Changes> changes = new ArrayList<>();
    KeyGroupRange keyGroups = null;
    for (KeyedStateMeta state : split.header().states()) {
      if (wanted.get(state.id()) && split.staged().isChanged(state.name())) {
        keyGroups = keyGroups == null ? around(condition.keyGroups(split, wanted)) : keyGroups;
        changes.add(
            new Changes(
                state, Iterators.peekingIterator(split.staged().entries(state.name(), keyGroups))));
      }
    }
    return changes.isEmpty() ? stored : new StagedElements(stored, split.staged(), changes);
  }

  private static KeyGroupRange around(BitSet keyGroups) {
    int first = Math.max(0, keyGroups.nextSetBit(0));
    return new KeyGroupRange(first, keyGroups.length() - first);
  }

  @Override
  public boolean next() {
    while (true) {
      if (entry != null && nextValue < entry.values().size()) {
        showValue();
        return true;
      }
      moveStored();
      int keyGroup = ahead ? stored.element().keyGroup() : Integer.MAX_VALUE;
      Changes before = changesBefore(keyGroup);
      if (before != null) {
        showEntry(before);
      } else if (ahead) {
        ahead = false;
        showsStored = true;
        return true;
      } else {
        return false;
      }
    }
  }

  /** Moves to the next stored element that is still there. */
  private void moveStored() {
    while (!ahead && !ended) {
      ahead = stored.next();
      ended = !ahead;
      if (ahead && isChanged(stored.element())) {
        ahead = false;
      }
    }
  }

  private boolean isChanged(KeyedElement element) {
    KeyedStateMeta state = element.state();
    if (state.id() != changedState || element.keyGroup() != changedKeyGroup) {
      changedState = state.id();
      changedKeyGroup = element.keyGroup();
      isChanged = staged.changedIn(state.name(), changedKeyGroup);
    }
    return isChanged.test(element);
  }

  private Changes changesBefore(int keyGroup) {
    Changes first = null;
    int firstGroup = keyGroup;
    for (Changes candidate : changes) {
      if (candidate.entries.hasNext() && candidate.entries.peek().keyGroup() < firstGroup) {
        first = candidate;
        firstGroup = candidate.entries.peek().keyGroup();
      }
    }
    return first;
  }

  private void showEntry(Changes of) {
    entry = of.entries.next();
    nextValue = 0;
    changed.state = of.state;
    changed.keyGroup = entry.keyGroup();
    changed.timestamp = entry.timestamp();
  }

  private void showValue() {
    changed.key.reset(entry.key().input());
    changed.namespace.reset(entry.namespace().input());
    changed.isRenamed = false;
    if (entry.mapKey() != null) {
      changed.mapKey.reset(entry.mapKey().input());
    }
    changed.show(entry.values().get(nextValue));
    changed.listIndex = changed.state.kind() == StateKind.LIST ? nextValue : 0;
    nextValue++;
    showsStored = false;
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

  /** The changes of one state that were not shown yet. */
  private record Changes(KeyedStateMeta state, PeekingIterator<StagedEntry> entries) {}
}
