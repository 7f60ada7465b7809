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
import org.jspecify.annotations.Nullable;

/**
 * Where one thing stands in a keyed state: the value or the whole list of a key, one entry of its
 * map, or one timer. Its parts are the bytes that their serializers wrote, not put together for any
 * form of snapshot, so that equal addresses mean the same entry in every form. Immutable.
 *
 * <p>Ordered by key group, then by the unsigned bytes of key, namespace and map key, then by
 * timestamp.
 *
 * @param keyGroup of the key: as Flink computes it for a new key, or where the key was found
 * @param namespace the bytes of the window, or the single zero byte of the void namespace
 * @param mapKey the user key of a MAP entry, null for all other kinds
 * @param timestamp of a timer in epoch milliseconds, 0 for all other kinds
 */
public record EntryAddress(
    int keyGroup, Bytes key, Bytes namespace, @Nullable Bytes mapKey, long timestamp)
    implements Comparable<EntryAddress> {
  public EntryAddress {
    if (keyGroup < 0 || keyGroup >= KeyGroupRange.MAX_KEY_GROUPS) {
      throw new IllegalArgumentException("No key group has the number " + keyGroup);
    }
  }

  /** Of a value or of a whole list. */
  public static EntryAddress of(int keyGroup, Bytes key, Bytes namespace) {
    return new EntryAddress(keyGroup, key, namespace, null, 0);
  }

  /** Of one entry of a map. */
  public static EntryAddress ofMapEntry(int keyGroup, Bytes key, Bytes namespace, Bytes mapKey) {
    return new EntryAddress(keyGroup, key, namespace, mapKey, 0);
  }

  /** Of a timer. */
  public static EntryAddress ofTimer(int keyGroup, Bytes key, Bytes namespace, long timestamp) {
    return new EntryAddress(keyGroup, key, namespace, null, timestamp);
  }

  /**
   * Where an element that a reader stands on is stored; all elements of a list have one address.
   */
  public static EntryAddress of(KeyedElement element) {
    return new EntryAddress(
        element.keyGroup(),
        Bytes.rest(element.key()),
        Bytes.rest(element.storedNamespace()),
        element.state().kind() == StateKind.MAP ? Bytes.rest(element.mapKey()) : null,
        element.timestamp());
  }

  /** Where an element is stored; all elements of a list have one address. */
  public static EntryAddress of(StoredElement element) {
    return new EntryAddress(
        element.keyGroup(),
        element.key(),
        element.namespace(),
        element.mapKey(),
        element.timestamp());
  }

  @Override
  public int compareTo(EntryAddress other) {
    int order = Integer.compare(keyGroup, other.keyGroup);
    if (order == 0) {
      order = key.compareTo(other.key);
    }
    if (order == 0) {
      order = namespace.compareTo(other.namespace);
    }
    if (order == 0) {
      order = compareMapKeys(mapKey, other.mapKey);
    }
    return order == 0 ? Long.compare(timestamp, other.timestamp) : order;
  }

  /** None comes first. */
  private static int compareMapKeys(@Nullable Bytes one, @Nullable Bytes other) {
    if (one == null || other == null) {
      return Boolean.compare(one != null, other != null);
    }
    return one.compareTo(other);
  }
}
