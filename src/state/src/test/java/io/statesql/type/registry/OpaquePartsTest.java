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
package io.statesql.type.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.statesql.type.Binary;
import io.statesql.type.Codec;
import io.statesql.type.FixedCodec;
import io.statesql.type.NullFlag;
import io.statesql.type.Shop;
import io.statesql.type.SqlType;
import io.statesql.type.StateInput;
import io.statesql.type.Stored;
import io.statesql.type.ValueWriter;
import io.statesql.type.composite.ListCodec;
import io.statesql.type.composite.MapCodec;
import java.util.List;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.BitmapSerializer;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
import org.apache.flink.api.common.typeutils.base.ListSerializer;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.common.typeutils.base.MapSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.api.java.tuple.Tuple3;
import org.apache.flink.api.java.typeutils.runtime.CopyableValueSerializer;
import org.apache.flink.api.java.typeutils.runtime.NullableSerializer;
import org.apache.flink.api.java.typeutils.runtime.RowSerializer;
import org.apache.flink.api.java.typeutils.runtime.TupleSerializer;
import org.apache.flink.api.java.typeutils.runtime.kryo.KryoSerializer;
import org.apache.flink.runtime.state.JavaSerializer;
import org.apache.flink.types.Row;
import org.apache.flink.types.StringValue;
import org.apache.flink.types.bitmap.Bitmap;
import org.junit.jupiter.api.Test;

/** Values that cannot be decoded, alone and between others. */
class OpaquePartsTest {
  /** A type whose own code writes it: undecodable without its class, in any version of ours. */
  private static final TypeSerializer<StringValue> OPAQUE =
      new CopyableValueSerializer<>(StringValue.class);

  private static final StringValue VALUE = new StringValue("xy");
  private static final byte[] VALUE_BYTES = {2, 'x', 'y'};

  @Test
  void showsAnUndecodableValueAsItsBytes() {
    Codec codec = Stored.codec(OPAQUE);
    assertThat(codec.isDelimited()).isFalse();
    assertThat(reason(codec.type())).contains("org.apache.flink.types.StringValue");
    assertThat(Stored.read(OPAQUE, VALUE)).isEqualTo(Binary.of(VALUE_BYTES));
  }

  @Test
  void leavesOutTheFieldsBehindAnOpaqueOne() {
    TupleSerializer<Tuple3<Integer, StringValue, Long>> serializer =
        new TupleSerializer<>(
            tupleClass(Tuple3.class),
            new TypeSerializer<?>[] {IntSerializer.INSTANCE, OPAQUE, LongSerializer.INSTANCE});
    Codec codec = Stored.codec(serializer);
    assertThat(codec.isDelimited()).isFalse();
    assertThat(Stored.fieldNames(codec.type())).containsExactly("f0", "f1");
    assertThat(reason(((SqlType.Row) codec.type()).fields().get(1).type())).endsWith("'f2'");
    assertThat(Stored.read(serializer, Tuple3.of(5, VALUE, 1L)))
        .isEqualTo(Stored.row(5, Binary.of(new byte[] {2, 'x', 'y', 0, 0, 0, 0, 0, 0, 0, 1})));
    StateInput in = new StateInput(Stored.value(serializer, Tuple3.of(5, VALUE, 1L)));
    codec.skip(in);
    in.requireEnd();
  }

  @Test
  void keepsAnOpaqueLastFieldApart() {
    TupleSerializer<Tuple2<Integer, StringValue>> serializer =
        new TupleSerializer<>(
            tupleClass(Tuple2.class), new TypeSerializer<?>[] {IntSerializer.INSTANCE, OPAQUE});
    assertThat(Stored.read(serializer, Tuple2.of(5, VALUE)))
        .isEqualTo(Stored.row(5, Binary.of(VALUE_BYTES)));
    assertThat(reason(((SqlType.Row) Stored.codec(serializer).type()).fields().get(1).type()))
        .doesNotContain("separated");
  }

  @Test
  void namesWhatIsLostInEveryEnclosingStruct() {
    TupleSerializer<Tuple2<StringValue, Integer>> inner =
        new TupleSerializer<>(
            tupleClass(Tuple2.class), new TypeSerializer<?>[] {OPAQUE, IntSerializer.INSTANCE});
    RowSerializer outer =
        new RowSerializer(
            new TypeSerializer<?>[] {
              LongSerializer.INSTANCE,
              NullableSerializer.wrap(inner, false),
              StringSerializer.INSTANCE
            });
    Codec codec = Stored.codec(outer);
    SqlType.Row type = (SqlType.Row) codec.type();
    assertThat(Stored.fieldNames(type)).containsExactly("f0", "f1", "row_kind");
    SqlType.Row innerType = (SqlType.Row) type.fields().get(1).type();
    assertThat(Stored.fieldNames(innerType)).containsExactly("f0");
    assertThat(reason(innerType.fields().get(0).type())).contains("'f1'").endsWith("'f2'");
    Object read = Stored.read(outer, Row.of(7L, Tuple2.of(VALUE, 1), "z"));
    assertThat(read)
        .isEqualTo(
            Stored.row(
                7L, Stored.row(Binary.of(new byte[] {2, 'x', 'y', 0, 0, 0, 1, 2, 'z'})), "+I"));
    assertThat(Stored.read(outer, Row.of(7L, null, "z"))).isEqualTo(Stored.row(7L, null, "+I"));
  }

  @Test
  void passesOverWhatFollowsAnOpaqueFieldThatIsNull() {
    RowSerializer serializer =
        new RowSerializer(new TypeSerializer<?>[] {OPAQUE, IntSerializer.INSTANCE});
    assertThat(Stored.read(serializer, Row.of(null, 5))).isEqualTo(Stored.row(null, "+I"));
    StateInput in = new StateInput(Stored.value(serializer, Row.of(null, 5)));
    Stored.codec(serializer).skip(in);
    in.requireEnd();
  }

  @Test
  void showsCollectionsOfOpaqueElementsAsOne() {
    TypeSerializer<List<StringValue>> list = new ListSerializer<>(OPAQUE);
    assertThat(reason(Stored.codec(list).type())).contains("StringValue");
    assertThat(Stored.read(list, List.of(VALUE)))
        .isEqualTo(Binary.of(new byte[] {0, 0, 0, 1, 2, 'x', 'y'}));
    assertThat(reason(Stored.codec(new MapSerializer<>(OPAQUE, IntSerializer.INSTANCE)).type()))
        .contains("StringValue");
    assertThat(reason(Stored.codec(new MapSerializer<>(IntSerializer.INSTANCE, OPAQUE)).type()))
        .contains("StringValue");
  }

  @Test
  void keepsTheCodecsOfOpaqueCollections() {
    ListCodec list = (ListCodec) Stored.codec(new ListSerializer<>(OPAQUE));
    assertThat(list.isDelimited()).isFalse();
    assertThat(list.element().type()).isInstanceOf(SqlType.Opaque.class);
    MapCodec map = (MapCodec) Stored.codec(new MapSerializer<>(IntSerializer.INSTANCE, OPAQUE));
    assertThat(map.isDelimited()).isFalse();
    assertThat(map.key().type()).isEqualTo(SqlType.Scalar.INTEGER);
    assertThat(map.value().type()).isInstanceOf(SqlType.Opaque.class);
    byte[] bytes = {0, 0, 0, 1, 0, 0, 0, 7, 0, 2, 'x', 'y'};
    StateInput in = new StateInput(bytes);
    assertThat(map.read(in)).isEqualTo(Binary.of(bytes));
    in.requireEnd();
    in.position(0);
    map.skip(in);
    in.requireEnd();
  }

  @Test
  void keepsTheCodecOfElementsThatTakeNoBytes() {
    ListCodec list =
        new ListCodec(
            new FixedCodec(
                SqlType.Scalar.VARCHAR, 0, in -> null, ValueWriter.constant(null, out -> {})),
            NullFlag.NONE);
    assertThat(list.isDelimited()).isFalse();
    assertThat(list.type()).isInstanceOf(SqlType.Opaque.class);
    assertThat(list.element().isDelimited()).isTrue();
    byte[] bytes = {127, 0, 0, 0};
    assertThat(list.read(new StateInput(bytes))).isEqualTo(Binary.of(bytes));
  }

  @Test
  void namesTheLaterFieldsOfAPojo() {
    TypeSerializer<Shop.Order> serializer =
        TypeInformation.of(Shop.Order.class).createSerializer(new SerializerConfigImpl());
    Codec codec = Stored.codec(serializer);
    assertThat(codec.isDelimited()).isFalse();
    assertThat(Stored.fieldNames(codec.type())).containsExactly("id", "money");
    assertThat(reason(((SqlType.Row) codec.type()).fields().get(1).type()))
        .contains("io.statesql.type.Shop$Money")
        .endsWith("'note', 'total'");
    Shop.Order order = new Shop.Order();
    order.id = 3;
    order.note = "n";
    assertThat(Stored.read(serializer, order)).isEqualTo(Stored.row(3, null));
    order.money = new Shop.Money(9);
    Binary rest = Binary.of(new byte[] {0, 0, 0, 0, 0, 0, 0, 9, 0, 2, 'n', 0, 0, 0, 0, 0});
    assertThat(Stored.read(serializer, order)).isEqualTo(Stored.row(3, rest));
  }

  @Test
  void delimitsBitmaps() {
    Bitmap bitmap = Bitmap.fromArray(new int[] {5, 70_000});
    byte[] bytes = Stored.value(BitmapSerializer.INSTANCE, bitmap);
    Stored.check(BitmapSerializer.INSTANCE, bitmap, Binary.of(bytes));
  }

  @Test
  void readsPastTheSnapshotsOfKryoAndJava() {
    SerializerConfigImpl config = new SerializerConfigImpl();
    config.registerKryoType(Shop.Fish.class);
    KryoSerializer<Shop.Fish> kryo = new KryoSerializer<>(Shop.Fish.class, config);
    assertThat(Stored.serializer(kryo).description()).contains("io.statesql.type.Shop$Fish");
    assertThat(Stored.codec(kryo).isDelimited()).isFalse();
    Codec java = Stored.codec(new JavaSerializer<Integer>());
    assertThat(reason(java.type())).contains("Java-serialized");
  }

  @SuppressWarnings("unchecked")
  private static <T> Class<T> tupleClass(Class<?> tupleClass) {
    return (Class<T>) tupleClass;
  }

  private static String reason(SqlType type) {
    return ((SqlType.Opaque) type).reason();
  }
}
