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
package io.statesql.type.statefun;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.statesql.type.Binary;
import io.statesql.type.SqlType;
import io.statesql.type.UnwritableValueException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Between the fields of one type of protobuf message and the values of a row. Immutable. */
final class ProtobufFields {
  private static final int MAX_NESTING = 8;
  private static final int MAX_FIELDS = 1000;
  private static final int UNSIGNED_DIGITS = 20;
  private static final long UNSIGNED_INT_MASK = 0xFFFF_FFFFL;

  private final Descriptor descriptor;

  /** Of the messages that are rows within this one, by the fields that hold them. */
  private final Map<FieldDescriptor, ProtobufFields> nested = new HashMap<>();

  ProtobufFields(Descriptor descriptor) {
    this(descriptor, List.of(), new int[] {MAX_FIELDS});
  }

  /**
   * @param enclosing the types of the messages around this one
   * @param left how many fields there may be in all, counted down
   */
  private ProtobufFields(Descriptor descriptor, List<Descriptor> enclosing, int[] left) {
    this.descriptor = descriptor;
    List<Descriptor> within = new ArrayList<>(enclosing);
    within.add(descriptor);
    left[0] -= descriptor.getFields().size();
    for (FieldDescriptor field : descriptor.getFields()) {
      FieldDescriptor valued = field.isMapField() ? valueOf(field) : field;
      if (valued.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
        Descriptor type = valued.getMessageType();
        boolean isRow =
            !type.getFields().isEmpty()
                && !within.contains(type)
                && within.size() < MAX_NESTING
                && left[0] >= type.getFields().size();
        if (isRow) {
          nested.put(field, new ProtobufFields(type, within, left));
        }
      }
    }
  }

  private static FieldDescriptor keyOf(FieldDescriptor map) {
    return map.getMessageType().findFieldByNumber(1);
  }

  private static FieldDescriptor valueOf(FieldDescriptor map) {
    return map.getMessageType().findFieldByNumber(2);
  }

  // ---- types ----

  SqlType.Row type() {
    return new SqlType.Row(
        descriptor.getFields().stream()
            .map(field -> new SqlType.Field(field.getName(), type(field)))
            .toList(),
        false);
  }

  private SqlType type(FieldDescriptor field) {
    if (field.isMapField()) {
      return new SqlType.MapOf(scalar(keyOf(field)), single(field, valueOf(field)));
    }
    return field.isRepeated() ? new SqlType.Array(single(field, field)) : single(field, field);
  }

  private SqlType single(FieldDescriptor holder, FieldDescriptor field) {
    ProtobufFields row = nested.get(holder);
    return row == null ? scalar(field) : row.type();
  }

  private static SqlType scalar(FieldDescriptor field) {
    return switch (field.getType()) {
      case BOOL -> SqlType.Scalar.BOOLEAN;
      case INT32, SINT32, SFIXED32 -> SqlType.Scalar.INTEGER;
      case UINT32, FIXED32, INT64, SINT64, SFIXED64 -> SqlType.Scalar.BIGINT;
      case UINT64, FIXED64 -> new SqlType.Decimal(UNSIGNED_DIGITS, 0);
      case FLOAT -> SqlType.Scalar.REAL;
      case DOUBLE -> SqlType.Scalar.DOUBLE;
      case STRING, ENUM -> SqlType.Scalar.VARCHAR;
      case BYTES, MESSAGE, GROUP -> SqlType.Scalar.VARBINARY;
    };
  }

  // ---- from messages ----

  Object[] row(Message message) {
    List<FieldDescriptor> fields = descriptor.getFields();
    Object[] row = new Object[fields.size()];
    for (int i = 0; i < row.length; i++) {
      FieldDescriptor field = fields.get(i);
      boolean isAbsent = !field.isRepeated() && field.hasPresence() && !message.hasField(field);
      row[i] = isAbsent ? null : value(field, message.getField(field));
    }
    return row;
  }

  private Object value(FieldDescriptor field, Object value) {
    if (field.isMapField()) {
      Map<Object, Object> map = new LinkedHashMap<>();
      for (Object entry : (List<?>) value) {
        Message pair = (Message) entry;
        map.put(
            single(null, keyOf(field), pair.getField(keyOf(field))),
            single(nested.get(field), valueOf(field), pair.getField(valueOf(field))));
      }
      return map;
    }
    return field.isRepeated()
        ? ProtobufCodec.map((List<?>) value, one -> single(nested.get(field), field, one))
        : single(nested.get(field), field, value);
  }

  private static Object single(@Nullable ProtobufFields row, FieldDescriptor field, Object value) {
    return switch (field.getType()) {
      case UINT32, FIXED32 -> (Integer) value & UNSIGNED_INT_MASK;
      case UINT64, FIXED64 -> new BigDecimal(Long.toUnsignedString((Long) value));
      case ENUM -> ((EnumValueDescriptor) value).getName();
      case BYTES -> Binary.of(((com.google.protobuf.ByteString) value).toByteArray());
      case MESSAGE, GROUP ->
          row == null ? ProtobufCodec.bytes((Message) value) : row.row((Message) value);
      default -> value;
    };
  }

  // ---- to messages ----

  Message message(Object[] row) {
    DynamicMessage.Builder message = DynamicMessage.newBuilder(descriptor);
    List<FieldDescriptor> fields = descriptor.getFields();
    for (int i = 0; i < row.length; i++) {
      set(message, fields.get(i), i, row[i]);
    }
    return message.build();
  }

  /**
   * Sets a field, or clears it.
   *
   * @param index of the field
   */
  void set(Message.Builder message, FieldDescriptor field, int index, @Nullable Object value) {
    if (value == null) {
      if (field.isRepeated() || !field.hasPresence()) {
        throw new UnwritableValueException(
            "the field \"" + field.getName() + "\" cannot be NULL: its type has no form for it");
      }
      message.clearField(descriptor.getFields().get(index));
      return;
    }
    message.setField(field, stored(field, value));
  }

  private Object stored(FieldDescriptor field, Object value) {
    if (field.isMapField()) {
      List<Message> entries = new ArrayList<>();
      ((Map<?, ?>) value)
          .forEach(
              (key, mapped) ->
                  entries.add(
                      DynamicMessage.newBuilder(field.getMessageType())
                          .setField(keyOf(field), storedSingle(null, keyOf(field), key))
                          .setField(
                              valueOf(field),
                              storedSingle(nested.get(field), valueOf(field), mapped))
                          .build()));
      return entries;
    }
    return field.isRepeated()
        ? ProtobufCodec.map((List<?>) value, one -> storedSingle(nested.get(field), field, one))
        : storedSingle(nested.get(field), field, value);
  }

  private static Object storedSingle(
      @Nullable ProtobufFields row, FieldDescriptor field, @Nullable Object value) {
    if (value == null) {
      throw new UnwritableValueException(
          "the field \"" + field.getName() + "\" has no NULL within a list or map");
    }
    return switch (field.getType()) {
      case UINT32, FIXED32 ->
          unsigned(field, BigInteger.valueOf((Long) value), Integer.SIZE).intValue();
      case UINT64, FIXED64 ->
          unsigned(field, ((BigDecimal) value).toBigIntegerExact(), Long.SIZE).longValue();
      case ENUM -> constant(field, (String) value);
      case BYTES -> ProtobufCodec.copy((Binary) value);
      case MESSAGE, GROUP ->
          row == null ? parsed(field, (Binary) value) : row.message((Object[]) value);
      default -> value;
    };
  }

  private static BigInteger unsigned(FieldDescriptor field, BigInteger value, int bits) {
    if (value.signum() < 0 || value.bitLength() > bits) {
      throw new UnwritableValueException(
          value
              + " is not an unsigned number of "
              + bits
              + " bits, as \""
              + field.getName()
              + "\"");
    }
    return value;
  }

  private static EnumValueDescriptor constant(FieldDescriptor field, String name) {
    EnumValueDescriptor constant = field.getEnumType().findValueByName(name);
    if (constant == null) {
      throw new UnwritableValueException(
          "the field \"" + field.getName() + "\" has no constant " + name);
    }
    return constant;
  }

  private static Message parsed(FieldDescriptor field, Binary bytes) {
    try {
      return DynamicMessage.parseFrom(field.getMessageType(), bytes.bytes());
    } catch (InvalidProtocolBufferException e) {
      throw new UnwritableValueException(
          "the field \"" + field.getName() + "\" is no message: " + e.getMessage());
    }
  }
}
