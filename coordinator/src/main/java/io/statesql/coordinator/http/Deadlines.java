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
package io.statesql.coordinator.http;

import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Ends what clients are too slow for, by one thread for all. */
final class Deadlines {
  private static final ScheduledThreadPoolExecutor TIMER =
      new ScheduledThreadPoolExecutor(
          1,
          task -> {
            Thread thread = new Thread(task, "slow-clients");
            thread.setDaemon(true);
            return thread;
          });

  static {
    TIMER.setRemoveOnCancelPolicy(true);
  }

  private Deadlines() {}

  /**
   * Runs something after a while, unless the result is cancelled before.
   *
   * @param action soon returns
   */
  static Future<?> after(long millis, Runnable action) {
    return TIMER.schedule(action, millis, TimeUnit.MILLISECONDS);
  }
}
