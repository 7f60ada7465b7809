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
package io.statesql.edit;

import io.statesql.format.model.EntryAddress;
import io.statesql.format.model.EntryChange;
import io.statesql.format.model.KeyedChange;
import io.statesql.format.model.KeyedElement;
import io.statesql.format.model.StagedEntry;
import io.statesql.format.model.StagedState;
import io.statesql.snapshot.Bytes;
import io.statesql.snapshot.KeyGroupRange;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** The changes of an operator as its readers see them; follows what becomes of the changes. */
final class OperatorEdits implements StagedState {
  private final Supplier<Optional<OperatorChanges>> changes;

  OperatorEdits(Supplier<Optional<OperatorChanges>> changes) {
    this.changes = changes;
  }

  @Override
  public StagedState asOfNow() {
    Optional<OperatorChanges> present = changes.get().map(OperatorChanges::asOfNow);
    return present.isEmpty() ? StagedState.NONE : new OperatorEdits(() -> present);
  }

  @Override
  public boolean isChanged(String state) {
    return changes.get().map(c -> c.keyedStates().contains(state)).orElse(false);
  }

  @Override
  public Predicate<KeyedElement> changedIn(String state, int keyGroup) {
    Optional<OperatorChanges> present = changes.get();
    if (present.isEmpty()) {
      return element -> false;
    }
    Predicate<EntryAddress> changed = present.get().changedIn(state, keyGroup);
    return element -> changed.test(EntryAddress.of(element));
  }

  @Override
  public Iterator<StagedEntry> entries(String state, KeyGroupRange keyGroups) {
    Optional<OperatorChanges> present = changes.get();
    if (present.isEmpty()) {
      return Collections.emptyIterator();
    }
    Iterator<KeyedChange> all = present.get().changes(state, keyGroups);
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return all.hasNext();
      }

      @Override
      public StagedEntry next() {
        return entry(all.next());
      }
    };
  }

  private static StagedEntry entry(KeyedChange change) {
    EntryAddress address = change.address();
    return new StagedEntry(
        address.keyGroup(),
        address.key(),
        address.namespace(),
        address.mapKey(),
        address.timestamp(),
        values(change.change()));
  }

  private static List<Bytes> values(EntryChange change) {
    if (change instanceof EntryChange.Put put) {
      return Collections.singletonList(put.value());
    }
    return change instanceof EntryChange.PutList list ? list.elements() : List.of();
  }

  @Override
  public Optional<List<Bytes>> list(String state, int subtask) {
    return changes.get().map(c -> c.lists(state).get(subtask));
  }

  @Override
  public Map<Bytes, Optional<Bytes>> broadcast(String state) {
    Map<Bytes, Optional<Bytes>> entries = new LinkedHashMap<>();
    changes
        .get()
        .ifPresent(
            c ->
                c.broadcasts(state)
                    .forEach(
                        (key, change) ->
                            entries.put(
                                key,
                                change instanceof EntryChange.Put put
                                    ? Optional.of(put.value())
                                    : Optional.empty())));
    return entries;
  }
}
