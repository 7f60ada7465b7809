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

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import io.statesql.type.Binary;
import io.statesql.type.Codec;
import io.statesql.type.MalformedValueException;
import io.statesql.type.SqlType;
import io.statesql.type.StateInput;
import io.statesql.type.StateOutput;
import io.statesql.type.UnwritableValueException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A protobuf message that takes all bytes that are left, by its descriptor: a row of its fields. An
 * absent field that can be told from one with a default value is null; a oneof is its fields, of
 * which one is not null. A message within messages of its own type, or nested too deep, is its
 * bytes. Immutable.
 */
final class ProtobufCodec implements Codec {
  private final Descriptor descriptor;
  private final ProtobufFields fields;
  private final SqlType.Row type;

  private ProtobufCodec(Descriptor descriptor) {
    this.descriptor = descriptor;
    this.fields = new ProtobufFields(descriptor);
    this.type = fields.type();
  }

  /** The codec of a message; one without fields is its bytes. */
  static Codec of(Descriptor descriptor) {
    return descriptor.getFields().isEmpty()
        ? StatefunSnapshots.allBytes()
        : new ProtobufCodec(descriptor);
  }

  @Override
  public SqlType type() {
    return type;
  }

  @Override
  public Object read(StateInput in) {
    Object[] row = fields.row(parse(in));
    in.skip(in.remaining());
    return row;
  }

  private DynamicMessage parse(StateInput in) {
    try {
      return DynamicMessage.parseFrom(descriptor, StatefunSnapshots.coded(in));
    } catch (IOException e) {
      throw new MalformedValueException(
          in.offset(), "it is no message of protobuf: " + e.getMessage(), e);
    }
  }

  @Override
  public void skip(StateInput in) {
    in.skip(in.remaining());
  }

  @Override
  public void write(@Nullable Object value, StateOutput out) {
    if (value == null) {
      throw new UnwritableValueException("a message cannot be NULL");
    }
    out.writeBytes(fields.message((Object[]) value).toByteArray());
  }

  /** Fields that the descriptor does not know stay too. */
  @Override
  public void splice(StateInput old, Object[] row, BitSet replaced, StateOutput out) {
    Message.Builder message = parse(old).toBuilder();
    old.skip(old.remaining());
    List<FieldDescriptor> all = descriptor.getFields();
    for (int i = replaced.nextSetBit(0); i >= 0; i = replaced.nextSetBit(i + 1)) {
      fields.set(message, all.get(i), i, row[i]);
    }
    out.writeBytes(message.build().toByteArray());
  }

  @Override
  public int declaredLength() {
    return -1;
  }

  @Override
  public int minimumLength() {
    return 0;
  }

  @Override
  public boolean isDelimited() {
    return false;
  }

  /** The bytes of a message of which no row is made. */
  static Object bytes(Message message) {
    return Binary.of(message.toByteArray());
  }

  /** Copies a list of values, each made another. */
  static List<Object> map(List<?> values, java.util.function.UnaryOperator<Object> change) {
    List<Object> changed = new ArrayList<>(values.size());
    values.forEach(value -> changed.add(change.apply(value)));
    return changed;
  }

  /** Protobuf's bytes of ours. */
  static ByteString copy(Binary bytes) {
    return ByteString.copyFrom(bytes.bytes());
  }
}
