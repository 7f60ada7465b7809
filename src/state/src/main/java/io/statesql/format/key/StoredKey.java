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

import io.statesql.format.model.ElementCodecs;
import io.statesql.format.model.KeyedStateMeta;
import io.statesql.format.model.StateKind;
import io.statesql.snapshot.Bytes;
import io.statesql.type.StateOutput;
import org.jspecify.annotations.Nullable;

/**
 * Puts together the keys that {@link CompositeKey} splits: those of the entries of one state in
 * canonical savepoints and in RocksDB. Not thread-safe.
 */
public final class StoredKey {
  private final int prefixBytes;
  private final boolean timer;
  private final boolean ambiguous;
  private final StateOutput out = new StateOutput();

  /**
   * @param maxParallelism of the operator; decides how wide a key group is
   */
  public StoredKey(KeyedStateMeta state, int maxParallelism) {
    ElementCodecs codecs = state.codecs();
    this.prefixBytes = CompositeKey.prefixBytes(maxParallelism);
    this.timer = state.kind() == StateKind.TIMER;
    this.ambiguous = codecs.key().declaredLength() < 0 && codecs.namespace().declaredLength() < 0;
  }

  /**
   * The key of one entry.
   *
   * @param mapKey null for all kinds but MAP
   * @param timestamp of a timer, in epoch milliseconds
   */
  public Bytes of(
      int keyGroup, Bytes key, Bytes namespace, @Nullable Bytes mapKey, long timestamp) {
    out.reset();
    if (prefixBytes == 1) {
      out.writeByte(keyGroup);
    } else {
      out.writeShort(keyGroup);
    }
    if (timer) {
      out.writeLong(timestamp ^ CompositeEntry.FLIPPED_SIGN);
    }
    write(key);
    write(namespace);
    if (mapKey != null) {
      out.writeBytes(mapKey.toByteArray());
    }
    return Bytes.copyOf(out.toByteArray());
  }

  private void write(Bytes part) {
    out.writeBytes(part.toByteArray());
    if (ambiguous && !timer) {
      int rest = part.length();
      do {
        out.writeByte(rest);
        rest >>>= Byte.SIZE;
      } while (rest != 0);
    }
  }
}
