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
package io.statesql.type;

import org.apache.flink.util.MathUtils;

/** Where Flink keeps a key: {@code KeyGroupRangeAssignment}, flink-runtime 2.3. */
public final class KeyGroups {
  private KeyGroups() {}

  /**
   * The key group of a key.
   *
   * @param hash by the {@link KeyHash} of its codec
   * @param maxParallelism of the operator, at least 1
   */
  public static int of(int hash, int maxParallelism) {
    return MathUtils.murmurHash(hash) % maxParallelism;
  }
}
