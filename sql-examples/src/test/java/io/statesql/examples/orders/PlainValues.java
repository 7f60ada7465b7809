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
package io.statesql.examples.orders;

import io.statesql.examples.orders.model.CardPayment;
import io.statesql.examples.orders.model.Order;
import io.statesql.examples.orders.model.Payment;
import io.statesql.examples.orders.model.VoucherPayment;
import java.lang.reflect.Field;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericEnumSymbol;
import org.apache.avro.generic.GenericRecord;
import org.apache.flink.api.java.tuple.Tuple;

/** Turns what the job keeps into the forms of the expectation. */
final class PlainValues {

  private static final String MODEL = Order.class.getPackageName();

  private PlainValues() {}

  static Object plain(Object value) throws IllegalAccessException {
    if (value instanceof Enum<?> constant) {
      return constant.name();
    }
    if (value instanceof BigInteger number) {
      return new BigDecimal(number);
    }
    if (value instanceof CharSequence || value instanceof GenericEnumSymbol) {
      return value.toString();
    }
    if (value instanceof double[] numbers) {
      return DoubleStream.of(numbers).boxed().toList();
    }
    if (value instanceof Object[] array) {
      return plainList(List.of(array));
    }
    if (value instanceof Set<?> set) {
      return new HashSet<>(plainList(set));
    }
    if (value instanceof List<?> list) {
      return plainList(list);
    }
    if (value instanceof Map<?, ?> map) {
      return plainMap(map);
    }
    return plainRow(value);
  }

  private static Object plainRow(Object value) throws IllegalAccessException {
    if (value instanceof Tuple tuple) {
      return plainTuple(tuple);
    }
    if (value instanceof GenericRecord avro) {
      return plainRecord(avro);
    }
    if (value instanceof Payment payment) {
      return plainPayment(payment);
    }
    return value != null && value.getClass().getPackageName().equals(MODEL)
        ? plainPojo(value)
        : value;
  }

  private static List<Object> plainList(Iterable<?> values) throws IllegalAccessException {
    List<Object> plain = new ArrayList<>();
    for (Object value : values) {
      plain.add(plain(value));
    }
    return plain;
  }

  private static Map<Object, Object> plainMap(Map<?, ?> map) throws IllegalAccessException {
    Map<Object, Object> plain = new HashMap<>();
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      plain.put(plain(entry.getKey()), plain(entry.getValue()));
    }
    return plain;
  }

  private static RowValue plainTuple(Tuple tuple) throws IllegalAccessException {
    RowValue row = new RowValue();
    for (int field = 0; field < tuple.getArity(); field++) {
      row.with("f" + field, plain(tuple.<Object>getField(field)));
    }
    return row;
  }

  private static RowValue plainPojo(Object pojo) throws IllegalAccessException {
    RowValue row = new RowValue();
    for (Field field : pojo.getClass().getFields()) {
      row.with(field.getName(), plain(field.get(pojo)));
    }
    return row;
  }

  /** A row with the fields of every class of payment. */
  private static RowValue plainPayment(Payment payment) throws IllegalAccessException {
    RowValue row = new RowValue();
    Stream.of(CardPayment.class, VoucherPayment.class)
        .flatMap(type -> Stream.of(type.getFields()))
        .forEach(field -> row.with(field.getName(), null));
    row.putAll(plainPojo(payment));
    return row;
  }

  private static RowValue plainRecord(GenericRecord avro) throws IllegalAccessException {
    RowValue row = new RowValue();
    for (Schema.Field field : avro.getSchema().getFields()) {
      Object value = avro.get(field.pos());
      boolean isTime = field.schema().getLogicalType() instanceof LogicalTypes.TimestampMillis;
      row.with(field.name(), isTime ? Instant.ofEpochMilli((Long) value) : plain(value));
    }
    return row;
  }
}
