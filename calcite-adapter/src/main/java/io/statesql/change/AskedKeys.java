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
package io.statesql.change;

import io.statesql.format.model.EntryAddress;
import io.statesql.format.model.KeyedSplit;
import io.statesql.format.scan.ElementCondition;
import io.statesql.snapshot.Bytes;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Keys whose elements are looked up. Beyond a number of them their key groups are read. */
final class AskedKeys {
  private static final int MOST = 10_000;

  private final Map<Integer, Set<Bytes>> byKeyGroup = new HashMap<>();
  private int count;

  void add(EntryAddress address) {
    add(address.keyGroup(), address.key());
  }

  void add(int keyGroup, Bytes key) {
    Set<Bytes> keys = byKeyGroup.computeIfAbsent(keyGroup, unknown -> new HashSet<>());
    if (count <= MOST && keys.add(key)) {
      count++;
    }
  }

  boolean isIn(KeyedSplit split) {
    return byKeyGroup.keySet().stream().anyMatch(split.keyGroups()::contains);
  }

  ElementCondition condition() {
    return count <= MOST
        ? ElementCondition.ofStoredKeys(byKeyGroup)
        : ElementCondition.ofKeyGroups(byKeyGroup.keySet());
  }
}
