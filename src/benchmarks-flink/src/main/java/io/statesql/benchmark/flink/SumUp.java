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
package io.statesql.benchmark.flink;

import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichFilterFunction;

/** Adds what users add to the sums, and lets nothing pass. */
final class SumUp extends RichFilterFunction<long[]> {
  static final String SUM = "sum-";

  private final int count;
  private transient long[] sums;

  /**
   * @param count how many sums there are; each becomes an accumulator
   */
  SumUp(int count) {
    this.count = count;
  }

  @Override
  public void open(OpenContext context) {
    sums = new long[count];
  }

  @Override
  public boolean filter(long[] summands) {
    for (int i = 0; i < summands.length; i++) {
      sums[i] += summands[i];
    }
    return false;
  }

  @Override
  public void close() {
    for (int i = 0; i < sums.length; i++) {
      getRuntimeContext().addAccumulator(SUM + i, new LongCounter(sums[i]));
    }
  }
}
