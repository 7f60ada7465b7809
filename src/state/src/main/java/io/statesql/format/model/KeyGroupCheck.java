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

import io.statesql.type.Codec;
import io.statesql.type.KeyGroups;
import io.statesql.type.KeyHash;
import io.statesql.type.MalformedValueException;
import org.jspecify.annotations.Nullable;

/**
 * Tells keys that stand where Flink would not have put them: their bytes are damaged, or what was
 * read as a key is something else. Only of types whose hash code is known.
 */
public final class KeyGroupCheck {
  private final KeyHash hash;
  private final int maxParallelism;

  private KeyGroupCheck(KeyHash hash, int maxParallelism) {
    this.hash = hash;
    this.maxParallelism = maxParallelism;
  }

  /**
   * The check for keys of a codec, or null if there is none.
   *
   * @param key null for state without keys
   * @param maxParallelism of the operator
   */
  public static @Nullable KeyGroupCheck of(@Nullable Codec key, int maxParallelism) {
    return key == null || key.keyHash() == null
        ? null
        : new KeyGroupCheck(key.keyHash(), maxParallelism);
  }

  /**
   * Refuses a key that does not belong to its key group.
   *
   * @param key as the codec read it
   * @param keyGroup in which it stands
   * @param offset of its bytes
   * @throws MalformedValueException if it belongs to another key group
   */
  public void require(@Nullable Object key, int keyGroup, long offset) {
    if (key == null) {
      throw new MalformedValueException(offset, "a key is null");
    }
    int own = KeyGroups.of(hash.of(key), maxParallelism);
    if (own != keyGroup) {
      throw new MalformedValueException(
          offset, "a key of key group " + own + " stands in key group " + keyGroup);
    }
  }
}
