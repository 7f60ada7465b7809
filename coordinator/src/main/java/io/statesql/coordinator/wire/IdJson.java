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
package io.statesql.coordinator.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.statesql.coordinator.LocationQuery;
import io.statesql.coordinator.StoreId;
import io.statesql.coordinator.StoreInstanceId;
import java.util.Optional;

/**
 * A store or an instance of it.
 *
 * @param storeName {@link StoreId#DEFAULT_NAME} if missing
 * @param runId may be missing only where a message says so
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record IdJson(
    String checkpointLocation,
    String operatorId,
    Integer partitionId,
    String storeName,
    String runId) {

  public static IdJson of(StoreInstanceId id) {
    return of(id.store(), id.runId());
  }

  public static IdJson of(LocationQuery query) {
    return of(query.store(), query.runId().orElse(null));
  }

  private static IdJson of(StoreId store, String runId) {
    return new IdJson(
        store.checkpointLocation(),
        store.operatorId(),
        store.partitionId(),
        store.storeName(),
        runId);
  }

  private StoreId store() {
    if (partitionId == null) {
      throw new IllegalArgumentException("partitionId is missing");
    }
    return new StoreId(
        checkpointLocation,
        operatorId,
        partitionId,
        storeName == null ? StoreId.DEFAULT_NAME : storeName);
  }

  public StoreInstanceId toInstanceId() {
    return new StoreInstanceId(store(), runId);
  }

  public LocationQuery toQuery() {
    return new LocationQuery(store(), Optional.ofNullable(runId));
  }
}
