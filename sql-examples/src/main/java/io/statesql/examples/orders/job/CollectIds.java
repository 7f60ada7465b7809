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
import org.apache.flink.streaming.api.functions.windowing.ProcessWindowFunction;
import org.apache.flink.streaming.api.windowing.windows.Window;
import org.apache.flink.util.Collector;

/** Emits the ids of a window's orders, which makes the window keep the orders themselves. */
final class CollectIds<W extends Window> extends ProcessWindowFunction<Order, Long, String, W> {

  private static final long serialVersionUID = 1L;

  @Override
  public void process(
      String customerId, Context context, Iterable<Order> orders, Collector<Long> out) {
    orders.forEach(order -> out.collect(order.id));
  }
}
