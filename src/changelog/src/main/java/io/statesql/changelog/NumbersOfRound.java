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
package io.statesql.changelog;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.apache.flink.api.common.functions.FilterFunction;

/** Lets the numbers of one round pass, and tells when it has. */
final class NumbersOfRound implements FilterFunction<Long> {
  private static final long serialVersionUID = 1;
  private static final long PAUSE_MILLIS = 5;
  private static final Map<String, CountDownLatch> PASSED = new ConcurrentHashMap<>();

  private final String round;
  private final long end;

  /**
   * @param end the first number that does not pass
   */
  NumbersOfRound(String round, long end) {
    this.round = round;
    this.end = end;
  }

  static CountDownLatch passed(String round) {
    return PASSED.computeIfAbsent(round, unknown -> new CountDownLatch(1));
  }

  @Override
  public boolean filter(Long number) throws InterruptedException {
    if (number < end) {
      return true;
    }
    passed(round).countDown();
    Thread.sleep(PAUSE_MILLIS);
    return false;
  }
}
