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

import java.util.concurrent.TimeUnit;

/** The time, so that tests need not wait for it. Safe for use by many threads. */
public interface TimeSource {
  /** The time of this process. */
  TimeSource SYSTEM =
      new TimeSource() {
        @Override
        public long epochMillis() {
          return System.currentTimeMillis();
        }

        @Override
        public long monotonicMillis() {
          return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
        }
      };

  /** Milliseconds since 1970; may be set back. For people. */
  long epochMillis();

  /** Milliseconds since some moment; never runs backwards. For durations and orders. */
  long monotonicMillis();
}
