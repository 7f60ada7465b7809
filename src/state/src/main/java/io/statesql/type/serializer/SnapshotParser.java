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

import io.statesql.type.Codec;

/** Reads the payload that one class of {@code TypeSerializerSnapshot} writes. */
@FunctionalInterface
public interface SnapshotParser {

  /**
   * Reads the payload and leaves the input after it.
   *
   * @param version the version that precedes the payload ({@code getCurrentVersion} of the writer)
   */
  StoredSerializer parse(SnapshotReader reader, int version);

  /**
   * {@code SimpleTypeSerializerSnapshot}: nothing since version 3, a class name that nobody needs
   * in version 2.
   */
  static SnapshotParser simple(String description, Codec codec) {
    StoredSerializer serializer = new StoredSerializer(description, codec);
    return (reader, version) -> {
      if (version == 2) {
        reader.in().readUtf();
      } else if (version != 3) {
        throw reader
            .in()
            .malformed("the snapshot of %s has the unknown version %d", description, version);
      }
      return serializer;
    };
  }
}
