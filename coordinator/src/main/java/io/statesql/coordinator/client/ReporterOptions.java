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
package io.statesql.coordinator.client;

import java.time.Duration;

/**
 * How a reporter works.
 *
 * @param heartbeatInterval well below the coordinator's expiry
 * @param queueCapacity how many changes wait at most to be sent
 * @param closeTimeout how long closing waits for the farewell to be sent
 */
public record ReporterOptions(
    Duration heartbeatInterval, int queueCapacity, Duration closeTimeout) {
  /** A heartbeat every two seconds, 10,000 changes, two seconds to say farewell. */
  public static final ReporterOptions DEFAULT =
      new ReporterOptions(Duration.ofSeconds(2), 10_000, Duration.ofSeconds(2));

  public ReporterOptions {
    if (heartbeatInterval.toMillis() <= 0 || queueCapacity <= 0 || closeTimeout.isNegative()) {
      throw new IllegalArgumentException("The options of a reporter must be positive");
    }
  }

  public ReporterOptions withHeartbeatInterval(Duration interval) {
    return new ReporterOptions(interval, queueCapacity, closeTimeout);
  }

  public ReporterOptions withQueueCapacity(int capacity) {
    return new ReporterOptions(heartbeatInterval, capacity, closeTimeout);
  }
}
