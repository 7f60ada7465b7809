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
 * A state store, whichever run of its query or job has it open: Spark's {@code StateStoreId}.
 *
 * @param checkpointLocation the root of the checkpoint, as its engine writes it
 * @param operatorId Spark's number, or the 32 hexadecimal digits of Flink's operator
 * @param partitionId Spark's partition, or Flink's subtask
 * @param storeName {@link #DEFAULT_NAME} where an operator has one store for each partition
 */
public record StoreId(
    String checkpointLocation, String operatorId, int partitionId, String storeName) {
  /** How Spark calls the only store of a partition. */
  public static final String DEFAULT_NAME = "default";

  /**
   * @throws IllegalArgumentException if a text is null, empty, too long or not printable, or the
   *     partition is negative
   */
  public StoreId {
    Checks.text("checkpointLocation", checkpointLocation, Checks.MAX_LOCATION);
    Checks.text("operatorId", operatorId, Checks.MAX_NAME);
    Checks.notNegative("partitionId", partitionId);
    Checks.text("storeName", storeName, Checks.MAX_NAME);
  }

  /** The path that Spark gives the store: location, operator, partition and name. */
  @Override
  public String toString() {
    return checkpointLocation + "/" + operatorId + "/" + partitionId + "/" + storeName;
  }
}
