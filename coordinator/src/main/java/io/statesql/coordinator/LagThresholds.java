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

import java.time.Duration;

/**
 * When a store lags behind: if its last snapshot is older than both thresholds. The rule is that of
 * Spark's coordinator, whose thresholds are products of settings ({@code
 * multiplierForMinVersionDiff ToLog} times {@code minDeltasForSnapshot}, {@code
 * multiplierForMinTimeDiffToLog} times {@code maintenanceInterval}).
 *
 * @param versions how many versions a snapshot may be behind
 * @param time how old it may be
 */
public record LagThresholds(long versions, Duration time) {
  /** 50 versions and 10 minutes: five snapshots of ten deltas, ten maintenances of a minute. */
  public static final LagThresholds DEFAULT = new LagThresholds(50, Duration.ofMinutes(10));

  /**
   * @throws IllegalArgumentException if a threshold is negative
   */
  public LagThresholds {
    Checks.notNegative("versions", versions);
    Checks.notNegative("time", time.toMillis());
  }

  /**
   * Whether a store lags.
   *
   * @param terminating whether the run ends by itself, so that the age of snapshots says nothing
   */
  boolean isLagging(
      SnapshotUpload upload, long latestVersion, long nowMillis, boolean terminating) {
    return latestVersion - upload.version() > versions
        && (terminating || nowMillis - upload.timeMillis() > time.toMillis());
  }
}
