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
package io.statesql.format.model;

/**
 * What the name of a timer state says: {@code _timer_state/event_<service>} or {@code
 * _timer_state/processing_<service>}, see {@code
 * org.apache.flink.streaming.api.operators.InternalTimeServiceManagerImpl} (Flink 2.3).
 *
 * @param domain null when the name is of another form
 */
public record TimerName(TimeDomain domain, String service) {
  public static final String EVENT = "_timer_state/event_";
  public static final String PROCESSING = "_timer_state/processing_";

  /** Which clock a timer waits for. */
  public enum TimeDomain {
    EVENT,
    PROCESSING
  }

  /** Reads the name of a timer state; of a name of another form all is the service. */
  public static TimerName of(String stateName) {
    if (stateName.startsWith(EVENT)) {
      return new TimerName(TimeDomain.EVENT, stateName.substring(EVENT.length()));
    }
    if (stateName.startsWith(PROCESSING)) {
      return new TimerName(TimeDomain.PROCESSING, stateName.substring(PROCESSING.length()));
    }
    return new TimerName(null, stateName);
  }
}
