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

import com.fasterxml.jackson.core.JsonGenerator;
import io.statesql.StateSqlException;
import java.io.IOException;
import java.lang.reflect.Array;
import java.util.BitSet;
import java.util.Collection;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The JSON text of a decoded Kryo value, always the same for the same bytes:
 *
 * <ul>
 *   <li>integers, {@code BigInteger} and {@code BigDecimal} are numbers with all their digits;
 *       {@code float} and {@code double} are the shortest numbers that read back the same, and the
 *       strings {@code "NaN"}, {@code "Infinity"}, {@code "-Infinity"};
 *   <li>{@code byte[]} is a string of Base64; other arrays and all collections are arrays in stored
 *       order; a {@code BitSet} is the array of its set bits;
 *   <li>a map is an object in stored order when every key is one text or number and no two have the
 *       same text, else an array of objects {@code {"key":...,"value":...}};
 *   <li>an optional is its content, or null when empty;
 *   <li>everything else is a string, see {@link KryoTexts}.
 * </ul>
 */
final class KryoJson {
  private static final String TOO_DEEP =
      "the Kryo value contains itself or is nested deeper than "
          + KryoDecoder.MAX_NESTING
          + " levels, which JSON text cannot show";

  private final BoundedJson json;
  private final JsonGenerator out;

  private KryoJson(BoundedJson json) {
    this.json = json;
    this.out = json.out();
  }

  /**
   * @throws StateSqlException if the value contains itself, or its text is too deep or too long
   */
  static String of(Object value) {
    return BoundedJson.of(
        KryoDecoder.MAX_NESTING, TOO_DEEP, json -> new KryoJson(json).write(value));
  }

  private void write(Object value) throws IOException {
    json.nest(() -> writeValue(value));
  }

  private void writeValue(Object value) throws IOException {
    if (value == null) {
      out.writeNull();
    } else if (value instanceof Boolean flag) {
      out.writeBoolean(flag);
    } else if (value instanceof Number number) {
      json.writeNumber(number);
    } else if (value instanceof KryoContent.Sequence sequence) {
      writeArray(sequence.elements());
    } else if (value instanceof Collection<?> collection) {
      writeArray(collection);
    } else if (value instanceof KryoContent.Entries map) {
      json.writeMap(
          map.keys().stream().map(KryoJson::nameOf).toList(),
          i -> write(map.keys().get(i)),
          i -> write(map.values().get(i)));
    } else if (value instanceof byte[] bytes) {
      out.writeBinary(bytes);
    } else if (value.getClass().isArray()) {
      writePrimitives(value);
    } else if (value instanceof BitSet bits) {
      json.writeBits(bits);
    } else {
      writeOptionalOrText(value);
    }
  }

  private void writeArray(Collection<?> elements) throws IOException {
    json.requireRoomFor(elements.size());
    out.writeStartArray();
    for (Object element : elements) {
      write(element);
    }
    out.writeEndArray();
  }

  private void writePrimitives(Object array) throws IOException {
    out.writeStartArray();
    int length = Array.getLength(array);
    for (int i = 0; i < length; i++) {
      write(Array.get(array, i));
    }
    out.writeEndArray();
  }

  /** The text of a key; null when the key has parts or is null. */
  private static @Nullable String nameOf(Object key) {
    Object checked = key instanceof Number number ? KryoNumbers.checked(number) : key;
    return checked == null ? null : KryoTexts.of(checked);
  }

  private void writeOptionalOrText(Object value) throws IOException {
    if (value instanceof Optional<?> optional) {
      write(optional.orElse(null));
    } else if (value instanceof OptionalInt optional) {
      write(optional.isPresent() ? optional.getAsInt() : null);
    } else if (value instanceof OptionalLong optional) {
      write(optional.isPresent() ? optional.getAsLong() : null);
    } else if (value instanceof OptionalDouble optional) {
      write(optional.isPresent() ? optional.getAsDouble() : null);
    } else if (value instanceof KryoContent.Marker marker) {
      out.writeString(marker.type().getName());
    } else {
      out.writeString(Objects.requireNonNull(KryoTexts.of(value), "text of a decoded value"));
    }
  }
}
