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
package io.statesql.golden;

import java.nio.file.Path;

/**
 * The backend with which a job is restored. A handle of type {@code KeyGroupsStateHandle} does not
 * say which backend wrote it; Flink takes the job's configuration, and the names of the recorded
 * folders tell that.
 */
enum StateBackendKind {
  HASHMAP,
  ROCKSDB;

  static StateBackendKind ofFolder(Path folder) {
    return folder.getFileName().toString().contains("-rocksdb-") ? ROCKSDB : HASHMAP;
  }
}
