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
package io.statesql.examples.orders.job;

import io.statesql.examples.orders.model.Order;
import io.statesql.examples.orders.model.StoreKey;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ReducingState;
import org.apache.flink.api.common.state.ReducingStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/** Sums per shop front, under a POJO key. */
final class StoreTotals extends KeyedProcessFunction<StoreKey, Order, Long> {

  private static final long serialVersionUID = 1L;

  private transient ReducingState<Long> revenueInCents;

  @Override
  public void open(OpenContext context) {
    revenueInCents =
        getRuntimeContext()
            .getReducingState(
                new ReducingStateDescriptor<>("revenue-in-cents", Long::sum, Types.LONG));
  }

  @Override
  public void processElement(Order order, Context context, Collector<Long> out) throws Exception {
    revenueInCents.add(OrderStatistics.cents(order));
  }
}
