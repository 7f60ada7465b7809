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

import io.statesql.examples.orders.model.FraudRule;
import io.statesql.examples.orders.model.Order;
import java.math.BigDecimal;
import java.util.Map;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.functions.co.KeyedBroadcastProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Raises an alert for each order above a rule's threshold. The rules are broadcast state; what is
 * kept per customer does not depend on when they arrive.
 */
final class FraudDetector extends KeyedBroadcastProcessFunction<String, Order, FraudRule, String> {

  static final MapStateDescriptor<String, FraudRule> RULES =
      new MapStateDescriptor<>("rules", Types.STRING, Types.POJO(FraudRule.class));
  static final MapStateDescriptor<Integer, Boolean> ACTIVE_RULES =
      new MapStateDescriptor<>("active-rules", Types.INT, Types.BOOLEAN);

  private static final long serialVersionUID = 1L;

  private transient MapState<Long, BigDecimal> amounts;

  @Override
  public void open(OpenContext context) {
    amounts =
        getRuntimeContext()
            .getMapState(new MapStateDescriptor<>("amounts", Types.LONG, Types.BIG_DEC));
  }

  @Override
  public void processElement(Order order, ReadOnlyContext context, Collector<String> alerts)
      throws Exception {
    amounts.put(order.id, order.amount);
    for (Map.Entry<String, FraudRule> entry : context.getBroadcastState(RULES).immutableEntries()) {
      FraudRule rule = entry.getValue();
      boolean applies = rule.country == null || rule.country.equals(order.country);
      if (rule.active && applies && order.amount.compareTo(rule.threshold) > 0) {
        alerts.collect(rule.name + ": order " + order.id);
      }
    }
  }

  @Override
  public void processBroadcastElement(FraudRule rule, Context context, Collector<String> alerts)
      throws Exception {
    context.getBroadcastState(RULES).put(rule.name, rule);
    int number = Integer.parseInt(rule.name.substring(rule.name.indexOf('-') + 1));
    context.getBroadcastState(ACTIVE_RULES).put(number, rule.active);
  }
}
