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
package io.statesql.format.scan;

import io.statesql.format.bytes.BytesSet;
import io.statesql.snapshot.Bytes;
import io.statesql.type.Codec;
import io.statesql.type.ExactTypes;
import io.statesql.type.KeyGroups;
import io.statesql.type.KeyHash;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Keys as a codec stores them, with the key groups that they are in. Immutable.
 *
 * @param byKeyGroup null if the hash code of the keys is not known, so that each may be anywhere
 */
public record StoredKeys(BytesSet all, @Nullable Map<Integer, BytesSet> byKeyGroup) {
  public StoredKeys {
    byKeyGroup = byKeyGroup == null ? null : Map.copyOf(byKeyGroup);
  }

  /**
   * The stored form of some keys.
   *
   * @param values as the codec reads them; those that it cannot hold are left out
   * @param codec of an {@linkplain ExactTypes exact} type
   */
  static StoredKeys of(Iterable<?> values, Codec codec, int maxParallelism) {
    KeyHash hash = codec.keyHash();
    List<byte[]> all = new ArrayList<>();
    Map<Integer, List<byte[]>> byKeyGroup = new HashMap<>();
    for (Object value : values) {
      Optional<byte[]> bytes = ExactTypes.bytes(codec, value);
      if (bytes.isPresent()) {
        all.add(bytes.get());
        if (hash != null) {
          byKeyGroup
              .computeIfAbsent(
                  KeyGroups.of(hash.of(value), maxParallelism), unknown -> new ArrayList<>())
              .add(bytes.get());
        }
      }
    }
    return new StoredKeys(
        new BytesSet(all),
        hash == null
            ? null
            : byKeyGroup.entrySet().stream()
                .collect(
                    Collectors.toMap(Map.Entry::getKey, keys -> new BytesSet(keys.getValue()))));
  }

  /** Keys of which the bytes and the key groups are known. */
  static StoredKeys of(Map<Integer, Set<Bytes>> keys) {
    Map<Integer, BytesSet> byKeyGroup = new HashMap<>();
    List<byte[]> all = new ArrayList<>();
    keys.forEach(
        (keyGroup, members) -> {
          List<byte[]> bytes = members.stream().map(Bytes::toByteArray).toList();
          byKeyGroup.put(keyGroup, new BytesSet(bytes));
          all.addAll(bytes);
        });
    return new StoredKeys(new BytesSet(all), byKeyGroup);
  }

  /** The keys that may be in a key group; null if none. */
  public @Nullable BytesSet in(int keyGroup) {
    if (byKeyGroup != null) {
      return byKeyGroup.get(keyGroup);
    }
    return all.size() == 0 ? null : all;
  }
}
