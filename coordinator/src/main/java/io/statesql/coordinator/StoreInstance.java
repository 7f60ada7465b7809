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

import java.util.Optional;
import java.util.OptionalLong;

/**
 * A registered instance. Times are in milliseconds since 1970, by the coordinator's clock unless
 * said otherwise.
 *
 * @param vertexId the job vertex that runs the operator, if its engine has one
 * @param firstReportMillis the first report of this instance
 * @param lastReportMillis the newest
 * @param lastUpload the newest snapshot that was uploaded, with the uploader's time
 * @param lag how many versions that snapshot is behind the newest one known of the run; empty while
 *     none is known
 */
public record StoreInstance(
    String engine,
    StoreInstanceId id,
    Optional<String> vertexId,
    StoreLocation location,
    long firstReportMillis,
    long lastReportMillis,
    Optional<SnapshotUpload> lastUpload,
    OptionalLong lag) {}
