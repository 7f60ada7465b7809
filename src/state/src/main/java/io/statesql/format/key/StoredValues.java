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
package io.statesql.format.key;

import io.statesql.format.model.EntryAddress;
import io.statesql.format.model.EntryChange;
import io.statesql.format.model.KeyedChange;
import io.statesql.format.model.KeyedStateMeta;
import io.statesql.format.model.StateKind;
import io.statesql.snapshot.Bytes;
import io.statesql.type.StateOutput;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The values of entries as canonical savepoints and RocksDB hold them: those of maps behind a mark
 * of null, those of lists with commas between their elements ({@code ListDelimitedSerializer},
 * flink-runtime 2.3).
 */
public final class StoredValues {
  private static final int LIST_DELIMITER = ',';

  private StoredValues() {}

  /** The key of the entry that changes. */
  public static Bytes key(StoredKey key, KeyedChange change) {
    EntryAddress address = change.address();
    return key.of(
        address.keyGroup(),
        address.key(),
        address.namespace(),
        address.mapKey(),
        address.timestamp());
  }

  /** The value that is put; null if the entry is removed. */
  public static byte @Nullable [] of(KeyedStateMeta state, EntryChange change) {
    if (change instanceof EntryChange.PutList list) {
      return joined(list.elements());
    }
    if (!(change instanceof EntryChange.Put put)) {
      return null;
    }
    if (state.kind() != StateKind.MAP) {
      return put.value().toByteArray();
    }
    StateOutput out = new StateOutput();
    out.writeBoolean(put.value() == null);
    if (put.value() != null) {
      out.writeBytes(put.value().toByteArray());
    }
    return out.toByteArray();
  }

  private static byte[] joined(List<Bytes> elements) {
    StateOutput out = new StateOutput();
    for (int i = 0; i < elements.size(); i++) {
      if (i > 0) {
        out.writeByte(LIST_DELIMITER);
      }
      out.writeBytes(elements.get(i).toByteArray());
    }
    return out.toByteArray();
  }
}
