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
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.formats.avro.typeutils.GenericRecordAvroTypeInfo;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/** Lets unpaid orders wait for half an hour of event time, then marks them as expired. */
final class OrderTimeouts extends KeyedProcessFunction<Long, Order, Long> {

  private static final long serialVersionUID = 1L;

  private static final Duration PATIENCE = Duration.ofMinutes(30);

  private static final String SCHEMA =
      """
      {"type": "record", "name": "PendingOrder", "namespace": "io.statesql.examples",
       "fields": [
         {"name": "order_id", "type": "long"},
         {"name": "customer", "type": "string"},
         {"name": "note", "type": ["null", "string"], "default": null},
         {"name": "channel",
          "type": {"type": "enum", "name": "OrderChannel", "symbols": ["STORE", "APP", "WEB"]}},
         {"name": "rating", "type": "double"},
         {"name": "lines",
          "type": {"type": "array",
                   "items": {"type": "record", "name": "Line",
                             "fields": [{"name": "product", "type": "string"},
                                        {"name": "quantity", "type": "int"}]}}},
         {"name": "labels", "type": {"type": "map", "values": "string"}},
         {"name": "placed_at", "type": {"type": "long", "logicalType": "timestamp-millis"}}]}
      """;

  private transient Schema schema;
  private transient ValueState<GenericRecord> pendingOrder;
  private transient ValueState<Instant> expiredAt;

  @Override
  public void open(OpenContext context) {
    schema = new Schema.Parser().parse(SCHEMA);
    pendingOrder =
        getRuntimeContext()
            .getState(
                new ValueStateDescriptor<>("pending-order", new GenericRecordAvroTypeInfo(schema)));
    expiredAt =
        getRuntimeContext().getState(new ValueStateDescriptor<>("expired-at", Types.INSTANT));
  }

  @Override
  public void processElement(Order order, Context context, Collector<Long> out) throws Exception {
    if (order.paid) {
      return;
    }
    pendingOrder.update(pending(order));
    context.timerService().registerEventTimeTimer(order.time.plus(PATIENCE).toEpochMilli());
  }

  private GenericRecord pending(Order order) {
    Schema lines = schema.getField("lines").schema();
    GenericRecord line = new GenericData.Record(lines.getElementType());
    line.put("product", order.product);
    line.put("quantity", order.quantity);
    GenericRecord pending = new GenericData.Record(schema);
    pending.put("order_id", order.id);
    pending.put("customer", order.customerId);
    pending.put("note", order.note);
    pending.put(
        "channel",
        new GenericData.EnumSymbol(schema.getField("channel").schema(), order.channel.name()));
    pending.put("rating", order.rating);
    pending.put("lines", List.of(line));
    pending.put("labels", Map.of("warehouse", order.warehouse, "country", order.country));
    pending.put("placed_at", order.time.toEpochMilli());
    return pending;
  }

  @Override
  public void onTimer(long timestamp, OnTimerContext context, Collector<Long> out)
      throws Exception {
    pendingOrder.clear();
    expiredAt.update(Instant.ofEpochMilli(timestamp));
  }
}
