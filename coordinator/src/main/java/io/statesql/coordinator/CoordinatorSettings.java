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
 * How a coordinator works.
 *
 * @param executorExpiry how long after the last message of an executor it is lost, with its rows
 * @param runRetention how long a run is remembered after it was deactivated or its last instance
 *     went; reports of a deactivated run are ignored that long
 * @param maxInstances how many instances are registered at most; also how many runs and executors
 * @param maxBytes what all that is registered may take of the heap, roughly
 * @param lagThresholds when a store lags behind
 */
public record CoordinatorSettings(
    Duration executorExpiry,
    Duration runRetention,
    int maxInstances,
    long maxBytes,
    LagThresholds lagThresholds) {
  /**
   * Expiry after 30 seconds, runs remembered for an hour, at most five million instances, half of
   * the heap.
   */
  public static final CoordinatorSettings DEFAULT =
      new CoordinatorSettings(
          Duration.ofSeconds(30),
          Duration.ofHours(1),
          5_000_000,
          Runtime.getRuntime().maxMemory() / 2,
          LagThresholds.DEFAULT);

  /** A registry in the process whose executor is the only one, and cannot be lost. */
  public static final CoordinatorSettings EMBEDDED =
      DEFAULT.withExecutorExpiry(Duration.ofMillis(Long.MAX_VALUE));

  /**
   * @throws IllegalArgumentException if a duration or number is not positive
   */
  public CoordinatorSettings {
    positive("executorExpiry", executorExpiry);
    positive("runRetention", runRetention);
    if (maxInstances <= 0) {
      throw new IllegalArgumentException("maxInstances must be positive, but is " + maxInstances);
    }
    if (maxBytes <= 0) {
      throw new IllegalArgumentException("maxBytes must be positive, but is " + maxBytes);
    }
  }

  private static void positive(String name, Duration duration) {
    if (duration.isNegative() || duration.toMillis() == 0) {
      throw new IllegalArgumentException(
          name + " must be a millisecond or more, but is " + duration);
    }
  }

  public CoordinatorSettings withExecutorExpiry(Duration expiry) {
    return new CoordinatorSettings(expiry, runRetention, maxInstances, maxBytes, lagThresholds);
  }

  public CoordinatorSettings withRunRetention(Duration retention) {
    return new CoordinatorSettings(
        executorExpiry, retention, maxInstances, maxBytes, lagThresholds);
  }

  public CoordinatorSettings withMaxInstances(int limit) {
    return new CoordinatorSettings(executorExpiry, runRetention, limit, maxBytes, lagThresholds);
  }

  public CoordinatorSettings withMaxBytes(long limit) {
    return new CoordinatorSettings(
        executorExpiry, runRetention, maxInstances, limit, lagThresholds);
  }
}
