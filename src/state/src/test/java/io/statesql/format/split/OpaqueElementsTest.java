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
package io.statesql.format.split;

import static org.assertj.core.api.Assertions.assertThat;

import io.statesql.format.header.KeyedHeaderReader;
import io.statesql.format.key.CompositeKey;
import io.statesql.format.model.ColumnSource;
import io.statesql.format.model.ColumnSource.Part;
import io.statesql.format.model.KeyedElement;
import io.statesql.format.model.KeyedStateMeta;
import io.statesql.format.scan.ElementReader;
import io.statesql.type.Binary;
import io.statesql.type.SqlType;
import io.statesql.type.serializer.KryoVersion;
import io.statesql.type.serializer.SerializerContext;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.flink.api.common.state.StateDescriptor;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
import org.apache.flink.api.common.typeutils.base.ListSerializer;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.common.typeutils.base.MapSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.api.java.typeutils.runtime.CopyableValueSerializer;
import org.apache.flink.api.java.typeutils.runtime.TupleSerializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.runtime.state.KeyedBackendSerializationProxy;
import org.apache.flink.runtime.state.RegisteredKeyValueStateBackendMetaInfo;
import org.apache.flink.runtime.state.SerializedCompositeKeyBuilder;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.types.StringValue;
import org.junit.jupiter.api.Test;

/** Lists and maps whose elements cannot be decoded, in the layout that parts map entries. */
class OpaqueElementsTest {
  private static final TypeSerializer<StringValue> OPAQUE =
      new CopyableValueSerializer<>(StringValue.class);
  private static final Binary VALUE = Binary.of(new byte[] {2, 'x', 'y'});
  private static final int KEY_GROUP = 5;

  @Test
  void showsKeysAndValuesOfAMapWithOpaqueValues() throws IOException {
    KeyedStateMeta state =
        read(StateDescriptor.Type.MAP, new MapSerializer<>(StringSerializer.INSTANCE, OPAQUE));
    assertThat(state.codecs().mapKey().type()).isEqualTo(SqlType.Scalar.VARCHAR);
    assertThat(state.codecs().value().type()).isInstanceOf(SqlType.Opaque.class);
    assertThat(state.codecs().wholeList()).isFalse();
    assertThat(state.codecs().isSeparable()).isTrue();
    assertThat(entry(state, StringSerializer.INSTANCE, "name", VALUE))
        .containsExactly(7L, "name", VALUE);
  }

  @Test
  void showsValuesOfAMapWithOpaqueKeys() throws IOException {
    KeyedStateMeta state =
        read(StateDescriptor.Type.MAP, new MapSerializer<>(OPAQUE, IntSerializer.INSTANCE));
    assertThat(state.codecs().mapKey().type()).isInstanceOf(SqlType.Opaque.class);
    assertThat(entry(state, OPAQUE, new StringValue("xy"), Binary.of(new byte[] {0, 0, 0, 9})))
        .containsExactly(7L, VALUE, 9);
  }

  @Test
  void showsAListOfOpaqueElementsAsAWhole() throws IOException {
    KeyedStateMeta state = read(StateDescriptor.Type.LIST, new ListSerializer<>(OPAQUE));
    assertWholeList(state);
  }

  @Test
  void doesNotTakeTheRestOfAListForTheEndOfItsFirstElement() throws IOException {
    TupleSerializer<Tuple2<Integer, StringValue>> tuple =
        new TupleSerializer<>(tuple2(), new TypeSerializer<?>[] {IntSerializer.INSTANCE, OPAQUE});
    assertWholeList(read(StateDescriptor.Type.LIST, new ListSerializer<>(tuple)));
  }

  private static void assertWholeList(KeyedStateMeta state) {
    assertThat(state.codecs().wholeList()).isTrue();
    assertThat(state.codecs().mapKey()).isNull();
    assertThat(state.codecs().value().type())
        .isInstanceOfSatisfying(
            SqlType.Opaque.class, type -> assertThat(type.reason()).contains("StringValue"));
    byte[] list = {0, 0, 0, 1, 2, 'x', 'y', ',', 0, 0, 0, 2, 2, 'x', 'y'};
    KeyedElement element = new KeyedElement();
    element.value.reset(list, 0, list.length, 0);
    Object[] row = new Object[1];
    new ElementReader(state, List.of(new ColumnSource.Whole(Part.VALUE))).read(element, row, 0);
    assertThat(row).containsExactly(Binary.of(list));
  }

  /** The header as Flink writes it. */
  private static KeyedStateMeta read(StateDescriptor.Type type, TypeSerializer<?> serializer)
      throws IOException {
    DataOutputSerializer out = new DataOutputSerializer(256);
    new KeyedBackendSerializationProxy<>(
            LongSerializer.INSTANCE,
            List.of(
                new RegisteredKeyValueStateBackendMetaInfo<>(
                        type, "state", VoidNamespaceSerializer.INSTANCE, serializer)
                    .snapshot()),
            false)
        .write(out);
    return KeyedHeaderReader.read(out.getCopyOfBuffer(), SerializerContext.of(KryoVersion.KRYO_5))
        .states()
        .get(0);
  }

  /** The row of a map entry under the key 7. */
  private static <K> Object[] entry(
      KeyedStateMeta state, TypeSerializer<K> keySerializer, K mapKey, Binary value)
      throws IOException {
    SerializedCompositeKeyBuilder<Long> builder =
        new SerializedCompositeKeyBuilder<>(LongSerializer.INSTANCE, 1, 64);
    builder.setKeyAndKeyGroup(7L, KEY_GROUP);
    byte[] key =
        builder.buildCompositeKeyNamesSpaceUserKey(
            VoidNamespace.INSTANCE, VoidNamespaceSerializer.INSTANCE, mapKey, keySerializer);
    KeyedElement element = new KeyedElement();
    element.key.reset(key, 0, key.length, 0);
    CompositeKey composite = new CompositeKey(128, state.codecs());
    composite.split(element.key, KEY_GROUP);
    element.key.reset(key, composite.keyStart(), composite.keyLength(), 0);
    element.mapKey.reset(key, composite.mapKeyStart(), key.length - composite.mapKeyStart(), 0);
    element.value.reset(value.bytes(), 0, value.length(), 0);
    Object[] row = new Object[3];
    new ElementReader(
            state,
            Arrays.stream(new Part[] {Part.KEY, Part.MAP_KEY, Part.VALUE})
                .<ColumnSource>map(ColumnSource.Whole::new)
                .toList())
        .read(element, row, 0);
    return row;
  }

  @SuppressWarnings("unchecked")
  private static Class<Tuple2<Integer, StringValue>> tuple2() {
    return (Class<Tuple2<Integer, StringValue>>) (Class<?>) Tuple2.class;
  }
}
