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

/** A run of a query or job, as long as it is remembered. Guarded by the lock of its registry. */
final class RegisteredRun {
  final String id;

  /** In the order in which runs became known, for runs with the same first report. */
  final long ordinal;

  /** Monotonic. */
  long firstReport = Long.MAX_VALUE;

  long latestVersion;
  int activeCount;
  boolean isDeactivated;

  /** When its last instance went or it was deactivated; monotonic. */
  long idleSince;

  RegisteredRun(String id, long ordinal) {
    this.id = id;
    this.ordinal = ordinal;
  }

  boolean isNewerThan(RegisteredRun other) {
    return firstReport > other.firstReport
        || (firstReport == other.firstReport && ordinal > other.ordinal);
  }
}
