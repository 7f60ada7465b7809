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
import io.statesql.coordinator.SnapshotUpload;
import io.statesql.coordinator.StoreInstance;
import io.statesql.coordinator.StoreLocation;
import java.util.Optional;
import java.util.OptionalLong;

/** A registered instance; times are in milliseconds since 1970. What is not known is left out. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record InstanceJson(
    String engine,
    IdJson id,
    String vertexId,
    String host,
    String executorId,
    long firstReportMillis,
    long lastReportMillis,
    UploadJson lastUpload,
    Long lag) {

  public static InstanceJson of(StoreInstance instance) {
    return new InstanceJson(
        instance.engine(),
        IdJson.of(instance.id()),
        instance.vertexId().orElse(null),
        instance.location().host(),
        instance.location().executorId(),
        instance.firstReportMillis(),
        instance.lastReportMillis(),
        UploadJson.of(instance.lastUpload().orElse(SnapshotUpload.NONE)),
        instance.lag().isPresent() ? instance.lag().getAsLong() : null);
  }

  public StoreInstance toInstance() {
    return new StoreInstance(
        engine,
        id.toInstanceId(),
        Optional.ofNullable(vertexId),
        new StoreLocation(host, executorId),
        firstReportMillis,
        lastReportMillis,
        Optional.ofNullable(lastUpload).map(UploadJson::toUpload),
        lag == null ? OptionalLong.empty() : OptionalLong.of(lag));
  }
}
