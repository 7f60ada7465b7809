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

import org.jspecify.annotations.Nullable;

/**
 * The families of serializers that a {@link SnapshotReader} knows. Safe for use by many threads.
 */
public interface SerializerFamilies {

  /** The parser of the payload for a snapshot class, or null if no family has that class. */
  @Nullable SnapshotParser parserOf(String snapshotClassName);

  /**
   * The known name from which an unknown one differs in one letter, as after a fault of the disk.
   * Names that differ in a digit may be those of two classes.
   *
   * @return null if there is none
   */
  @Nullable String misspelt(String snapshotClassName);

  /** The same serializer, of keys. */
  StoredSerializer ofKey(StoredSerializer serializer);
}
