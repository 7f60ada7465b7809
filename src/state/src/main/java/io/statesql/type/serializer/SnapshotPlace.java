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

/**
 * Where a serializer snapshot stands in a header. Immutable.
 *
 * @param path names the place: the same in all headers that have it
 * @param depth how many snapshots enclose the one that stands there
 * @param context of the header
 * @param families which parsers read what stands there
 */
public record SnapshotPlace(
    String path, int depth, SerializerContext context, SerializerFamilies families) {

  /** A place within this one. */
  public SnapshotPlace within(String part) {
    return new SnapshotPlace(path + "/" + part, depth, context, families);
  }
}
