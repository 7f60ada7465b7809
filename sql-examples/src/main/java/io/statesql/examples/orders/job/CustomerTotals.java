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
import java.time.LocalDate;
import java.time.ZoneOffset;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.AggregatingState;
import org.apache.flink.api.common.state.AggregatingStateDescriptor;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ReducingState;
import org.apache.flink.api.common.state.ReducingStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/** Counts and sums per customer number: one state of each kind. */
final class CustomerTotals extends KeyedProcessFunction<Long, Order, Long> {

  private static final long serialVersionUID = 1L;

  private transient ValueState<Long> orderCount;
  private transient ListState<Long> orderIds;
  private transient MapState<LocalDate, Tuple2<Long, String>> latestPerDay;
  private transient ReducingState<Long> largestOrder;
  private transient AggregatingState<Order, Double> orderStatistics;

  @Override
  public void open(OpenContext context) {
    orderCount =
        getRuntimeContext().getState(new ValueStateDescriptor<>("order-count", Types.LONG));
    orderIds = getRuntimeContext().getListState(new ListStateDescriptor<>("order-ids", Types.LONG));
    latestPerDay =
        getRuntimeContext()
            .getMapState(
                new MapStateDescriptor<>(
                    "latest-per-day", Types.LOCAL_DATE, Types.TUPLE(Types.LONG, Types.STRING)));
    largestOrder =
        getRuntimeContext()
            .getReducingState(
                new ReducingStateDescriptor<>("largest-order", Math::max, Types.LONG));
    orderStatistics =
        getRuntimeContext()
            .getAggregatingState(
                new AggregatingStateDescriptor<>(
                    "order-statistics", new OrderStatistics(), OrderStatistics.ACCUMULATOR));
  }

  @Override
  public void processElement(Order order, Context context, Collector<Long> out) throws Exception {
    Long count = orderCount.value();
    orderCount.update(count == null ? 1L : count + 1);
    orderIds.add(order.id);
    latestPerDay.put(
        LocalDate.ofInstant(order.time, ZoneOffset.UTC), Tuple2.of(order.id, order.product));
    largestOrder.add(OrderStatistics.cents(order));
    orderStatistics.add(order);
  }
}
