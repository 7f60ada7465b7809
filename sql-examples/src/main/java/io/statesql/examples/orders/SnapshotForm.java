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
package io.statesql.examples.orders;

/** What kind of snapshot a run writes. */
public enum SnapshotForm {
  /** A savepoint in the format that every backend reads. */
  CANONICAL,
  /** A savepoint in the backend's own format. */
  NATIVE,
  /** A checkpoint that holds everything. */
  FULL_CHECKPOINT,
  /** A checkpoint that may refer to files of earlier ones. */
  INCREMENTAL_CHECKPOINT;

  boolean isSavepoint() {
    return this == CANONICAL || this == NATIVE;
  }
}
