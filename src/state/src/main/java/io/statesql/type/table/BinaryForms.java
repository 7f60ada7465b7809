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

import static io.statesql.type.SqlType.Scalar.BIGINT;
import static io.statesql.type.SqlType.Scalar.INTEGER;
import static io.statesql.type.SqlType.Scalar.SMALLINT;
import static io.statesql.type.SqlType.Scalar.TINYINT;

import io.statesql.type.OpaqueCodec;
import io.statesql.type.SqlType;
import io.statesql.type.serializer.StoredSerializer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The forms of the types of Flink SQL: {@code BinaryWriter} of flink-table-runtime 2.3 and {@code
 * BinarySegmentUtils} of flink-table-common 2.3.
 */
final class BinaryForms {
  private static final int MAX_COMPACT_DECIMAL = 18;
  private static final int MAX_COMPACT_TIMESTAMP = 3;

  private static final BinaryForm BOOLEAN =
      new BinaryFixedForm<>(
          SqlType.Scalar.BOOLEAN,
          Byte.BYTES,
          Boolean.class,
          BinaryForms::readBoolean,
          (value, out, at) -> out.putByte(at, value ? 1 : 0));
  private static final BinaryForm BYTE =
      new BinaryFixedForm<>(
          TINYINT,
          Byte.BYTES,
          Byte.class,
          BinarySection::byteAt,
          (value, out, at) -> out.putByte(at, value));
  private static final BinaryForm SHORT =
      new BinaryFixedForm<>(
          SMALLINT,
          Short.BYTES,
          Short.class,
          BinarySection::shortAt,
          (value, out, at) -> out.putShort(at, value));
  private static final BinaryForm INT = ofInt(INTEGER);
  private static final BinaryForm LONG = ofLong(BIGINT);
  private static final BinaryForm FLOAT =
      new BinaryFixedForm<>(
          SqlType.Scalar.REAL,
          Float.BYTES,
          Float.class,
          (in, at) -> Float.intBitsToFloat(in.intAt(at)),
          (value, out, at) -> out.putInt(at, Float.floatToRawIntBits(value)));
  private static final BinaryForm DOUBLE =
      new BinaryFixedForm<>(
          SqlType.Scalar.DOUBLE,
          Double.BYTES,
          Double.class,
          (in, at) -> Double.longBitsToDouble(in.longAt(at)),
          (value, out, at) -> out.putLong(at, Double.doubleToRawLongBits(value)));

  private BinaryForms() {}

  /** The form of a type without the serializer of its fields. */
  static BinaryForm of(LogicalType type) {
    return of(type, null);
  }

  /**
   * The form of a type.
   *
   * @param serializer of its values alone, where the snapshot has it; only raw values need it
   */
  static BinaryForm of(LogicalType type, @Nullable StoredSerializer serializer) {
    return switch (type.root()) {
      case CHAR, VARCHAR -> BinaryBytesForm.TEXT;
      case BINARY, VARBINARY -> BinaryBytesForm.BYTES;
      case BOOLEAN -> BOOLEAN;
      case TINYINT -> BYTE;
      case SMALLINT -> SHORT;
      case INTEGER, INTERVAL_YEAR_MONTH -> INT;
      case BIGINT, INTERVAL_DAY_TIME -> LONG;
      case FLOAT -> FLOAT;
      case DOUBLE -> DOUBLE;
      case DATE -> ofInt(SqlType.Scalar.DATE);
      case TIME_WITHOUT_TIME_ZONE -> ofInt(SqlType.Scalar.TIME);
      case TIMESTAMP_WITHOUT_TIME_ZONE, TIMESTAMP_WITH_LOCAL_TIME_ZONE ->
          isCompactTimestamp(type.precision())
              ? ofLong(SqlType.Scalar.TIMESTAMP)
              : BinaryTimestampForm.INSTANCE;
      case DECIMAL -> new BinaryDecimalForm(type.precision(), type.scale());
      case DISTINCT_TYPE -> of(type.fields().get(0).type(), serializer);
      case ARRAY -> new BinaryAreaForm(array(type));
      case MULTISET, MAP -> new BinaryAreaForm(map(type));
      case ROW, STRUCTURED_TYPE -> new BinaryAreaForm(row(type.fields(), List.of()));
      case RAW -> new BinaryAreaForm(raw(serializer));
      case DATA_VIEW -> BinaryDataViewForm.INSTANCE;
      case VARIANT -> stored("A Flink Variant is shown as it is stored");
      case BITMAP -> stored("A Flink Bitmap is shown as it is stored");
    };
  }

  static BinaryArray array(LogicalType type) {
    return new BinaryArray(of(type.fields().get(0).type()));
  }

  /** A multiset is a map to the number of times that it holds an element. */
  static BinaryMap map(LogicalType type) {
    return new BinaryMap(
        new BinaryArray(of(type.fields().get(0).type())),
        new BinaryArray(
            type.root() == LogicalType.Root.MULTISET ? INT : of(type.fields().get(1).type())));
  }

  /**
   * A row.
   *
   * @param serializers of the fields, or none
   */
  static BinaryRow row(List<LogicalType.Field> fields, List<StoredSerializer> serializers) {
    List<BinaryRow.Field> forms = new ArrayList<>(fields.size());
    for (int i = 0; i < fields.size(); i++) {
      LogicalType.Field field = fields.get(i);
      forms.add(
          new BinaryRow.Field(
              field.name(), of(field.type(), serializers.isEmpty() ? null : serializers.get(i))));
    }
    return new BinaryRow(forms);
  }

  static boolean isCompactDecimal(int precision) {
    return precision <= MAX_COMPACT_DECIMAL;
  }

  static boolean isCompactTimestamp(int precision) {
    return precision <= MAX_COMPACT_TIMESTAMP;
  }

  private static BinaryForm ofInt(SqlType type) {
    return new BinaryFixedForm<>(
        type,
        Integer.BYTES,
        Integer.class,
        BinarySection::intAt,
        (value, out, at) -> out.putInt(at, value));
  }

  private static BinaryForm ofLong(SqlType type) {
    return new BinaryFixedForm<>(
        type,
        Long.BYTES,
        Long.class,
        BinarySection::longAt,
        (value, out, at) -> out.putLong(at, value));
  }

  private static boolean readBoolean(BinarySection in, int at) {
    byte value = in.byteAt(at);
    if (value != 0 && value != 1) {
      throw in.malformed(at, "expected a boolean (0 or 1) but found " + (value & 0xFF));
    }
    return value == 1;
  }

  private static BinaryContent raw(@Nullable StoredSerializer serializer) {
    return serializer != null
            && serializer.codec() instanceof BinaryCodec codec
            && codec.content() instanceof BinaryRaw raw
        ? raw
        : new BinaryRaw(
            OpaqueCodec.undelimited(
                "The serializer of a RAW value within an array or another row is not read"));
  }

  private static BinaryForm stored(String reason) {
    return new BinaryAreaForm(new BinaryRaw(OpaqueCodec.undelimited(reason)));
  }
}
