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
import java.math.BigDecimal;
import org.apache.flink.api.common.functions.AggregateFunction;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple3;

/** The mean amount of orders; accumulates count, sum and total quantity. */
final class OrderStatistics
    implements AggregateFunction<Order, Tuple3<Long, BigDecimal, Integer>, Double> {

  static final TypeInformation<Tuple3<Long, BigDecimal, Integer>> ACCUMULATOR =
      Types.TUPLE(Types.LONG, Types.BIG_DEC, Types.INT);

  private static final long serialVersionUID = 1L;

  static long cents(Order order) {
    return order.amount.movePointRight(2).longValueExact();
  }

  @Override
  public Tuple3<Long, BigDecimal, Integer> createAccumulator() {
    return Tuple3.of(0L, BigDecimal.ZERO, 0);
  }

  @Override
  public Tuple3<Long, BigDecimal, Integer> add(
      Order order, Tuple3<Long, BigDecimal, Integer> sums) {
    return Tuple3.of(sums.f0 + 1, sums.f1.add(order.amount), sums.f2 + order.quantity);
  }

  @Override
  public Double getResult(Tuple3<Long, BigDecimal, Integer> sums) {
    return sums.f1.doubleValue() / sums.f0;
  }

  @Override
  public Tuple3<Long, BigDecimal, Integer> merge(
      Tuple3<Long, BigDecimal, Integer> left, Tuple3<Long, BigDecimal, Integer> right) {
    return Tuple3.of(left.f0 + right.f0, left.f1.add(right.f1), left.f2 + right.f2);
  }
}
