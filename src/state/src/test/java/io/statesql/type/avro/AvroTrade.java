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
package io.statesql.type.avro;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import org.apache.avro.Conversions;
import org.apache.avro.Schema;
import org.apache.avro.data.TimeConversions;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecordBase;

/** A specific record in the form that Avro's compiler gives one. */
public class AvroTrade extends SpecificRecordBase {
  public static final Schema SCHEMA$ =
      new Schema.Parser()
          .parse(
              """
              {"type": "record", "name": "AvroTrade", "namespace": "io.statesql.type.avro", "fields": [
                {"name": "id", "type": "long"},
                {"name": "symbol", "type": ["null", "string"]},
                {"name": "day", "type": {"type": "int", "logicalType": "date"}},
                {"name": "at", "type": {"type": "long", "logicalType": "timestamp-micros"}},
                {"name": "price", "type":
                  {"type": "bytes", "logicalType": "decimal", "precision": 10, "scale": 2}}]}
              """);

  private static final SpecificData MODEL$ = new SpecificData();
  private static final long serialVersionUID = 1L;

  static {
    MODEL$.addLogicalTypeConversion(new TimeConversions.DateConversion());
    MODEL$.addLogicalTypeConversion(new TimeConversions.TimestampMicrosConversion());
    MODEL$.addLogicalTypeConversion(new Conversions.DecimalConversion());
  }

  private final Object[] values = new Object[5];

  public AvroTrade() {}

  public AvroTrade(long id, String symbol, LocalDate day, Instant at, BigDecimal price) {
    values[0] = id;
    values[1] = symbol;
    values[2] = day;
    values[3] = at;
    values[4] = price;
  }

  public static Schema getClassSchema() {
    return SCHEMA$;
  }

  @Override
  public SpecificData getSpecificData() {
    return MODEL$;
  }

  @Override
  public Schema getSchema() {
    return SCHEMA$;
  }

  @Override
  public Object get(int field) {
    return values[field];
  }

  @Override
  public void put(int field, Object value) {
    values[field] = value;
  }

  @Override
  public org.apache.avro.Conversion<?> getConversion(int field) {
    return switch (field) {
      case 2 -> new TimeConversions.DateConversion();
      case 3 -> new TimeConversions.TimestampMicrosConversion();
      case 4 -> new Conversions.DecimalConversion();
      default -> null;
    };
  }
}
