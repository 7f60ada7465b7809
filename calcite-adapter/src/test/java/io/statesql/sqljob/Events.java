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
package io.statesql.sqljob;

import java.math.BigDecimal;
import java.time.LocalDateTime;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.table.api.Schema;
import org.apache.flink.types.Row;

/** The input of the queries: a column of each type that a key can have, and a time of the event. */
final class Events {
  static final TypeInformation<Row> ROWS =
      Types.ROW_NAMED(
          new String[] {"name", "region", "num", "price", "amount", "seen", "fine", "flag", "at"},
          Types.STRING,
          Types.STRING,
          Types.LONG,
          Types.BIG_DEC,
          Types.BIG_DEC,
          Types.LOCAL_DATE_TIME,
          Types.LOCAL_DATE_TIME,
          Types.BOOLEAN,
          Types.LOCAL_DATE_TIME);

  static final Schema SCHEMA =
      Schema.newBuilder()
          .column("name", "STRING")
          .column("region", "STRING")
          .column("num", "BIGINT")
          .column("price", "DECIMAL(10, 2)")
          .column("amount", "DECIMAL(30, 5)")
          .column("seen", "TIMESTAMP(3)")
          .column("fine", "TIMESTAMP(9)")
          .column("flag", "BOOLEAN")
          .column("at", "TIMESTAMP(3)")
          .watermark("at", "`at` - INTERVAL '5' SECOND")
          .build();

  static final LocalDateTime START = LocalDateTime.of(2026, 1, 1, 0, 0);

  private Events() {}

  /** An event at the start. */
  static Row event(String name, String region, Long number, String amount) {
    return event(name, region, number, amount, 0);
  }

  /** An event some seconds after the start. */
  static Row event(String name, String region, Long number, String amount, long second) {
    return Row.of(
        name,
        region,
        number,
        null,
        amount == null ? null : new BigDecimal(amount),
        null,
        null,
        null,
        START.plusSeconds(second));
  }
}
