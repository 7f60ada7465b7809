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
package io.statesql.examples.keys;

import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.specific.SpecificRecordBase;

/** A key in the form that Avro's compiler gives a record. */
public final class Sensor extends SpecificRecordBase {
  /** Avro knows it by this name. */
  public static final Schema SCHEMA$ =
      new Schema.Parser()
          .parse(
              """
              {"type": "record", "name": "Sensor", "namespace": "io.statesql.examples.keys",
               "fields": [
                 {"name": "site", "type": "string"},
                 {"name": "slot", "type": ["null", "long"]},
                 {"name": "kind", "type":
                   {"type": "enum", "name": "SensorKind", "symbols": ["HEAT", "LIGHT", "SOUND"]}}]}
              """);

  private static final long serialVersionUID = 1;

  /** Numbers with this rest have no slot. */
  private static final int WITHOUT_SLOT = 3;

  private static final int SLOTS = 7;

  // Flink finds the fields as those of a POJO.
  public CharSequence site;
  public Long slot;
  public SensorKind kind;

  /** For Avro, which fills it. */
  public Sensor() {}

  static Sensor ofNumber(long number) {
    Sensor sensor = new Sensor();
    sensor.site = siteOf(number);
    sensor.slot = slotOf(number);
    sensor.kind = SensorKind.valueOf(kindOf(number));
    return sensor;
  }

  static GenericRecord generic(long number) {
    GenericRecord sensor = new GenericData.Record(SCHEMA$);
    sensor.put(0, siteOf(number));
    sensor.put(1, slotOf(number));
    sensor.put(2, new GenericData.EnumSymbol(SCHEMA$.getField("kind").schema(), kindOf(number)));
    return sensor;
  }

  private static String siteOf(long number) {
    return "site-" + number + "ß";
  }

  private static Long slotOf(long number) {
    return number % SLOTS == WITHOUT_SLOT ? null : number * 1_000_000_007L;
  }

  private static String kindOf(long number) {
    List<SensorKind> kinds = List.of(SensorKind.values());
    return kinds.get((int) (number % kinds.size())).name();
  }

  @Override
  public Schema getSchema() {
    return SCHEMA$;
  }

  @Override
  public Object get(int field) {
    return switch (field) {
      case 0 -> site;
      case 1 -> slot;
      default -> kind;
    };
  }

  @Override
  public void put(int field, Object value) {
    switch (field) {
      case 0 -> site = (CharSequence) value;
      case 1 -> slot = (Long) value;
      default -> kind = (SensorKind) value;
    }
  }
}
