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
package io.statesql.format.changelog;

import io.statesql.format.key.OwnKeys;
import io.statesql.format.model.KeyedSplit;
import io.statesql.format.model.KeyedStateMeta;
import io.statesql.format.model.StateKind;
import io.statesql.format.scan.SplitScan;
import io.statesql.snapshot.KeyGroupRange;
import io.statesql.snapshot.KeyedStateHandle;
import io.statesql.snapshot.KeyedStateHandle.StateChange;
import io.statesql.snapshot.Snapshot;
import io.statesql.type.StateInput;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The changes that a log holds for the wanted states of a split, by key group. A log is ordered by
 * time and cannot be read by key group, so that they are read once and kept if they fit, else again
 * for each key group.
 */
final class LoggedChanges {
  /** Objects and references of one change that is kept. */
  private static final long CHANGE_BYTES = 128;

  private final Snapshot snapshot;
  private final SplitScan scan;
  private final OwnKeys keys;

  /** The changes that are kept; none of a key group that does not fit. */
  private final TreeMap<Integer, Kept> kept = new TreeMap<>();

  private long bytes;

  /**
   * @param keys goes over those of changes that are passed over: they may be wanted ones, damaged
   */
  LoggedChanges(Snapshot snapshot, SplitScan scan, OwnKeys keys) {
    this.snapshot = snapshot;
    this.scan = scan;
    this.keys = keys;
  }

  /** Takes changes in their order. */
  @FunctionalInterface
  interface Consumer {
    /**
     * Takes the next change.
     *
     * @param state as whose its values are stored
     * @param in stands behind the number of the state; good until the method returns
     */
    void accept(KeyedStateMeta state, ChangeOperation operation, StateInput in);
  }

  /** The changes of one key group. */
  private static final class Kept {
    private final List<Change> changes = new ArrayList<>();
    private long bytes;
  }

  /**
   * A change that is kept.
   *
   * @param in over a copy of the bytes behind the number of the state; read once
   */
  private record Change(KeyedStateMeta state, ChangeOperation operation, StateInput in) {}

  /**
   * Keeps the changes of as many key groups as fit, from the first on.
   *
   * @param limit how much memory they may take, in bytes
   * @return the key groups; their changes are kept unless it is only one
   */
  KeyGroupRange keep(KeyGroupRange keyGroups, long limit) {
    kept.clear();
    bytes = 0;
    if (keyGroups.count() < 2) {
      return keyGroups;
    }
    int[] end = {keyGroups.end()};
    read(
        (group, state, operation, in) -> {
          if (group >= keyGroups.start() && group <= end[0]) {
            keep(group, state, operation, in);
            while (bytes > limit && end[0] > keyGroups.start()) {
              drop(end[0]);
              end[0]--;
            }
          }
        });
    return new KeyGroupRange(keyGroups.start(), end[0] - keyGroups.start() + 1);
  }

  private void keep(int group, KeyedStateMeta state, ChangeOperation operation, StateInput in) {
    long offset = in.offset();
    byte[] copy = in.readBytes(in.remaining());
    Kept ofGroup = kept.computeIfAbsent(group, unknown -> new Kept());
    ofGroup.changes.add(
        new Change(state, operation, new StateInput().reset(copy, 0, copy.length, offset)));
    ofGroup.bytes += CHANGE_BYTES + copy.length;
    bytes += CHANGE_BYTES + copy.length;
  }

  private void drop(int group) {
    Kept dropped = kept.remove(group);
    bytes -= dropped == null ? 0 : dropped.bytes;
  }

  /** Gives the changes of a key group that are kept, and forgets them. */
  void takeKept(int group, Consumer consumer) {
    Kept ofGroup = kept.remove(group);
    if (ofGroup != null) {
      bytes -= ofGroup.bytes;
      ofGroup.changes.forEach(
          change -> consumer.accept(change.state(), change.operation(), change.in()));
    }
  }

  /** Reads the log for the changes of one key group. */
  void read(int wanted, Consumer consumer) {
    read(
        (group, state, operation, in) -> {
          if (group == wanted) {
            consumer.accept(state, operation, in);
          }
        });
  }

  /** Takes changes with their key groups. */
  @FunctionalInterface
  private interface GroupConsumer {
    void accept(int group, KeyedStateMeta state, ChangeOperation operation, StateInput in);
  }

  private void read(GroupConsumer consumer) {
    KeyedSplit split = scan.split();
    Map<Integer, KeyedStateMeta> byNumber = new HashMap<>();
    new Changelog(snapshot, split)
        .read(
            ((KeyedStateHandle.Changelog) split.handle()).nonMaterialized(),
            (group, change) -> {
              snapshot.scan().cancellation().check();
              ChangeOperation operation = ChangeOperation.read(change);
              if ((group == StateChange.METADATA) != (operation == ChangeOperation.METADATA)) {
                throw change.malformed("a change %s stands in key group %d", operation, group);
              }
              if (group == StateChange.METADATA) {
                KeyedStateMeta described =
                    ChangelogStates.describe(change, split.header().key(), split.serializers());
                byNumber.put(described.id(), ChangelogStates.find(split.header(), described));
                return;
              }
              KeyedStateMeta state = state(change, byNumber);
              if (scan.wantsState(state.id())) {
                if (split.keyGroups().contains(group) && scan.wantsKeyGroup(group)) {
                  consumer.accept(group, state, operation, change);
                } else {
                  requireOwnKey(state, operation, group, change);
                }
              }
            });
  }

  /** Of timers, the first one's is looked at. */
  private void requireOwnKey(
      KeyedStateMeta state, ChangeOperation operation, int group, StateInput change) {
    if (keys.areKnown(state)) {
      if (state.kind() == StateKind.TIMER) {
        change.skip(Long.BYTES + (operation == ChangeOperation.ADD_ELEMENT ? Integer.BYTES : 0));
      }
      keys.skip(state, group, change);
    }
  }

  private static KeyedStateMeta state(StateInput change, Map<Integer, KeyedStateMeta> byNumber) {
    int number = change.readUnsignedShort();
    KeyedStateMeta state = byNumber.get(number);
    if (state == null) {
      throw change.malformed("a change is of state number %d, which is not described", number);
    }
    return state;
  }
}
