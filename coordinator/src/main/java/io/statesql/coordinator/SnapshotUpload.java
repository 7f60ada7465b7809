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
package io.statesql.coordinator;

/**
 * The snapshot of a store that was uploaded last: Spark's {@code SnapshotUploadEvent}.
 *
 * @param version of the state; 0 if none was uploaded
 * @param timeMillis when, in milliseconds since 1970 by the uploader's clock
 */
public record SnapshotUpload(long version, long timeMillis) {
  /** What counts for a store of which no snapshot was uploaded. */
  public static final SnapshotUpload NONE = new SnapshotUpload(0, 0);

  /**
   * @throws IllegalArgumentException if a number is negative
   */
  public SnapshotUpload {
    Checks.notNegative("version", version);
    Checks.notNegative("timeMillis", timeMillis);
  }
}
