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
 * What an executor says of an instance that it has loaded.
 *
 * @param engine for example {@code spark} or {@code flink}
 * @param vertexId the job vertex that runs the operator; null where the engine has none
 * @param ageMillis how long ago the executor loaded the instance or used it for a task. Reports
 *     that come late or once more thereby never displace a newer one of another executor.
 * @param lastUpload the newest snapshot that the executor knows of; {@link SnapshotUpload#NONE} if
 *     it knows none
 */
public record InstanceReport(
    StoreInstanceId id, String engine, String vertexId, long ageMillis, SnapshotUpload lastUpload) {
  /**
   * @throws IllegalArgumentException if a part is missing, too long or negative
   */
  public InstanceReport {
    if (id == null) {
      throw new IllegalArgumentException("id is missing");
    }
    Checks.text("engine", engine, Checks.MAX_NAME);
    if (vertexId != null) {
      Checks.text("vertexId", vertexId, Checks.MAX_NAME);
    }
    Checks.notNegative("ageMillis", ageMillis);
    if (lastUpload == null) {
      throw new IllegalArgumentException("lastUpload is missing");
    }
  }

  /** A report of an instance that has just become active. */
  public static InstanceReport now(StoreInstanceId id, String engine) {
    return new InstanceReport(id, engine, null, 0, SnapshotUpload.NONE);
  }
}
