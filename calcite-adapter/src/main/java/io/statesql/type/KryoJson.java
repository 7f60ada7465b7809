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

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Array;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

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
  /** Characters; an object that is referred to many times can make more text than memory holds. */
  static final int MAX_LENGTH = LimitedWriter.MAX_LENGTH;

  private static final JsonFactory FACTORY =
      new JsonFactory().disable(JsonGenerator.Feature.AUTO_CLOSE_JSON_CONTENT);

  /** An element and the comma after it. */
  private static final int MINIMUM_ELEMENT_LENGTH = 2;

  private final JsonGenerator out;
  private final LimitedWriter text;
  private int depth;

  private KryoJson(JsonGenerator out, LimitedWriter text) {
    this.out = out;
    this.text = text;
  }

  /**
   * @throws StateSqlException if the value contains itself, or its text is too deep or too long
   */
  static String of(Object value) {
    LimitedWriter text = new LimitedWriter();
    try (JsonGenerator generator = FACTORY.createGenerator(text)) {
      new KryoJson(generator, text).write(value);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }

  private void write(Object value) throws IOException {
    if (++depth > KryoDecoder.MAX_NESTING) {
      throw new StateSqlException(
          ErrorCode.UNDECODABLE_STATE,
          "the Kryo value contains itself or is nested deeper than "
              + KryoDecoder.MAX_NESTING
              + " levels, which JSON text cannot show");
    }
    if (value == null) {
      out.writeNull();
    } else if (value instanceof Boolean flag) {
      out.writeBoolean(flag);
    } else if (value instanceof Number number) {
      writeNumber(number);
    } else if (value instanceof KryoContent.Sequence sequence) {
      writeArray(sequence.elements());
    } else if (value instanceof Collection<?> collection) {
      writeArray(collection);
    } else if (value instanceof KryoContent.Entries map) {
      writeMap(map);
    } else if (value instanceof byte[] bytes) {
      out.writeBinary(bytes);
    } else if (value.getClass().isArray()) {
      writePrimitives(value);
    } else if (value instanceof BitSet bits) {
      writeBits(bits);
    } else {
      writeOptionalOrText(value);
    }
    depth--;
  }

  private void writeNumber(Number number) throws IOException {
    boolean floating = number instanceof Float || number instanceof Double;
    boolean finite = !floating || Double.isFinite(number.doubleValue());
    String digits = KryoNumbers.checked(number).toString();
    if (finite) {
      out.writeNumber(digits);
    } else {
      out.writeString(digits);
    }
  }

  private void writeArray(Collection<?> elements) throws IOException {
    // A collection of nulls takes no bytes by the element, so it may claim any size.
    text.requireRoom((long) elements.size() * MINIMUM_ELEMENT_LENGTH);
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

  private void writeBits(BitSet bits) throws IOException {
    out.writeStartArray();
    for (int bit = bits.nextSetBit(0); bit >= 0; bit = bits.nextSetBit(bit + 1)) {
      out.writeNumber(bit);
      if (bit == Integer.MAX_VALUE) {
        break;
      }
    }
    out.writeEndArray();
  }

  private void writeMap(KryoContent.Entries map) throws IOException {
    List<String> names = map.keys().stream().map(KryoJson::nameOf).toList();
    Set<String> distinct = new HashSet<>(names);
    boolean isObject = distinct.size() == names.size() && !distinct.contains("");
    if (isObject) {
      out.writeStartObject();
      for (int i = 0; i < names.size(); i++) {
        out.writeFieldName(names.get(i).substring(1));
        write(map.values().get(i));
      }
      out.writeEndObject();
    } else {
      out.writeStartArray();
      for (int i = 0; i < names.size(); i++) {
        out.writeStartObject();
        out.writeFieldName("key");
        write(map.keys().get(i));
        out.writeFieldName("value");
        write(map.values().get(i));
        out.writeEndObject();
      }
      out.writeEndArray();
    }
  }

  /** The text of a key behind a mark, or no mark when the key has parts or is null. */
  private static String nameOf(Object key) {
    Object checked = key instanceof Number number ? KryoNumbers.checked(number) : key;
    String text = checked == null ? null : KryoTexts.of(checked);
    return text == null ? "" : ":" + text;
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
