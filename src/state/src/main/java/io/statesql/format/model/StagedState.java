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
package io.statesql.format.model;

import io.statesql.snapshot.Bytes;
import io.statesql.snapshot.KeyGroupRange;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** The changes of an operator's state that readers see although no file holds them yet. */
public interface StagedState {
  /** No changes. */
  StagedState NONE =
      new StagedState() {
        @Override
        public StagedState asOfNow() {
          return this;
        }

        @Override
        public boolean isChanged(String state) {
          return false;
        }

        @Override
        public Predicate<KeyedElement> changedIn(String state, int keyGroup) {
          return element -> false;
        }

        @Override
        public Iterator<StagedEntry> entries(String state, KeyGroupRange keyGroups) {
          return Collections.emptyIterator();
        }

        @Override
        public Optional<List<Bytes>> list(String state, int subtask) {
          return Optional.empty();
        }

        @Override
        public Map<Bytes, Optional<Bytes>> broadcast(String state) {
          return Map.of();
        }
      };

  /** The changes that there are now, for a reader that shall not see later ones. */
  StagedState asOfNow();

  /** Whether anything of a keyed state changed. */
  boolean isChanged(String state);

  /** Tells which elements of a key group, as stored, are no longer what is there. */
  Predicate<KeyedElement> changedIn(String state, int keyGroup);

  /** What became of the changed entries, in ascending order of key groups. */
  Iterator<StagedEntry> entries(String state, KeyGroupRange keyGroups);

  /** The elements that a subtask has now of a list of operator state; empty if as stored. */
  Optional<List<Bytes>> list(String state, int subtask);

  /** The changed entries of a broadcast state by key; empty values were removed. */
  Map<Bytes, Optional<Bytes>> broadcast(String state);
}
