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
package io.statesql.snapshot;

/**
 * What the first bytes of {@code _metadata} say, to be known without reading the rest.
 *
 * @param version of the file's format
 */
public record SnapshotHeader(int version, long checkpointId) {
  /** Magic number, version, checkpoint id: Flink's MetadataSerializers, all versions. */
  static final int BYTES = 2 * Integer.BYTES + Long.BYTES;
}
