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

/**
 * The {@code hashCode()} of the Java object that a serializer makes of a key: what Flink computes
 * the {@linkplain KeyGroups key group} from. Safe for use by many threads.
 */
@FunctionalInterface
public interface KeyHash {
  /**
   * The hash code of a key.
   *
   * @param value a key as {@link Codec#read} yields it, not null: Flink refuses null as a key
   */
  int of(Object value);
}
