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

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import io.statesql.type.LimitedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes the JSON text of one nested value, and stops before it grows too deep or too long: an
 * object that is referred to many times can make more text than memory holds.
 */
public final class BoundedJson {
  private static final JsonFactory FACTORY =
      new JsonFactory().disable(JsonGenerator.Feature.AUTO_CLOSE_JSON_CONTENT);

  /** An element and the comma after it. */
  private static final int MINIMUM_ELEMENT_LENGTH = 2;

  private final LimitedWriter text;
  private final JsonGenerator out;
  private final int maxNesting;
  private final String tooDeep;
  private int depth;

  private BoundedJson(LimitedWriter text, JsonGenerator out, int maxNesting, String tooDeep) {
    this.text = text;
    this.out = out;
    this.maxNesting = maxNesting;
    this.tooDeep = tooDeep;
  }

  /** Something that writes a part of the text. */
  @FunctionalInterface
  public interface Part {
    void write() throws IOException;
  }

  /** Writes the whole text. */
  @FunctionalInterface
  public interface Whole {
    void writeTo(BoundedJson json) throws IOException;
  }

  /** Writes one side of an entry of a map. */
  @FunctionalInterface
  public interface Side {
    /** Writes that of an entry, counted from 0. */
    void write(int index) throws IOException;
  }

  /**
   * Makes a text.
   *
   * @param maxNesting how many {@linkplain #nest values} may stand within each other
   * @param tooDeep the message about a value with more
   * @throws StateSqlException with {@link ErrorCode#UNDECODABLE_STATE} if it is too deep or too
   *     long
   */
  public static String of(int maxNesting, String tooDeep, Whole whole) {
    LimitedWriter text = new LimitedWriter();
    try (JsonGenerator out = FACTORY.createGenerator(text)) {
      whole.writeTo(new BoundedJson(text, out, maxNesting, tooDeep));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }

  /** What writes the tokens. */
  public JsonGenerator out() {
    return out;
  }

  /** Writes a value, which may hold others. */
  public void nest(Part value) throws IOException {
    if (++depth > maxNesting) {
      throw new StateSqlException(ErrorCode.UNDECODABLE_STATE, tooDeep);
    }
    value.write();
    depth--;
  }

  /** Refuses a collection that has no room: one of nulls may claim any size, and take no bytes. */
  public void requireRoomFor(int elements) {
    text.requireRoom((long) elements * MINIMUM_ELEMENT_LENGTH);
  }

  /** A number with all its digits; a string if it is none. */
  public void writeNumber(Number number) throws IOException {
    boolean floating = number instanceof Float || number instanceof Double;
    boolean finite = !floating || Double.isFinite(number.doubleValue());
    String digits = KryoNumbers.checked(number).toString();
    if (finite) {
      out.writeNumber(digits);
    } else {
      out.writeString(digits);
    }
  }

  /** The array of the set bits. */
  public void writeBits(BitSet bits) throws IOException {
    out.writeStartArray();
    for (int bit = bits.nextSetBit(0); bit >= 0; bit = bits.nextSetBit(bit + 1)) {
      out.writeNumber(bit);
      if (bit == Integer.MAX_VALUE) {
        break;
      }
    }
    out.writeEndArray();
  }

  /**
   * A map: an object when each key has a text and no two have the same, else an array of objects
   * {@code {"key":...,"value":...}}.
   *
   * @param names the texts of the keys, null for a key that has none
   */
  public void writeMap(List<@Nullable String> names, Side keys, Side values) throws IOException {
    Set<String> distinct = new HashSet<>(names);
    if (distinct.size() == names.size() && !distinct.contains(null)) {
      out.writeStartObject();
      for (int i = 0; i < names.size(); i++) {
        out.writeFieldName(Objects.requireNonNull(names.get(i)));
        values.write(i);
      }
      out.writeEndObject();
      return;
    }
    out.writeStartArray();
    for (int i = 0; i < names.size(); i++) {
      out.writeStartObject();
      out.writeFieldName("key");
      keys.write(i);
      out.writeFieldName("value");
      values.write(i);
      out.writeEndObject();
    }
    out.writeEndArray();
  }
}
