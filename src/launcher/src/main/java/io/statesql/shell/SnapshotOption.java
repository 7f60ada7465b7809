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
package io.statesql.shell;

/** Options that say how snapshots are opened, each with the connection property that carries it. */
enum SnapshotOption {
  UIDS("--uids", "uids"),
  PATH_MAP("--path-map", "pathMap"),
  JARS("--jars", "jars"),
  COMMIT_TO("--commit-to", "commitTo"),
  DRY_RUN("--dry-run", "dryRun"),
  ISOLATE("--isolate", "isolate"),
  COORDINATOR("--coordinator", "coordinator"),
  COORDINATOR_TOKEN_FILE("--coordinator-token-file", "coordinatorTokenFile"),
  PARALLELISM("--parallelism", "parallelism"),
  MEMORY("--memory", "memory");

  private final String option;
  private final String property;

  SnapshotOption(String option, String property) {
    this.option = option;
    this.property = property;
  }

  /** As typed, with its dashes. */
  String option() {
    return option;
  }

  /** Whether it has no value. */
  boolean isFlag() {
    return this == DRY_RUN || this == ISOLATE;
  }

  /** Whether it may be given several times, for a property that is a list. */
  boolean isRepeatable() {
    return this == PATH_MAP;
  }

  /** The connection property. */
  String property() {
    return property;
  }
}
