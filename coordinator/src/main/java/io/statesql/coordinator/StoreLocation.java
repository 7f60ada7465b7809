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
 * Where an instance of a store is active.
 *
 * @param executorId the process on that host: Spark's executor, Flink's task manager
 */
public record StoreLocation(String host, String executorId) {
  /**
   * @throws IllegalArgumentException if a text is null, empty, too long or not printable
   */
  public StoreLocation {
    Checks.text("host", host, Checks.MAX_NAME);
    Checks.text("executorId", executorId, Checks.MAX_NAME);
  }

  /** As Spark names the location of a task that prefers an executor's cache. */
  @Override
  public String toString() {
    return "executor_" + host + "_" + executorId;
  }
}
