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
package io.statesql.examples.keys;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.apache.flink.api.common.functions.FilterFunction;

/** Lets numbers pass up to one; that it was passed, the program in the same JVM is told. */
final class NumbersUpTo implements FilterFunction<Long> {
  private static final long serialVersionUID = 1;
  private static final long PAUSE_MILLIS = 5;
  private static final Map<String, CountDownLatch> PASSED = new ConcurrentHashMap<>();

  private final String run;
  private final long end;

  /**
   * @param end the first number that does not pass
   */
  NumbersUpTo(String run, long end) {
    this.run = run;
    this.end = end;
  }

  static CountDownLatch passed(String run) {
    return PASSED.computeIfAbsent(run, unknown -> new CountDownLatch(1));
  }

  @Override
  public boolean filter(Long number) throws InterruptedException {
    if (number < end) {
      return true;
    }
    passed(run).countDown();
    Thread.sleep(PAUSE_MILLIS);
    return false;
  }
}
