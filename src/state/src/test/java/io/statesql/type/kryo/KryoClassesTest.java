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
package io.statesql.type.kryo;

import static io.statesql.type.kryo.KryoTestData.roundTrip;
import static org.assertj.core.api.Assertions.assertThat;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.serializers.CollectionSerializer;
import com.esotericsoftware.kryo.serializers.FieldSerializer;
import com.esotericsoftware.kryo.serializers.MapSerializer;
import io.statesql.type.serializer.KryoVersion;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.java.typeutils.runtime.kryo.KryoSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class KryoClassesTest {
  private static final Kryo FLINK =
      new KryoSerializer<>(Object.class, new SerializerConfigImpl()).getKryo();

  static Stream<Class<?>> values() {
    return KryoClasses.values(KryoVersion.KRYO_5).stream().map(KryoClasses.Allowed::type);
  }

  static Stream<Class<?>> containers() {
    return values()
        .filter(t -> Collection.class.isAssignableFrom(t) || Map.class.isAssignableFrom(t))
        .filter(KryoClassesTest::isMadeWithoutArguments);
  }

  static Stream<Class<?>> enums() {
    return values().filter(Class::isEnum);
  }

  private static boolean isMadeWithoutArguments(Class<?> type) {
    return Modifier.isPublic(type.getModifiers())
        && Arrays.stream(type.getConstructors()).anyMatch(c -> c.getParameterCount() == 0);
  }

  @ParameterizedTest
  @MethodSource("values")
  void readsWithTheSerializerThatFlinkWritesWith(Class<?> type) {
    Serializer<?> ours = KryoClasses.value(type.getName(), KryoVersion.KRYO_5).serializer().get();
    Serializer<?> flinks = FLINK.getSerializer(type);

    if (ours instanceof KryoReader) {
      assertThat(ours instanceof KryoSequenceReader)
          .isEqualTo(flinks instanceof CollectionSerializer);
      if (flinks instanceof MapSerializer) {
        assertThat(type).isAssignableTo(Map.class);
      }
      assertThat(flinks instanceof FieldSerializer)
          .as("only comparators without fields")
          .isEqualTo(java.util.Comparator.class.isAssignableFrom(type));
    } else {
      assertThat(ours).hasSameClassAs(flinks);
    }
  }

  @ParameterizedTest
  @MethodSource("containers")
  void readsEveryContainerThatCanBeMade(Class<?> type) throws Exception {
    Object container = type.getConstructor().newInstance();
    String expected;
    if (container instanceof Map) {
      @SuppressWarnings("unchecked")
      Map<Object, Object> map = (Map<Object, Object>) container;
      map.put("a".repeat(3), List.of(1));
      expected = "{\"aaa\":[1]}";
    } else {
      @SuppressWarnings("unchecked")
      Collection<Object> collection = (Collection<Object>) container;
      collection.add("a");
      collection.add("b");
      expected = "[\"a\",\"b\"]";
    }

    assertThat(roundTrip(type, container)).isEqualTo(expected);
    assertThat(roundTrip(Object.class, new ArrayList<>(Arrays.asList(container, 1))))
        .isEqualTo("[" + expected + ",1]");
  }

  @ParameterizedTest
  @MethodSource("enums")
  void readsEveryConstantOfEveryEnum(Class<?> type) {
    for (Object constant : type.getEnumConstants()) {
      assertThat(roundTrip(type, constant)).isEqualTo(((Enum<?>) constant).name());
    }
  }

  @Test
  void resolvesArraysOfAllowedClassesOnly() {
    assertThat(KryoClasses.declared("[[Ljava.time.LocalDate;"))
        .isEqualTo(java.time.LocalDate[][].class);
    assertThat(KryoClasses.declared("[[J")).isEqualTo(long[][].class);
    assertThat(KryoClasses.value("[Ljava.util.List;", KryoVersion.KRYO_5).type())
        .isEqualTo(List[].class);
    assertThat(KryoClasses.declared("[Ljava.io.File;")).isNull();
    assertThat(KryoClasses.declared("[")).isNull();
    assertThat(KryoClasses.declared("[L;")).isNull();
    assertThat(KryoClasses.declared("[".repeat(9) + "I")).isNull();
    assertThat(KryoClasses.value("java.util.List", KryoVersion.KRYO_5)).isNull();
    assertThat(KryoClasses.value("java.lang.Class", KryoVersion.KRYO_5)).isNull();
  }
}
