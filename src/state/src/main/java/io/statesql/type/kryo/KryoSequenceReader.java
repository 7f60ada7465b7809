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
import com.esotericsoftware.kryo.Registration;
import com.esotericsoftware.kryo.Serializer;
import io.statesql.type.serializer.KryoVersion;
import java.util.Collections;
import java.util.List;

/**
 * Reads what {@code com.esotericsoftware.kryo.serializers.CollectionSerializer} of Kryo 5.6 writes
 * for a collection whose element type it does not know beforehand, which is so outside of a class's
 * fields:
 *
 * <pre>
 *   flagged varint  count + 1; flag: all elements but nulls are of one class
 *   [class, object] comparator, for sorted collections
 *   not flagged:    count × (class, object)
 *   flagged:        class of all, absent when count is 0; class 0: all are null and end here
 *                   boolean: some are null, absent where there can be none
 *                   count × object, null allowed if some are
 * </pre>
 *
 * <p>Kryo 2.24 writes plain ones:
 *
 * <pre>
 *   [class, object] comparator
 *   varint          count
 *   count × (class, object)
 * </pre>
 */
final class KryoSequenceReader extends KryoReader {
  private final KryoVersion version;
  private final boolean hasComparator;
  private final boolean elementsCanBeNull;

  KryoSequenceReader(KryoVersion version, boolean hasComparator, boolean elementsCanBeNull) {
    this.version = version;
    this.hasComparator = hasComparator;
    this.elementsCanBeNull = elementsCanBeNull;
  }

  @Override
  Object read(Kryo kryo, KryoInput input, Class<?> type) {
    if (version == KryoVersion.KRYO_2) {
      return readPlain(kryo, input, type);
    }
    boolean sameType = input.readVarIntFlag();
    int count = presentCount(input.readVarIntFlag(true));
    if (count < 0) {
      throw new KryoException("a count of " + count + " cannot be right");
    }
    if (hasComparator) {
      kryo.readClassAndObject(input);
    }
    if (count == 0) {
      return new KryoContent.Sequence(type, List.of());
    }
    return sameType
        ? readSameType(kryo, input, type, count)
        : readMixed(kryo, input, type, input.checkCount(count, 1));
  }

  private Object readPlain(Kryo kryo, KryoInput input, Class<?> type) {
    if (hasComparator) {
      kryo.readClassAndObject(input);
    }
    return readMixed(kryo, input, type, input.checkCount(input.readVarInt(true), 1));
  }

  private Object readSameType(Kryo kryo, KryoInput input, Class<?> type, int count) {
    // Ahead of the elements, whose references may point here; its list is filled below.
    List<Object> elements = listFor(count);
    KryoContent.Sequence sequence = new KryoContent.Sequence(type, elements);
    Registration registration = kryo.readClass(input);
    if (registration == null) {
      // Nulls take no bytes at all, so their count is bounded by nothing and nothing is allocated.
      return new KryoContent.Sequence(type, Collections.nCopies(count, null));
    }
    kryo.reference(sequence);
    boolean nullable = elementsCanBeNull && input.readBoolean();
    input.checkCount(count, 1);
    Class<?> elementType = registration.getType();
    Serializer<?> serializer = registration.getSerializer();
    for (int i = 0; i < count; i++) {
      elements.add(
          nullable
              ? kryo.readObjectOrNull(input, elementType, serializer)
              : kryo.readObject(input, elementType, serializer));
    }
    return sequence;
  }

  /** As many elements, each behind its class. */
  static Object readMixed(Kryo kryo, KryoInput input, Class<?> type, int count) {
    List<Object> elements = listFor(count);
    KryoContent.Sequence sequence = new KryoContent.Sequence(type, elements);
    kryo.reference(sequence);
    for (int i = 0; i < count; i++) {
      elements.add(kryo.readClassAndObject(input));
    }
    return sequence;
  }
}
