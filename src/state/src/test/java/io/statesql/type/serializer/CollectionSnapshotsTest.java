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
package io.statesql.type.serializer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.statesql.type.Binary;
import io.statesql.type.Codec;
import io.statesql.type.MalformedValueException;
import io.statesql.type.SqlType;
import io.statesql.type.StateInput;
import io.statesql.type.Stored;
import io.statesql.type.composite.ListCodec;
import io.statesql.type.composite.MapCodec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.GenericArraySerializer;
import org.apache.flink.api.common.typeutils.base.InstantSerializer;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
import org.apache.flink.api.common.typeutils.base.ListSerializer;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.common.typeutils.base.MapSerializer;
import org.apache.flink.api.common.typeutils.base.NullValueSerializer;
import org.apache.flink.api.common.typeutils.base.SetSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.api.common.typeutils.base.array.BooleanPrimitiveArraySerializer;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.api.common.typeutils.base.array.CharPrimitiveArraySerializer;
import org.apache.flink.api.common.typeutils.base.array.DoublePrimitiveArraySerializer;
import org.apache.flink.api.common.typeutils.base.array.FloatPrimitiveArraySerializer;
import org.apache.flink.api.common.typeutils.base.array.IntPrimitiveArraySerializer;
import org.apache.flink.api.common.typeutils.base.array.LongPrimitiveArraySerializer;
import org.apache.flink.api.common.typeutils.base.array.ShortPrimitiveArraySerializer;
import org.apache.flink.api.common.typeutils.base.array.StringArraySerializer;
import org.apache.flink.runtime.state.ArrayListSerializer;
import org.junit.jupiter.api.Test;

class CollectionSnapshotsTest {
  private final Random random = new Random(5);

  @Test
  void readsLists() {
    TypeSerializer<List<Integer>> ints = new ListSerializer<>(IntSerializer.INSTANCE);
    Stored.check(ints, List.of(), List.of());
    Stored.check(ints, List.of(1, Integer.MIN_VALUE, 3), List.of(1, Integer.MIN_VALUE, 3));
    TypeSerializer<List<List<String>>> nested =
        new ListSerializer<>(new ListSerializer<>(StringSerializer.INSTANCE));
    List<List<String>> value = List.of(List.of(), Arrays.asList("a", null, "ä"), List.of("b"));
    Stored.check(nested, value, value);
    ArrayList<Integer> arrayList = new ArrayList<>(List.of(4, 5));
    Stored.check(new ArrayListSerializer<>(IntSerializer.INSTANCE), arrayList, arrayList);
    assertThat(Stored.serializer(nested).description()).isEqualTo("List<List<String>>");
  }

  @Test
  void givesTheElementCodecOfAList() {
    Codec codec = Stored.codec(new ListSerializer<>(StringSerializer.INSTANCE));
    assertThat(codec).isInstanceOf(ListCodec.class);
    assertThat(((ListCodec) codec).element().type()).isEqualTo(SqlType.Scalar.VARCHAR);
    assertThat(codec.type()).isEqualTo(new SqlType.Array(SqlType.Scalar.VARCHAR));
  }

  @Test
  void readsSetsWithNull() {
    Set<String> value = new LinkedHashSet<>(Arrays.asList("b", null, "a"));
    Stored.check(
        new SetSerializer<>(StringSerializer.INSTANCE), value, Arrays.asList("b", null, "a"));
    Stored.check(new SetSerializer<>(LongSerializer.INSTANCE), Set.of(), List.of());
  }

  @Test
  void readsMapsInStoredOrderWithNullValues() {
    TypeSerializer<Map<String, Long>> serializer =
        new MapSerializer<>(StringSerializer.INSTANCE, LongSerializer.INSTANCE);
    Map<String, Long> value = new LinkedHashMap<>();
    value.put("z", 1L);
    value.put("a", null);
    value.put("m", Long.MAX_VALUE);
    Stored.check(serializer, value, value);
    Stored.check(serializer, Map.of(), Map.of());
    Map<?, ?> read =
        (Map<?, ?>) Stored.codec(serializer).read(new StateInput(Stored.value(serializer, value)));
    assertThat(new ArrayList<Object>(read.keySet())).containsExactly("z", "a", "m");
    MapCodec codec = (MapCodec) Stored.codec(serializer);
    assertThat(codec.key().type()).isEqualTo(SqlType.Scalar.VARCHAR);
    assertThat(codec.value().type()).isEqualTo(SqlType.Scalar.BIGINT);
    assertThat(Stored.serializer(serializer).description()).isEqualTo("Map<String, Long>");
  }

  @Test
  void refusesAMapThatHoldsAKeyTwice() {
    Codec codec = Stored.codec(new MapSerializer<>(IntSerializer.INSTANCE, IntSerializer.INSTANCE));
    byte[] bytes = {0, 0, 0, 2, 0, 0, 0, 7, 1, 0, 0, 0, 7, 1};
    assertThatThrownBy(() -> codec.read(new StateInput(bytes)))
        .isInstanceOf(MalformedValueException.class)
        .hasMessageContaining("twice");
  }

  @Test
  void readsPrimitiveArrays() {
    boolean[] booleans = {true, false, true};
    Stored.check(BooleanPrimitiveArraySerializer.INSTANCE, booleans, List.of(true, false, true));
    short[] shorts = {Short.MIN_VALUE, 0, 1};
    Stored.check(
        ShortPrimitiveArraySerializer.INSTANCE,
        shorts,
        List.of(Short.MIN_VALUE, (short) 0, (short) 1));
    int[] ints = random.ints(20).toArray();
    Stored.check(IntPrimitiveArraySerializer.INSTANCE, ints, IntStream.of(ints).boxed().toList());
    long[] longs = random.longs(20).toArray();
    Stored.check(
        LongPrimitiveArraySerializer.INSTANCE, longs, Arrays.stream(longs).boxed().toList());
    double[] doubles = {-0.0, Double.NaN, 1e300};
    Stored.check(
        DoublePrimitiveArraySerializer.INSTANCE, doubles, List.of(-0.0, Double.NaN, 1e300));
    float[] floats = {-0f, Float.POSITIVE_INFINITY};
    Stored.check(
        FloatPrimitiveArraySerializer.INSTANCE, floats, List.of(-0f, Float.POSITIVE_INFINITY));
    Stored.check(IntPrimitiveArraySerializer.INSTANCE, new int[0], List.of());
  }

  @Test
  void readsBytesAsBinaryAndCharsAsText() {
    byte[] bytes = new byte[50];
    random.nextBytes(bytes);
    Stored.check(BytePrimitiveArraySerializer.INSTANCE, bytes, Binary.of(bytes));
    Stored.check(BytePrimitiveArraySerializer.INSTANCE, new byte[0], Binary.of(new byte[0]));
    String text = "text ä漢\uD800";
    Stored.check(CharPrimitiveArraySerializer.INSTANCE, text.toCharArray(), text);
  }

  @Test
  void readsObjectArraysWithNull() {
    Stored.check(
        StringArraySerializer.INSTANCE, new String[] {"a", null, ""}, Arrays.asList("a", null, ""));
    TypeSerializer<Long[]> longs =
        new GenericArraySerializer<>(Long.class, LongSerializer.INSTANCE);
    Stored.check(longs, new Long[] {1L, null, -1L}, Arrays.asList(1L, null, -1L));
    Stored.check(longs, new Long[0], List.of());
    TypeSerializer<String[][]> nested =
        new GenericArraySerializer<>(String[].class, StringArraySerializer.INSTANCE);
    Stored.check(
        nested, new String[][] {{"a"}, null, {}}, Arrays.asList(List.of("a"), null, List.of()));
    assertThat(Stored.serializer(longs).description()).isEqualTo("java.lang.Long[]");
  }

  @Test
  void makesOrdinaryRowsOfNanosecondsWhereNoNameEnclosesThem() {
    TypeSerializer<List<Instant>> list = new ListSerializer<>(InstantSerializer.INSTANCE);
    Instant instant = Instant.ofEpochSecond(-1, 1_500_000);
    Stored.check(
        list, Arrays.asList(instant, null), Arrays.asList(Stored.row(-999L, 500_000), null));
    SqlType element = ((SqlType.Array) Stored.codec(list).type()).element();
    assertThat(Stored.fieldNames(element)).containsExactly("value", "nanos");
    assertThat(((SqlType.Row) element).inline()).isFalse();
    TypeSerializer<Map<Instant, Instant>> map =
        new MapSerializer<>(InstantSerializer.INSTANCE, InstantSerializer.INSTANCE);
    Stored.check(
        map,
        Collections.singletonMap(instant, instant),
        Map.of(Stored.row(-999L, 500_000), Stored.row(-999L, 500_000)));
    SqlType.MapOf type = (SqlType.MapOf) Stored.codec(map).type();
    assertThat(Stored.fieldNames(type.key())).containsExactly("value", "nanos");
    assertThat(Stored.fieldNames(type.value())).containsExactly("value", "nanos");
  }

  @Test
  void checksCountsBeforeItAllocates() {
    List<Codec> codecs =
        List.of(
            Stored.codec(new ListSerializer<>(StringSerializer.INSTANCE)),
            Stored.codec(new SetSerializer<>(StringSerializer.INSTANCE)),
            Stored.codec(new MapSerializer<>(StringSerializer.INSTANCE, IntSerializer.INSTANCE)),
            Stored.codec(IntPrimitiveArraySerializer.INSTANCE),
            Stored.codec(BytePrimitiveArraySerializer.INSTANCE),
            Stored.codec(CharPrimitiveArraySerializer.INSTANCE));
    for (Codec codec : codecs) {
      for (byte[] bytes : new byte[][] {{127, -1, -1, -1, 0, 0, 0}, {-1, -1, -1, -1, 0}}) {
        assertThatThrownBy(() -> codec.read(new StateInput(bytes)))
            .isInstanceOf(MalformedValueException.class);
        assertThatThrownBy(() -> codec.skip(new StateInput(bytes)))
            .isInstanceOf(MalformedValueException.class);
      }
    }
  }

  @Test
  void showsCollectionsOfNothingAsBytes() {
    Codec codec = Stored.codec(new ListSerializer<>(NullValueSerializer.INSTANCE));
    assertThat(codec.type()).isInstanceOf(SqlType.Opaque.class);
    assertThat(codec.isDelimited()).isFalse();
  }
}
