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
import io.statesql.type.StateInput;
import org.jspecify.annotations.Nullable;

/**
 * One stored thing, the same for every layout: of keyed state the value of a key, one element of
 * its list, one entry of its map, or one timer; of operator state one element or one BROADCAST
 * entry. A view that its {@link KeyedElements} moves: the inputs point into a buffer and are good
 * until the next call of {@link KeyedElements#next}. Each input covers exactly the bytes of its
 * part and is read at most once per element.
 */
public final class KeyedElement {
  public KeyedStateMeta state;
  public int keyGroup;
  public int subtask;
  public int listIndex;
  public long timestamp;
  public boolean valueIsNull;

  /** Whether the namespace shown is not the one under which the element is stored. */
  public boolean isRenamed;

  public final StateInput key = new StateInput();
  public final StateInput namespace = new StateInput();
  public final StateInput mapKey = new StateInput();
  public final StateInput value = new StateInput();
  public final StateInput renamed = new StateInput();

  public KeyedElement() {}

  /** Shows a value, or that there is none. */
  public void show(@Nullable Bytes newValue) {
    valueIsNull = newValue == null;
    value.reset((newValue == null ? Bytes.EMPTY : newValue).input());
  }

  public KeyedStateMeta state() {
    return state;
  }

  public int keyGroup() {
    return keyGroup;
  }

  /** The subtask that holds an element of operator state; 0 for keyed state. */
  public int subtask() {
    return subtask;
  }

  public StateInput key() {
    return key;
  }

  /** The namespace's bytes; of a windowed state, the window under which it is stored. */
  public StateInput namespace() {
    return namespace;
  }

  /** The namespace under which the element is stored, also where SQL shows another window. */
  public StateInput storedNamespace() {
    return isRenamed ? renamed : namespace;
  }

  /** The user key of a MAP or BROADCAST entry; empty for other kinds. */
  public StateInput mapKey() {
    return mapKey;
  }

  /** The position of a list element, from 0; 0 for other kinds. */
  public int listIndex() {
    return listIndex;
  }

  /** The time of a TIMER in epoch milliseconds; 0 for other kinds. */
  public long timestamp() {
    return timestamp;
  }

  /** Whether a MAP entry's value is null, so that {@link #value} has nothing to read. */
  public boolean valueIsNull() {
    return valueIsNull;
  }

  /** The value, list element or map value; without content for a TIMER. */
  public StateInput value() {
    return value;
  }
}
