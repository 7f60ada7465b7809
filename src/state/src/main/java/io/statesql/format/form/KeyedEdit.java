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
package io.statesql.format.form;

import io.statesql.format.key.StoredValues;
import io.statesql.format.model.KeyedChange;
import io.statesql.format.model.KeyedSplit;
import io.statesql.format.model.KeyedStateMeta;
import io.statesql.snapshot.KeyGroupRange;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * What changes in one handle of keyed state.
 *
 * @param changes of the operator
 * @param touched by state of the split's header, the key groups in which it changes; none is empty
 */
public record KeyedEdit(KeyedSplit split, Changes changes, Map<KeyedStateMeta, BitSet> touched) {

  /** Changes of an operator. */
  @FunctionalInterface
  public interface Changes {
    /** Those of a state in some key groups, in the order of their addresses. */
    Iterator<KeyedChange> of(String state, KeyGroupRange keyGroups);
  }

  /** The states that change in a key group, in the order of the header. */
  public List<KeyedStateMeta> statesIn(int keyGroup) {
    return touched.entrySet().stream()
        .filter(entry -> entry.getValue().get(keyGroup))
        .map(Map.Entry::getKey)
        .toList();
  }

  /** The key groups in which anything changes. */
  public BitSet keyGroups() {
    BitSet all = new BitSet();
    touched.values().forEach(all::or);
    return all;
  }

  /** The changes of a state in a key group. */
  public Iterator<KeyedChange> changes(KeyedStateMeta state, int keyGroup) {
    return changes.of(state.name(), new KeyGroupRange(keyGroup, 1));
  }

  /** Bytes of the keys and values that are put. */
  public long bytesPut() {
    long bytes = 0;
    for (KeyedStateMeta state : touched.keySet()) {
      Iterator<KeyedChange> each = changes.of(state.name(), split.handle().keyGroups());
      while (each.hasNext()) {
        KeyedChange change = each.next();
        byte[] value = StoredValues.of(state, change.change());
        bytes += value == null ? 0 : change.address().key().length() + value.length;
      }
    }
    return bytes;
  }
}
