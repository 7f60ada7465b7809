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
package io.statesql.examples.orders.expect;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/** The timers of event-time windows: one to fire, one to clean up. */
final class WindowTimers {

  private WindowTimers() {}

  /**
   * Adds the timers that a window still has.
   *
   * @param window the key and window columns
   * @return whether the window still exists
   */
  static boolean add(
      Tables tables,
      String uid,
      Input input,
      Map<String, Object> window,
      Instant end,
      Duration lateness) {
    Instant fire = end.minusMillis(1);
    Instant cleanUp = fire.plus(lateness);
    if (!input.hasPassed(fire)) {
      tables.addTimer(uid, Columns.of(window), "EVENT", fire, "window-timers");
    }
    if (input.hasPassed(cleanUp)) {
      return false;
    }
    if (!cleanUp.equals(fire)) {
      tables.addTimer(uid, Columns.of(window), "EVENT", cleanUp, "window-timers");
    }
    return true;
  }
}
