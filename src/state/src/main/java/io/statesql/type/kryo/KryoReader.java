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

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import io.statesql.type.serializer.KryoVersion;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;

/**
 * The reading half of Kryo serializers whose own reading would build what we do not want, or
 * allocate by an unchecked length. Each reads exactly the bytes that the serializer of Kryo 5.6
 * named at it writes; where that of Kryo 2.24 writes others, it is told the version. Stateless and
 * thread-safe.
 */
abstract class KryoReader extends Serializer<Object> {

  @Override
  public final void write(Kryo kryo, Output output, Object value) {
    throw new UnsupportedOperationException("Kryo data is only read");
  }

  @Override
  public final Object read(Kryo kryo, Input input, Class<?> type) {
    return read(kryo, (KryoInput) input, type);
  }

  abstract Object read(Kryo kryo, KryoInput input, Class<?> type);

  /** Reads an object. */
  @FunctionalInterface
  interface Body {
    Object read(Kryo kryo, KryoInput input, Class<?> type);
  }

  static KryoReader of(Body body) {
    return new KryoReader() {
      @Override
      Object read(Kryo kryo, KryoInput input, Class<?> type) {
        return body.read(kryo, input, type);
      }
    };
  }

  /** An object that is described by text, which {@code read} takes from the input. */
  static KryoReader text(Function<KryoInput, String> read) {
    return new KryoReader() {
      @Override
      Object read(Kryo kryo, KryoInput input, Class<?> type) {
        return new KryoContent.Text(type, read.apply(input));
      }
    };
  }

  /** An object without bytes, as FieldSerializer writes one of a class without fields. */
  static KryoReader marker() {
    return new KryoReader() {
      @Override
      Object read(Kryo kryo, KryoInput input, Class<?> type) {
        return new KryoContent.Marker(type);
      }
    };
  }

  /** DefaultArraySerializers.BooleanArraySerializer. */
  static KryoReader booleans() {
    return new KryoReader() {
      @Override
      Object read(Kryo kryo, KryoInput input, Class<?> type) {
        return input.readBooleans(presentCount(input.readVarInt(true)));
      }
    };
  }

  /** DefaultSerializers.CollectionsEmptyListSerializer and CollectionsEmptySetSerializer. */
  static KryoReader emptySequence() {
    return new KryoReader() {
      @Override
      Object read(Kryo kryo, KryoInput input, Class<?> type) {
        return new KryoContent.Sequence(type, List.of());
      }
    };
  }

  /**
   * DefaultSerializers.CollectionsSingletonListSerializer and CollectionsSingletonSetSerializer.
   */
  static KryoReader singleton() {
    return new KryoReader() {
      @Override
      Object read(Kryo kryo, KryoInput input, Class<?> type) {
        return new KryoContent.Sequence(
            type, Collections.singletonList(kryo.readClassAndObject(input)));
      }
    };
  }

  /** DefaultSerializers.CollectionsEmptyMapSerializer. */
  static KryoReader emptyMap() {
    return new KryoReader() {
      @Override
      Object read(Kryo kryo, KryoInput input, Class<?> type) {
        return new KryoContent.Entries(type, List.of(), List.of());
      }
    };
  }

  /** DefaultSerializers.CollectionsSingletonMapSerializer. */
  static KryoReader singletonMap() {
    return new KryoReader() {
      @Override
      Object read(Kryo kryo, KryoInput input, Class<?> type) {
        return new KryoContent.Entries(
            type,
            Collections.singletonList(kryo.readClassAndObject(input)),
            Collections.singletonList(kryo.readClassAndObject(input)));
      }
    };
  }

  /** CollectionSerializer; see {@link KryoSequenceReader}. */
  static KryoReader collection(KryoVersion version) {
    return new KryoSequenceReader(version, false, true);
  }

  /** CollectionSerializer with a comparator: TreeSetSerializer, PriorityQueueSerializer. */
  static KryoReader sortedCollection(KryoVersion version) {
    return new KryoSequenceReader(version, true, true);
  }

  /** ImmutableCollectionsSerializers: a CollectionSerializer that knows of no null elements. */
  static KryoReader collectionWithoutNulls(KryoVersion version) {
    return new KryoSequenceReader(version, false, false);
  }

  /** ArraysAsListSerializer of chill-java 0.7.6. */
  static KryoReader arrayAsList() {
    return new KryoReader() {
      @Override
      Object read(Kryo kryo, KryoInput input, Class<?> type) {
        int count = input.readVarInt(true);
        ((KryoClassResolver) kryo.getClassResolver()).readDeclaredClass(input);
        return KryoSequenceReader.readMixed(kryo, input, type, input.checkCount(count, 1));
      }
    };
  }

  /** MapSerializer. */
  static KryoReader map(KryoVersion version) {
    return new MapReader(version, false);
  }

  /** MapSerializer with a comparator: TreeMapSerializer, ConcurrentSkipListMapSerializer. */
  static KryoReader sortedMap(KryoVersion version) {
    return new MapReader(version, true);
  }

  /** DefaultArraySerializers.ObjectArraySerializer and StringArraySerializer. */
  static KryoReader array() {
    return new ArrayReader();
  }

  /** The count that is stored one too high, because 0 stands for null. */
  static int presentCount(int stored) {
    if (stored == 0) {
      // The reference in front of an object already told that it is not null.
      throw new KryoException("an object that is there is said to be null");
    }
    return stored - 1;
  }

  /** Room for a few; grows with what is really read, since nested counts are only upper bounds. */
  static List<Object> listFor(int count) {
    return new ArrayList<>(Math.min(count, 64));
  }

  private static final class MapReader extends KryoReader {
    /** Class identifiers of key and value. */
    private static final int MINIMUM_ENTRY_BYTES = 2;

    private final KryoVersion version;
    private final boolean hasComparator;

    MapReader(KryoVersion version, boolean hasComparator) {
      this.version = version;
      this.hasComparator = hasComparator;
    }

    @Override
    Object read(Kryo kryo, KryoInput input, Class<?> type) {
      int count = readCount(kryo, input);
      input.checkCount(count, MINIMUM_ENTRY_BYTES);
      List<Object> keys = listFor(count);
      List<Object> values = listFor(count);
      KryoContent.Entries map = new KryoContent.Entries(type, keys, values);
      kryo.reference(map);
      for (int i = 0; i < count; i++) {
        keys.add(kryo.readClassAndObject(input));
        values.add(kryo.readClassAndObject(input));
      }
      return map;
    }

    /** Kryo 2 writes the comparator before the count, and that as it is. */
    private int readCount(Kryo kryo, KryoInput input) {
      int count = version == KryoVersion.KRYO_2 ? 0 : presentCount(input.readVarInt(true));
      if (hasComparator) {
        kryo.readClassAndObject(input);
      }
      return version == KryoVersion.KRYO_2 ? input.readVarInt(true) : count;
    }
  }

  private static final class ArrayReader extends KryoReader {

    @Override
    Object read(Kryo kryo, KryoInput input, Class<?> type) {
      int count = input.checkCount(presentCount(input.readVarInt(true)), 1);
      Class<?> component = type.getComponentType();
      List<Object> elements = listFor(count);
      KryoContent.Sequence array = new KryoContent.Sequence(type, elements);
      kryo.reference(array);
      // The modifiers of every array class hold "final", so arrays of arrays count as same-typed.
      if (Modifier.isFinal(component.getModifiers())) {
        Serializer<?> serializer = kryo.getSerializer(component);
        for (int i = 0; i < count; i++) {
          elements.add(kryo.readObjectOrNull(input, component, serializer));
        }
      } else {
        for (int i = 0; i < count; i++) {
          Object element = kryo.readClassAndObject(input);
          if (element != null && !component.isAssignableFrom(KryoContent.typeOf(element))) {
            throw new KryoException(
                "an array of "
                    + component.getName()
                    + " cannot hold a "
                    + KryoContent.typeOf(element).getName());
          }
          elements.add(element);
        }
      }
      return array;
    }
  }
}
