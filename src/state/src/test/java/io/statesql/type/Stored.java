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
package io.statesql.type;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.statesql.type.composite.StreamElementCodec;
import io.statesql.type.registry.StoredSerializers;
import io.statesql.type.serializer.KryoVersion;
import io.statesql.type.serializer.SerializerContext;
import io.statesql.type.serializer.StoredSerializer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshotSerializationUtil;
import org.apache.flink.core.memory.DataOutputSerializer;

/**
 * Writes with Flink's serializers, reads with ours, which get the bytes alone, and checks what
 * every codec promises.
 */
public final class Stored {
  /** For snapshots of the Flink that the tests run. */
  public static final SerializerContext FLINK_2 = SerializerContext.of(KryoVersion.KRYO_5);

  private static final byte[] FOLLOWING = {7, 1, 0, 2, 0, 99, -1, 0x2C};

  private Stored() {}

  /** The versioned snapshot of a serializer. */
  public static byte[] snapshot(TypeSerializer<?> serializer) {
    DataOutputSerializer out = new DataOutputSerializer(64);
    try {
      TypeSerializerSnapshot.writeVersionedSnapshot(out, serializer.snapshotConfiguration());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.getCopyOfBuffer();
  }

  /** The snapshot as headers hold it. */
  public static byte[] headerSnapshot(TypeSerializer<?> serializer) {
    DataOutputSerializer out = new DataOutputSerializer(64);
    try {
      TypeSerializerSnapshotSerializationUtil.writeSerializerSnapshot(
          out, serializer.snapshotConfiguration());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.getCopyOfBuffer();
  }

  public static <T> byte[] value(TypeSerializer<T> serializer, T value) {
    DataOutputSerializer out = new DataOutputSerializer(64);
    try {
      serializer.serialize(value, out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.getCopyOfBuffer();
  }

  /** Reads the snapshot of a serializer, to its end. */
  public static StoredSerializer serializer(TypeSerializer<?> serializer) {
    StateInput in = new StateInput(snapshot(serializer));
    StoredSerializer stored = StoredSerializers.read(in, Stored.FLINK_2);
    in.requireEnd();
    return stored;
  }

  public static Codec codec(TypeSerializer<?> serializer) {
    return serializer(serializer).codec();
  }

  /** What our codec reads of a value, in comparable form: rows as {@link #row}. */
  public static <T> Object read(TypeSerializer<T> serializer, T value) {
    StateInput in = new StateInput(value(serializer, value));
    Object read = codec(serializer).read(in);
    in.requireEnd();
    return comparable(read);
  }

  /**
   * Checks a delimited codec against a value: that it reads what is expected and no byte more,
   * skips as far as it reads, declares Flink's length, keeps to its type and refuses truncated
   * bytes.
   *
   * @param expected with rows as {@link #row}
   */
  public static <T> void check(TypeSerializer<T> serializer, T value, Object expected) {
    Codec codec = codec(serializer);
    byte[] bytes = value(serializer, value);
    assertThat(codec.isDelimited()).as("delimited").isTrue();
    assertThat(codec.declaredLength()).as("declared length").isEqualTo(serializer.getLength());
    assertThat(codec.minimumLength()).as("minimum length").isLessThanOrEqualTo(bytes.length);
    byte[] followed = Arrays.copyOf(bytes, bytes.length + FOLLOWING.length);
    System.arraycopy(FOLLOWING, 0, followed, bytes.length, FOLLOWING.length);
    StateInput in = new StateInput(followed);
    Object read = codec.read(in);
    assertThat(in.position()).as("position after read").isEqualTo(bytes.length);
    assertThat(comparable(read)).isEqualTo(expected);
    assertConforms(codec.type(), read);
    assertWritten(codec, read, bytes);
    assertHashed(codec, read, value);
    in.position(0);
    codec.skip(in);
    assertThat(in.position()).as("position after skip").isEqualTo(bytes.length);
    assertTruncationsAreMalformed(codec, bytes);
  }

  /** Checks that what was read is written as it was, as a whole and field by field. */
  private static void assertWritten(Codec codec, Object read, byte[] bytes) {
    if (codec instanceof StreamElementCodec) {
      // Has kinds that are not shown as a whole.
      return;
    }
    if (codec.unwritable() == null) {
      assertThat(written(codec, read)).as("written bytes of %s", read).isEqualTo(bytes);
    }
    if (codec.type() instanceof SqlType.Row type) {
      for (int field = 0; field < type.fields().size(); field++) {
        Object[] row = new Object[type.fields().size()];
        row[field] = read == null ? null : ((Object[]) read)[field];
        try {
          assertThat(spliced(codec, bytes, row, field))
              .as("bytes after replacing field %d of %s", field, comparable(read))
              .isEqualTo(bytes);
        } catch (UnwritableValueException e) {
          assertThat(codec.unwritable()).as("why field %d is refused: %s", field, e).isNotNull();
        }
      }
    }
  }

  public static byte[] written(Codec codec, Object value) {
    StateOutput out = new StateOutput();
    codec.write(value, out);
    return out.toByteArray();
  }

  /** A stored value with one field of its row replaced. */
  public static byte[] spliced(Codec codec, byte[] bytes, Object[] row, int field) {
    BitSet replaced = new BitSet();
    replaced.set(field);
    StateOutput out = new StateOutput();
    StateInput old = new StateInput(bytes);
    codec.splice(old, row, replaced, out);
    assertThat(old.remaining()).as("bytes left after splicing").isZero();
    return out.toByteArray();
  }

  private static void assertHashed(Codec codec, Object read, Object value) {
    if (codec.keyHash() != null && read != null) {
      assertThat(codec.keyHash().of(read)).as("hash code of %s", value).isEqualTo(value.hashCode());
    }
  }

  private static void assertTruncationsAreMalformed(Codec codec, byte[] bytes) {
    StateInput in = new StateInput();
    for (int length = 0; length < bytes.length; length++) {
      int truncated = length;
      assertThatThrownBy(() -> codec.read(in.reset(bytes, 0, truncated, 0)))
          .as("read of %d of %d bytes", length, bytes.length)
          .isInstanceOf(MalformedValueException.class);
      assertThatThrownBy(() -> codec.skip(in.reset(bytes, 0, truncated, 0)))
          .as("skip of %d of %d bytes", length, bytes.length)
          .isInstanceOf(MalformedValueException.class);
    }
  }

  /** A row in comparable form. */
  public static Row row(Object... fields) {
    return new Row(Arrays.asList(fields));
  }

  public record Row(List<Object> fields) {}

  /** Arrays, which compare by identity, as {@link Row}. */
  public static Object comparable(Object value) {
    if (value instanceof Object[] fields) {
      return row(Arrays.stream(fields).map(Stored::comparable).toArray());
    }
    if (value instanceof List<?> list) {
      List<Object> elements = new ArrayList<>();
      list.forEach(element -> elements.add(comparable(element)));
      return elements;
    }
    if (value instanceof Map<?, ?> map) {
      Map<Object, Object> entries = new LinkedHashMap<>();
      map.forEach((key, entry) -> entries.put(comparable(key), comparable(entry)));
      return entries;
    }
    return value;
  }

  /** Checks that a value has the Java form that its type promises. */
  public static void assertConforms(SqlType type, Object value) {
    if (value == null) {
      return;
    }
    if (type instanceof SqlType.Scalar scalar) {
      assertThat(value).isInstanceOf(javaClass(scalar));
    } else if (type instanceof SqlType.Decimal decimal) {
      assertThat((BigDecimal) value)
          .satisfies(
              number -> assertThat(number.scale()).isEqualTo(decimal.scale()),
              number -> assertThat(number.precision()).isLessThanOrEqualTo(decimal.precision()));
    } else if (type instanceof SqlType.Opaque) {
      assertThat(value).isInstanceOf(Binary.class);
    } else if (type instanceof SqlType.Array array) {
      ((List<?>) value).forEach(element -> assertConforms(array.element(), element));
    } else if (type instanceof SqlType.MapOf map) {
      ((Map<?, ?>) value)
          .forEach(
              (key, entry) -> {
                assertConforms(map.key(), key);
                assertConforms(map.value(), entry);
              });
    } else if (type instanceof SqlType.Row row) {
      Object[] fields = (Object[]) value;
      assertThat(fields).hasSize(row.fields().size());
      for (int i = 0; i < fields.length; i++) {
        assertConforms(row.fields().get(i).type(), fields[i]);
      }
    } else {
      throw new AssertionError("no such type: " + type);
    }
  }

  private static Class<?> javaClass(SqlType.Scalar scalar) {
    return switch (scalar) {
      case BOOLEAN -> Boolean.class;
      case TINYINT -> Byte.class;
      case SMALLINT -> Short.class;
      case INTEGER, DATE, TIME -> Integer.class;
      case BIGINT, TIMESTAMP -> Long.class;
      case REAL -> Float.class;
      case DOUBLE -> Double.class;
      case DECIMAL -> BigDecimal.class;
      case VARCHAR -> String.class;
      case VARBINARY -> Binary.class;
    };
  }

  /** Names of the fields of a row type. */
  public static List<String> fieldNames(SqlType type) {
    return ((SqlType.Row) type).fields().stream().map(SqlType.Field::name).toList();
  }
}
