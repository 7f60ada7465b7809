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
 * A state store as one run of its query or job has it open: Spark's {@code StateStoreProviderId}.
 *
 * @param runId Spark's query run id, or Flink's job id
 */
public record StoreInstanceId(StoreId store, String runId) {
  /**
   * @throws IllegalArgumentException if the run's id is null, empty, too long or not printable
   */
  public StoreInstanceId {
    if (store == null) {
      throw new IllegalArgumentException("store is missing");
    }
    Checks.text("runId", runId, Checks.MAX_NAME);
  }

  @Override
  public String toString() {
    return store + " of run " + runId;
  }
}
