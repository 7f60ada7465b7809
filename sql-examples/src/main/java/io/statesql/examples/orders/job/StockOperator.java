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
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/** Counts sold units per product, with the warehouse as the namespace of the state. */
final class StockOperator extends AbstractStreamOperator<Long>
    implements OneInputStreamOperator<Order, Long> {

  private static final long serialVersionUID = 1L;

  @Override
  public void processElement(StreamRecord<Order> record) throws Exception {
    Order order = record.getValue();
    ValueState<Long> soldUnits =
        getPartitionedState(
            order.warehouse,
            StringSerializer.INSTANCE,
            new ValueStateDescriptor<>("sold-units", Types.LONG));
    Long sold = soldUnits.value();
    soldUnits.update(sold == null ? order.quantity : sold + order.quantity);
  }
}
