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
package io.statesql.type.serializer;

import com.google.common.hash.Hashing;
import io.statesql.type.StateInput;
import java.util.Arrays;
import java.util.List;

/**
 * What tells one serializer snapshot from another of the same types: two whose values are numbers
 * that stand for other constants, or classes, differ here. Immutable.
 */
public final class StoredSchema {
  static final StoredSchema NONE = new StoredSchema(new byte[0], List.of());

  private final byte[] snapshot;
  private final List<String> enums;

  private StoredSchema(byte[] snapshot, List<String> enums) {
    this.snapshot = snapshot;
    this.enums = List.copyOf(enums);
  }

  /**
   * The schema in a snapshot.
   *
   * @param snapshot stands at its start
   * @param length how many bytes it has
   */
  public static StoredSchema of(StateInput snapshot, int length, List<String> enums) {
    int from = snapshot.position();
    return new StoredSchema(Arrays.copyOfRange(snapshot.array(), from, from + length), enums);
  }

  /** Whether there is no snapshot. */
  public boolean isUnknown() {
    return snapshot.length == 0;
  }

  /** A hash of the snapshot's bytes, in hex: the same exactly if all of it is. */
  public String hash() {
    return Hashing.sha256().hashBytes(snapshot).toString();
  }

  /**
   * Of each enum in it, in the order of the snapshot, the class and its constants in stored order,
   * such as {@code com.shop.Tier[GOLD, SILVER]}.
   */
  public List<String> enums() {
    return enums;
  }
}
