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

import io.statesql.examples.orders.input.OrderFacts;
import io.statesql.examples.orders.model.Channel;
import io.statesql.examples.orders.model.LaneProgress;
import io.statesql.examples.orders.model.Order;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;

/**
 * Makes orders of indexes. Keeps the latest orders of each lane (operator list state) and the
 * progress of each lane (union list state).
 */
final class OrderIntake extends RichMapFunction<Long, Order> implements CheckpointedFunction {

  private static final long serialVersionUID = 1L;

  private static final int LATEST_PER_LANE = 3;

  private transient ListState<Tuple2<Integer, Long>> latestState;
  private transient ListState<LaneProgress> progressState;
  private transient Map<Integer, Deque<Long>> latest;
  private transient Map<Integer, LaneProgress> progress;

  @Override
  public Order map(Long index) {
    Order order = orderOf(new OrderFacts(index));
    Deque<Long> lane = latest.computeIfAbsent(order.lane, number -> new ArrayDeque<>());
    lane.addLast(order.id);
    if (lane.size() > LATEST_PER_LANE) {
      lane.removeFirst();
    }
    LaneProgress counted = progress.computeIfAbsent(order.lane, number -> new LaneProgress());
    counted.lane = order.lane;
    counted.orders++;
    counted.lastTime = order.time;
    return order;
  }

  private static Order orderOf(OrderFacts facts) {
    Order order = new Order();
    order.index = facts.index();
    order.id = facts.orderId();
    order.lane = facts.lane();
    order.customerNumber = facts.customer().number();
    order.customerId = facts.customer().id();
    order.country = facts.customer().country();
    order.channel = Channel.valueOf(facts.channel());
    order.product = facts.product();
    order.warehouse = facts.warehouse();
    order.quantity = facts.quantity();
    order.price = facts.price();
    order.amount = facts.amount();
    order.paid = facts.isPaid();
    order.rating = facts.rating();
    order.note = facts.note();
    order.time = facts.time();
    return order;
  }

  @Override
  public void initializeState(FunctionInitializationContext context) throws Exception {
    latest = new TreeMap<>();
    progress = new TreeMap<>();
    latestState =
        context
            .getOperatorStateStore()
            .getListState(
                new ListStateDescriptor<>("latest-orders", Types.TUPLE(Types.INT, Types.LONG)));
    progressState =
        context
            .getOperatorStateStore()
            .getUnionListState(
                new ListStateDescriptor<>("lane-progress", Types.POJO(LaneProgress.class)));
    for (Tuple2<Integer, Long> stored : latestState.get()) {
      latest.computeIfAbsent(stored.f0, number -> new ArrayDeque<>()).addLast(stored.f1);
    }
    int subtask = getRuntimeContext().getTaskInfo().getIndexOfThisSubtask();
    int parallelism = getRuntimeContext().getTaskInfo().getNumberOfParallelSubtasks();
    for (LaneProgress stored : progressState.get()) {
      if (stored.lane % parallelism == subtask) {
        progress.put(stored.lane, stored);
      }
    }
  }

  @Override
  public void snapshotState(FunctionSnapshotContext context) throws Exception {
    latestState.clear();
    for (Map.Entry<Integer, Deque<Long>> lane : latest.entrySet()) {
      for (Long orderId : lane.getValue()) {
        latestState.add(Tuple2.of(lane.getKey(), orderId));
      }
    }
    progressState.update(List.copyOf(progress.values()));
  }
}
