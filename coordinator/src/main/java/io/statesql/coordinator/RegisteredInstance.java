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
 * A row of the registry. Small, because there are many: with the {@link StoreId} and the entry of
 * the map it takes less than 200 bytes. Guarded by the lock of its registry.
 */
final class RegisteredInstance {
  final StoreId store;
  final RegisteredRun run;

  /** Instances of the same store in other runs. */
  RegisteredInstance next;

  /** Null while it is not active, and only what was uploaded is remembered. */
  RegisteredExecutor executor;

  String engine;
  String vertexId;
  long firstReportMillis = Long.MAX_VALUE;
  long lastReportMillis;

  /** When the executor loaded or used it; monotonic. */
  long activeSince;

  long snapshotVersion;
  long snapshotMillis;

  RegisteredInstance(StoreId store, RegisteredRun run) {
    this.store = store;
    this.run = run;
  }

  StoreInstanceId id() {
    return new StoreInstanceId(store, run.id);
  }

  boolean isActive() {
    return executor != null;
  }

  SnapshotUpload lastUpload() {
    return snapshotVersion == 0
        ? SnapshotUpload.NONE
        : new SnapshotUpload(snapshotVersion, snapshotMillis);
  }

  boolean accept(SnapshotUpload upload) {
    if (upload.version() <= snapshotVersion) {
      return false;
    }
    snapshotVersion = upload.version();
    snapshotMillis = upload.timeMillis();
    run.latestVersion = Math.max(run.latestVersion, snapshotVersion);
    return true;
  }

  StoreInstance toValue() {
    return new StoreInstance(
        engine,
        id(),
        Optional.ofNullable(vertexId),
        executor.location,
        firstReportMillis,
        lastReportMillis,
        snapshotVersion == 0 ? Optional.empty() : Optional.of(lastUpload()),
        run.latestVersion == 0
            ? OptionalLong.empty()
            : OptionalLong.of(run.latestVersion - snapshotVersion));
  }
}
