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

import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import io.statesql.snapshot.KeyGroupRange;
import io.statesql.snapshot.KeyedStateHandle;
import io.statesql.snapshot.KeyedStateHandle.StateChange;
import io.statesql.snapshot.Snapshot;
import io.statesql.type.Codec;
import io.statesql.type.MalformedValueException;
import io.statesql.type.StateInput;
import io.statesql.type.UndelimitedParts;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * Reads what the changelog state backend restores: a base, if there is one, with the changes logged
 * since applied in their order.
 *
 * <p>A change is applied in the key group under which it is logged, that of the operator's current
 * key: for timers, too, that is the key group of their own key.
 *
 * <p>Takes memory for the logged changes of the wanted states, since a log is ordered by time and
 * cannot be read by key group, and for the wanted states of one key group.
 */
final class ChangelogElements implements KeyedElements {
  private final SplitScan scan;
  private final KeyedSplit split;
  private final KeyGroupRange keyGroups;
  private final List<BaseElements> bases;
  private final Map<Integer, List<Change>> changes = new HashMap<>();
  private final KeyedElement element = new KeyedElement();

  private int keyGroup;
  private Iterator<KeyGroupContents> states = Collections.emptyIterator();
  private Iterator<Runnable> elements = Collections.emptyIterator();

  /**
   * @param bases closed with this reader; elements of states of the same names as the split's
   */
  ChangelogElements(Snapshot snapshot, SplitScan scan, List<KeyedElements> bases) {
    this.scan = scan;
    this.split = scan.split();
    this.keyGroups = split.keyGroups();
    this.bases = bases.stream().map(BaseElements::new).toList();
    this.keyGroup = keyGroups.start() - 1;
    readChanges(snapshot);
  }

  /**
   * A logged change.
   *
   * @param in over a copy of the bytes behind the number of the state; read once
   */
  private record Change(KeyedStateMeta state, ChangeOperation operation, StateInput in) {}

  private void readChanges(Snapshot snapshot) {
    Map<String, KeyedStateMeta> byName = new HashMap<>();
    split.header().states().forEach(state -> byName.put(state.name(), state));
    Map<Integer, KeyedStateMeta> byNumber = new HashMap<>();
    new Changelog(snapshot, split)
        .read(
            ((KeyedStateHandle.Changelog) split.handle()).nonMaterialized(),
            (group, change) -> {
              ChangeOperation operation = ChangeOperation.read(change);
              if (group == StateChange.METADATA) {
                KeyedStateMeta state =
                    ChangelogStates.describe(change, split.header().key(), split.serializers());
                byNumber.put(state.id(), byName.get(state.name()));
              } else if (keyGroups.contains(group) && scan.wantsKeyGroup(group)) {
                keep(group, operation, change, byNumber);
              }
            });
  }

  private void keep(
      int group,
      ChangeOperation operation,
      StateInput change,
      Map<Integer, KeyedStateMeta> byNumber) {
    int number = change.readUnsignedShort();
    KeyedStateMeta state = byNumber.get(number);
    if (state == null) {
      throw change.malformed("a change is of state number %d, which is not described", number);
    }
    if (scan.wantsState(state.id())) {
      long offset = change.offset();
      byte[] bytes = change.readBytes(change.remaining());
      StateInput in = new StateInput().reset(bytes, 0, bytes.length, offset);
      changes
          .computeIfAbsent(group, unknown -> new ArrayList<>())
          .add(new Change(state, operation, in));
    }
  }

  @Override
  public KeyedElement element() {
    return element;
  }

  @Override
  public boolean next() {
    while (!elements.hasNext()) {
      if (states.hasNext()) {
        elements = states.next().iterator(element);
      } else if (keyGroup < keyGroups.end()) {
        keyGroup++;
        if (scan.wantsKeyGroup(keyGroup)) {
          states = readKeyGroup().iterator();
        }
      } else {
        return false;
      }
    }
    elements.next().run();
    return true;
  }

  private List<KeyGroupContents> readKeyGroup() {
    element.keyGroup = keyGroup;
    Map<String, KeyGroupContents> contents = new HashMap<>();
    List<KeyGroupContents> inOrder = new ArrayList<>();
    for (KeyedStateMeta state : split.header().states()) {
      if (scan.wantsState(state.id())) {
        KeyGroupContents ofState = new KeyGroupContents(state);
        contents.put(state.name(), ofState);
        inOrder.add(ofState);
      }
    }
    bases.forEach(base -> base.readKeyGroup(keyGroup, contents));
    List<Change> inKeyGroup = changes.remove(keyGroup);
    if (inKeyGroup != null) {
      inKeyGroup.forEach(change -> apply(change, contents.get(change.state().name())));
    }
    return inOrder;
  }

  private void apply(Change change, KeyGroupContents contents) {
    element.state = change.state();
    requireDelimited(change.state());
    try {
      contents.apply(change.operation(), change.in());
    } catch (MalformedValueException e) {
      throw malformed(e);
    } catch (KeyGroupContents.MergeException e) {
      throw new StateSqlException(
          ErrorCode.UNDECODABLE_STATE,
          SplitFault.where(split, element)
              + "the changelog merges windows whose values only the job's own function can merge;"
              + " take a savepoint in canonical form (flink savepoint --type canonical).",
          e);
    }
  }

  private void requireDelimited(KeyedStateMeta state) {
    ElementCodecs codecs = state.codecs();
    for (Codec codec : new Codec[] {codecs.key(), codecs.namespace(), codecs.mapKey()}) {
      if (codec != null && !codec.isDelimited()) {
        throw SplitFault.undelimited(split, element, UndelimitedParts.reason(codec), null);
      }
    }
    boolean isCollection = state.kind() == StateKind.LIST || state.kind() == StateKind.MAP;
    if (isCollection && !codecs.value().isDelimited()) {
      throw SplitFault.undelimited(split, element, UndelimitedParts.reason(codecs.value()), null);
    }
  }

  @Override
  public StateSqlException malformed(MalformedValueException fault) {
    String state = element.state == null ? null : element.state.name();
    return SplitFault.malformed(split, state, element.keyGroup, false, fault);
  }

  @Override
  public void close() {
    RuntimeException failure = null;
    for (BaseElements base : bases) {
      try {
        base.elements.close();
      } catch (StateSqlException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  /** Walks the elements of a base with one element looked ahead. */
  private static final class BaseElements {
    private final KeyedElements elements;
    private boolean ahead;
    private boolean ended;

    BaseElements(KeyedElements elements) {
      this.elements = elements;
    }

    /** Moves over the key groups before the given one, and takes what that one holds. */
    void readKeyGroup(int keyGroup, Map<String, KeyGroupContents> contents) {
      while (isAhead() && elements.element().keyGroup() <= keyGroup) {
        ahead = false;
        KeyedElement element = elements.element();
        if (element.keyGroup() == keyGroup) {
          contents.get(element.state().name()).add(element);
        }
      }
    }

    private boolean isAhead() {
      if (!ahead && !ended) {
        ahead = elements.next();
        ended = !ahead;
      }
      return ahead;
    }
  }
}
