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
import io.statesql.examples.orders.input.RuleFacts;
import io.statesql.examples.orders.model.CardPayment;
import io.statesql.examples.orders.model.FraudRule;
import io.statesql.examples.orders.model.Order;
import io.statesql.examples.orders.model.StoreKey;
import io.statesql.examples.orders.source.LaneSource;
import java.time.Duration;
import java.util.List;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.KeyedStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.streaming.api.graph.StreamGraph;
import org.apache.flink.streaming.api.windowing.assigners.EventTimeSessionWindows;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.windows.GlobalWindow;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;

/**
 * The orders of a shop, kept in every kind of state that Flink's DataStream API has. The content of
 * each state is a function of the number of orders alone (but for the times of last access of the
 * states with time-to-live): what lanes send at the same time never meets in one order-dependent
 * value.
 */
public final class OrdersJob {

  /** Names of the gates of a run; see {@link io.statesql.examples.orders.source.StageGate}. */
  public record Gates(String orders, String rules) {}

  private final StreamExecutionEnvironment environment;
  private final DataStream<Order> orders;

  private OrdersJob(Configuration configuration, Gates gates) {
    Configuration withTypes = new Configuration(configuration);
    withTypes.set(
        PipelineOptions.SERIALIZATION_CONFIG,
        List.of(CardPayment.class.getName() + ": {type: pojo}"));
    environment = StreamExecutionEnvironment.getExecutionEnvironment(withTypes);
    orders = orders(gates.orders());
  }

  /** Wires the job; the configuration decides backend, parallelism and all else. */
  public static StreamGraph streamGraph(Configuration configuration, Gates gates) {
    OrdersJob job = new OrdersJob(configuration, gates);
    job.keepCustomers();
    job.awaitPayments();
    job.countStock();
    job.sumWindows();
    job.groupOrders();
    job.detectFraud(gates.rules());
    return job.environment.getStreamGraph();
  }

  private DataStream<Order> orders(String gate) {
    int lanes = Math.min(OrderFacts.LANES, environment.getParallelism());
    return environment
        .fromSource(
            new LaneSource(gate, OrderFacts.LANES, index -> new OrderFacts(index).lane()),
            WatermarkStrategy.<Long>forGenerator(context -> new EachEventWatermarks())
                .withTimestampAssigner(
                    (index, ignored) -> new OrderFacts(index).time().toEpochMilli()),
            "order-source",
            Types.LONG)
        .uid("order-source")
        .setParallelism(lanes)
        .map(new OrderIntake())
        .returns(Types.POJO(Order.class))
        .uid("order-intake")
        .name("order-intake")
        .setParallelism(lanes);
  }

  private void keepCustomers() {
    KeyedStream<Order, String> byCustomer = orders.keyBy(order -> order.customerId, Types.STRING);
    finish("customers", byCustomer.process(new CustomerProfiles(), Types.POJO(Order.class)));
    finish("page-visits", byCustomer.process(new PageVisits(), Types.STRING));
    finish(
        "orders-per-customer",
        orders
            .keyBy(order -> (long) order.customerNumber, Types.LONG)
            .process(new CustomerTotals(), Types.LONG));
    finish(
        "orders-per-store",
        orders
            .keyBy(StoreKey::of, Types.POJO(StoreKey.class))
            .process(new StoreTotals(), Types.LONG));
  }

  private void awaitPayments() {
    finish(
        "order-timeouts",
        orders.keyBy(order -> order.id, Types.LONG).process(new OrderTimeouts(), Types.LONG));
  }

  private void countStock() {
    finish(
        "stock",
        orders
            .keyBy(order -> order.product, Types.STRING)
            .transform("stock", Types.LONG, new StockOperator()));
  }

  private void sumWindows() {
    finish(
        "revenue-per-minute",
        orders
            .keyBy(
                order -> Tuple2.of(order.country, order.channel.name()),
                Types.TUPLE(Types.STRING, Types.STRING))
            .window(TumblingEventTimeWindows.of(Duration.ofMinutes(1)))
            .allowedLateness(Duration.ofMinutes(15))
            .aggregate(new OrderStatistics(), OrderStatistics.ACCUMULATOR, Types.DOUBLE));
    finish(
        "largest-order-per-hour",
        orders
            .keyBy(StoreKey::of, Types.POJO(StoreKey.class))
            .window(TumblingEventTimeWindows.of(Duration.ofHours(1)))
            .reduce(OrdersJob::larger));
  }

  private static Order larger(Order left, Order right) {
    int comparison = left.amount.compareTo(right.amount);
    if (comparison == 0) {
      return left.id < right.id ? left : right;
    }
    return comparison > 0 ? left : right;
  }

  private void groupOrders() {
    KeyedStream<Order, String> byCustomer = orders.keyBy(order -> order.customerId, Types.STRING);
    finish(
        "shopping-sessions",
        byCustomer
            .window(EventTimeSessionWindows.withGap(Duration.ofMinutes(5)))
            .allowedLateness(Duration.ofMinutes(45))
            .process(new CollectIds<TimeWindow>(), Types.LONG));
    finish(
        "order-batches",
        byCustomer.countWindow(4).process(new CollectIds<GlobalWindow>(), Types.LONG));
  }

  private void detectFraud(String gate) {
    DataStream<FraudRule> rules =
        environment
            .fromSource(
                new LaneSource(gate, 1, index -> 0),
                WatermarkStrategy.<Long>forGenerator(context -> new EachEventWatermarks())
                    .withTimestampAssigner((index, ignored) -> Long.MAX_VALUE),
                "rule-source",
                Types.LONG)
            .uid("rule-source")
            .setParallelism(1)
            .map(OrdersJob::rule)
            .returns(Types.POJO(FraudRule.class))
            .uid("rule-intake")
            .name("rule-intake")
            .setParallelism(1);
    finish(
        "fraud-detector",
        orders
            .keyBy(order -> order.customerId, Types.STRING)
            .connect(rules.broadcast(FraudDetector.RULES, FraudDetector.ACTIVE_RULES))
            .process(new FraudDetector(), Types.STRING));
  }

  private static FraudRule rule(Long index) {
    RuleFacts facts = new RuleFacts(index);
    FraudRule rule = new FraudRule();
    rule.name = facts.name();
    rule.threshold = facts.threshold();
    rule.country = facts.country();
    rule.active = facts.isActive();
    return rule;
  }

  private static <T> void finish(String uid, SingleOutputStreamOperator<T> operator) {
    operator
        .uid(uid)
        .name(uid)
        .sinkTo(new DiscardingSink<>())
        .uid(uid + "-sink")
        .name(uid + "-sink");
  }
}
