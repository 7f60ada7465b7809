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
import org.jspecify.annotations.Nullable;

/**
 * One element of state as its bytes: what a statement changes or removes. Immutable.
 *
 * @param state of the split that holds it
 * @param subtask that holds an element of operator state; 0 for keyed state
 * @param namespace as stored, which of a merging window is not the window that SQL shows
 * @param mapKey of a MAP or BROADCAST entry; null for other kinds
 * @param listIndex position in its list; 0 for other kinds
 * @param timestamp of a TIMER in epoch milliseconds; 0 for other kinds
 * @param value with the time of the last access before it where the state has a time to live; null
 *     for the null value of a MAP entry
 */
public record StoredElement(
    StateMeta state,
    int keyGroup,
    int subtask,
    Bytes key,
    Bytes namespace,
    @Nullable Bytes mapKey,
    int listIndex,
    long timestamp,
    @Nullable Bytes value) {

  /** The present element of a reader, which stays where it is. */
  public static StoredElement of(StateMeta state, KeyedElement element) {
    boolean isEntry = state.kind() == StateKind.MAP || state.kind() == StateKind.BROADCAST;
    return new StoredElement(
        state,
        element.keyGroup(),
        element.subtask(),
        Bytes.rest(element.key()),
        Bytes.rest(element.storedNamespace()),
        isEntry ? Bytes.rest(element.mapKey()) : null,
        element.listIndex(),
        element.timestamp(),
        element.valueIsNull() ? null : Bytes.rest(element.value()));
  }
}
