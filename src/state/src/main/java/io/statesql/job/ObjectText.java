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
package io.statesql.job;

import com.fasterxml.jackson.core.JsonGenerator;
import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import io.statesql.type.kryo.BoundedJson;
import io.statesql.type.kryo.KryoTexts;
import java.io.IOException;
import java.lang.reflect.Array;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The JSON text of a Java object.
 *
 * <ul>
 *   <li>numbers, dates, times and texts of the JDK are as in Kryo data that is decoded without
 *       classes ({@link KryoTexts}); an enum constant is its name; {@code byte[]} is Base64;
 *   <li>arrays and collections are arrays in their own order, a {@code BitSet} that of its set
 *       bits;
 *   <li>a map is an object when every key is one text or number and no two have the same text, else
 *       an array of objects {@code {"key":...,"value":...}};
 *   <li>an optional or atomic reference is its content, or null;
 *   <li>any other object has its fields, those of superclasses first, without static and transient
 *       ones ({@link ObjectFields}). A first member {@code "@class"} names its class where the
 *       place that it stands at does not: in a field, collection or state that is declared as
 *       another class or as none that is known. A collection or map with fields of its own has its
 *       elements in {@code "@elements"}.
 * </ul>
 *
 * <p>Runs code of the object's class only where that class stands for a collection or a text.
 */
final class ObjectText {
  /** Deeper objects contain themselves, or would overflow the stack. */
  static final int MAX_NESTING = 256;

  private static final String TOO_DEEP =
      "A value contains itself or is nested deeper than "
          + MAX_NESTING
          + " levels, which JSON text cannot show.";

  private final BoundedJson json;
  private final JsonGenerator out;

  private ObjectText(BoundedJson json) {
    this.json = json;
    this.out = json.out();
  }

  /**
   * The text of an object.
   *
   * @param declared the class that its place names; null if it names none
   * @return null for null
   * @throws StateSqlException with {@link ErrorCode#UNDECODABLE_STATE} if the object contains
   *     itself, its text is too deep or too long, or it holds an object of the JDK that has no text
   */
  static @Nullable String of(@Nullable Object value, @Nullable Class<?> declared) {
    if (value == null) {
      return null;
    }
    return BoundedJson.of(
        MAX_NESTING, TOO_DEEP, json -> new ObjectText(json).write(value, declared));
  }

  private void write(@Nullable Object value, @Nullable Type declared) throws IOException {
    json.nest(() -> writeValue(value, declared));
  }

  private void writeValue(@Nullable Object value, @Nullable Type declared) throws IOException {
    if (value == null) {
      out.writeNull();
    } else if (value instanceof Boolean flag) {
      out.writeBoolean(flag);
    } else if (value instanceof Number number && ObjectFields.isOfJdk(value.getClass())) {
      json.writeNumber(number);
    } else if (value.getClass().isArray()) {
      writeArray(value);
    } else if (value instanceof Collection<?> || value instanceof Map<?, ?>) {
      writeContainer(value, declared);
    } else {
      writeOther(value, declared);
    }
  }

  private void writeArray(Object array) throws IOException {
    if (array instanceof byte[] bytes) {
      out.writeBinary(bytes);
      return;
    }
    Class<?> component = array.getClass().getComponentType();
    int length = Array.getLength(array);
    json.requireRoomFor(length);
    out.writeStartArray();
    for (int i = 0; i < length; i++) {
      write(Array.get(array, i), component);
    }
    out.writeEndArray();
  }

  /** A collection or map; one that a job made of it may have fields of its own. */
  private void writeContainer(Object value, @Nullable Type declared) throws IOException {
    List<ObjectFields.Member> own = ObjectFields.ofJob(value);
    if (own.isEmpty()) {
      writeElements(value, declared);
      return;
    }
    out.writeStartObject();
    writeClass(value, declared);
    writeMembers(own);
    out.writeFieldName("@elements");
    writeElements(value, declared);
    out.writeEndObject();
  }

  private void writeElements(Object value, @Nullable Type declared) throws IOException {
    if (value instanceof Map<?, ?> map) {
      writeMap(map, DeclaredTypes.argument(declared, 0, 2), DeclaredTypes.argument(declared, 1, 2));
      return;
    }
    Collection<?> collection = (Collection<?>) value;
    json.requireRoomFor(collection.size());
    Type element = DeclaredTypes.argument(declared, 0, 1);
    out.writeStartArray();
    for (Object item : collection) {
      write(item, element);
    }
    out.writeEndArray();
  }

  private void writeMap(Map<?, ?> map, @Nullable Type key, @Nullable Type value)
      throws IOException {
    List<Object> keys = new ArrayList<>();
    List<Object> values = new ArrayList<>();
    List<@Nullable String> names = new ArrayList<>();
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      keys.add(entry.getKey());
      values.add(entry.getValue());
      names.add(nameOf(entry.getKey()));
    }
    json.writeMap(names, i -> write(keys.get(i), key), i -> write(values.get(i), value));
  }

  /** The text of a key that has no parts, else null. */
  private static @Nullable String nameOf(@Nullable Object key) {
    return key == null ? null : ObjectFields.text(key);
  }

  private void writeOther(Object value, @Nullable Type declared) throws IOException {
    String scalar = ObjectFields.text(value);
    if (scalar != null) {
      out.writeString(scalar);
    } else if (value instanceof Optional<?> optional) {
      write(optional.orElse(null), DeclaredTypes.argument(declared, 0, 1));
    } else if (value instanceof OptionalInt optional) {
      write(optional.isPresent() ? optional.getAsInt() : null, null);
    } else if (value instanceof OptionalLong optional) {
      write(optional.isPresent() ? optional.getAsLong() : null, null);
    } else if (value instanceof OptionalDouble optional) {
      write(optional.isPresent() ? optional.getAsDouble() : null, null);
    } else if (value instanceof AtomicBoolean flag) {
      out.writeBoolean(flag.get());
    } else if (value instanceof AtomicReference<?> reference) {
      write(reference.get(), DeclaredTypes.argument(declared, 0, 1));
    } else if (value instanceof BitSet bits) {
      json.writeBits(bits);
    } else if (value instanceof ByteBuffer buffer) {
      byte[] bytes = new byte[buffer.remaining()];
      buffer.duplicate().get(bytes);
      out.writeBinary(bytes);
    } else {
      out.writeStartObject();
      writeClass(value, declared);
      writeMembers(ObjectFields.of(value));
      out.writeEndObject();
    }
  }

  private void writeClass(Object value, @Nullable Type declared) throws IOException {
    if (DeclaredTypes.rawClass(declared) != value.getClass()) {
      out.writeStringField("@class", value.getClass().getName());
    }
  }

  private void writeMembers(List<ObjectFields.Member> members) throws IOException {
    for (ObjectFields.Member member : members) {
      out.writeFieldName(member.name());
      write(member.value(), member.declared());
    }
  }
}
