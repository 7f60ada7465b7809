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
package io.statesql.type.table;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.GenericArrayData;
import org.apache.flink.table.data.GenericMapData;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RawValueData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.runtime.typeutils.RowDataSerializer;
import org.apache.flink.table.types.logical.ArrayType;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.BooleanType;
import org.apache.flink.table.types.logical.CharType;
import org.apache.flink.table.types.logical.DateType;
import org.apache.flink.table.types.logical.DayTimeIntervalType;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.DoubleType;
import org.apache.flink.table.types.logical.FloatType;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.table.types.logical.LocalZonedTimestampType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.MapType;
import org.apache.flink.table.types.logical.MultisetType;
import org.apache.flink.table.types.logical.RawType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.SmallIntType;
import org.apache.flink.table.types.logical.TimeType;
import org.apache.flink.table.types.logical.TimestampType;
import org.apache.flink.table.types.logical.TinyIntType;
import org.apache.flink.table.types.logical.VarBinaryType;
import org.apache.flink.table.types.logical.VarCharType;
import org.apache.flink.table.types.logical.YearMonthIntervalType;

/** Types and rows of Flink SQL. */
public final class TableRows {
  static final VarCharType TEXT = new VarCharType(VarCharType.MAX_LENGTH);
  static final RowType PLACE =
      RowType.of(
          new LogicalType[] {TEXT, new IntType(), new TimestampType(9)},
          new String[] {"town", "number", "since"});

  private static final LogicalType[] EACH = {
    new BooleanType(),
    new TinyIntType(),
    new SmallIntType(),
    new IntType(),
    new BigIntType(),
    new FloatType(),
    new DoubleType(),
    new CharType(3),
    TEXT,
    new VarBinaryType(VarBinaryType.MAX_LENGTH),
    new DecimalType(10, 2),
    new DecimalType(38, 10),
    new DateType(),
    new TimeType(3),
    new TimestampType(3),
    new TimestampType(9),
    new LocalZonedTimestampType(3),
    new LocalZonedTimestampType(6),
    new YearMonthIntervalType(YearMonthIntervalType.YearMonthResolution.YEAR_TO_MONTH),
    new DayTimeIntervalType(DayTimeIntervalType.DayTimeResolution.DAY_TO_SECOND),
    PLACE,
    new ArrayType(new ArrayType(TEXT)),
    new MapType(TEXT, new DecimalType(30, 3)),
    new MultisetType(TEXT),
    new RawType<>(String.class, StringSerializer.INSTANCE)
  };

  /** One of each type that a field can have. */
  public static LogicalType[] each() {
    return EACH.clone();
  }

  private TableRows() {}

  /** Values of the types of {@link #EACH}, texts of up to seven bytes. */
  public static GenericRowData shortValues() {
    return GenericRowData.of(
        true,
        (byte) -1,
        (short) -2,
        -3,
        -4L,
        -0.5f,
        -0.25,
        text("abc"),
        text("Zürich"),
        new byte[] {1, 2},
        decimal("-12345678.90", 10, 2),
        decimal("-1.5000000000", 38, 10),
        -1,
        86_399_999,
        TimestampData.fromEpochMillis(-1),
        TimestampData.fromEpochMillis(-1, 999_999),
        TimestampData.fromEpochMillis(1),
        TimestampData.fromEpochMillis(0, 1_000),
        -14,
        -86_400_000L,
        GenericRowData.of(text("Chur"), 7, TimestampData.fromEpochMillis(5, 6)),
        array(array(text("a"), null), null, array()),
        new GenericMapData(map(text("k"), decimal("1.500", 30, 3), text("n"), null)),
        new GenericMapData(map(text("twice"), 2)),
        RawValueData.fromObject("raw"));
  }

  /** As {@link #shortValues}, longer ones. */
  public static GenericRowData longValues() {
    GenericRowData row = shortValues();
    row.setField(7, text("eight888"));
    row.setField(8, text("a text that has to lie in an area of its own ä漢😀"));
    row.setField(9, new byte[33]);
    row.setField(11, decimal("9999999999999999999999999999.9999999999", 38, 10));
    row.setField(20, GenericRowData.of(text("a long name of a town"), null, null));
    row.setField(21, array(array(text("a long text within an array"), text("")), array()));
    row.setField(
        22, new GenericMapData(map(text("a long key of a map"), decimal("-0.001", 30, 3))));
    row.setField(24, RawValueData.fromObject("another text, in a form of its own"));
    return row;
  }

  static GenericRowData nulls() {
    return new GenericRowData(EACH.length);
  }

  /** A row as a job keeps it. */
  static BinaryRowData binary(RowDataSerializer serializer, RowData row) {
    return serializer.toBinaryRow(row).copy();
  }

  static StringData text(String text) {
    return StringData.fromString(text);
  }

  static DecimalData decimal(String number, int precision, int scale) {
    return DecimalData.fromBigDecimal(new BigDecimal(number), precision, scale);
  }

  static GenericArrayData array(Object... elements) {
    return new GenericArrayData(elements);
  }

  /** Keys and values in turn. */
  static Map<Object, Object> map(Object... entries) {
    List<Object> list = Arrays.asList(entries);
    Map<Object, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < list.size(); i += 2) {
      map.put(list.get(i), list.get(i + 1));
    }
    return map;
  }
}
