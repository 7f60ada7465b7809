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

import io.statesql.coordinator.SnapshotUpload;

/**
 * A snapshot that was uploaded.
 *
 * @param timeMillis since 1970
 */
public record UploadJson(Long version, Long timeMillis) {
  /** Null if there was none. */
  public static UploadJson of(SnapshotUpload upload) {
    return upload.version() == 0 ? null : new UploadJson(upload.version(), upload.timeMillis());
  }

  public SnapshotUpload toUpload() {
    return new SnapshotUpload(
        Required.field("version", version), Required.field("timeMillis", timeMillis));
  }
}
