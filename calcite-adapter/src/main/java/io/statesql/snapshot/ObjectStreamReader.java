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
package io.statesql.snapshot;

import io.statesql.type.MalformedValueException;
import io.statesql.type.StateInput;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads one object of a Java object stream by the grammar of the stream protocol (Java Object
 * Serialization Specification, chapter 6): no class is loaded and no code of the stream's classes
 * runs. Knows what plain serializable classes of strings, enums and each other take: no arrays,
 * proxies, block data or {@code writeObject} methods.
 */
final class ObjectStreamReader {
  private static final int MAGIC_AND_VERSION = 0xACED0005;
  private static final int TC_NULL = 0x70;
  private static final int TC_REFERENCE = 0x71;
  private static final int TC_CLASSDESC = 0x72;
  private static final int TC_OBJECT = 0x73;
  private static final int TC_STRING = 0x74;
  private static final int TC_ENDBLOCKDATA = 0x78;
  private static final int TC_ENUM = 0x7E;
  private static final int BASE_HANDLE = 0x7E0000;

  private static final int SC_SERIALIZABLE = 0x02;
  private static final int SC_ENUM = 0x10;

  private static final int MIN_FIELD_BYTES = 3;
  private static final int MAX_DEPTH = 32;

  /** An object: its fields by name, those of its superclasses included. */
  record JavaObject(String className, Map<String, @Nullable Object> fields) {}

  /** A constant of an enum. */
  record JavaEnum(String className, String constant) {}

  /** A part of the grammar that this reader does not know. */
  static final class UnknownContentException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnknownContentException(String what, long offset) {
      super(what + " at offset " + offset);
    }
  }

  private record ClassDescription(
      String name, int flags, List<Field> fields, @Nullable ClassDescription parent) {}

  private record Field(char type, String name) {}

  private final StateInput input;
  private final List<Object> handles = new ArrayList<>();
  private int depth;

  private ObjectStreamReader(StateInput input) {
    this.input = input;
  }

  /**
   * The one object of a stream; primitive fields are left out.
   *
   * @return a {@link JavaObject}, {@link JavaEnum}, String or null
   * @throws MalformedValueException when the bytes end early, or more follow, or contradict
   *     themselves
   * @throws UnknownContentException when they hold what this reader does not know
   */
  static @Nullable Object read(StateInput input) {
    if (input.readInt() != MAGIC_AND_VERSION) {
      throw input.malformed("this is no Java object stream");
    }
    Object root = new ObjectStreamReader(input).readContent();
    input.requireEnd();
    return root;
  }

  private @Nullable Object readContent() {
    if (++depth > MAX_DEPTH) {
      throw input.malformed("objects are nested more than %d deep", MAX_DEPTH);
    }
    int code = input.readUnsignedByte();
    Object content =
        switch (code) {
          case TC_NULL -> null;
          case TC_REFERENCE -> readReference(Object.class);
          case TC_STRING -> remember(input.readUtf());
          case TC_OBJECT -> readObject();
          case TC_ENUM -> readEnum();
          default -> throw unknown("the type code " + code);
        };
    depth--;
    return content;
  }

  private JavaObject readObject() {
    ClassDescription type = readRequiredClassDescription();
    Map<String, Object> fields = new LinkedHashMap<>();
    JavaObject object = remember(new JavaObject(type.name(), fields));
    // a class's fields follow those of its superclass
    Deque<ClassDescription> parentsFirst = new ArrayDeque<>();
    for (ClassDescription part = type; part != null; part = part.parent()) {
      parentsFirst.push(part);
    }
    for (ClassDescription part : parentsFirst) {
      if (part.flags() != SC_SERIALIZABLE) {
        throw unknown("a class with the flags " + part.flags());
      }
      for (Field field : part.fields()) {
        readField(field, fields);
      }
    }
    return object;
  }

  private void readField(Field field, Map<String, Object> fields) {
    switch (field.type()) {
      case 'B', 'Z' -> input.skip(Byte.BYTES);
      case 'C', 'S' -> input.skip(Short.BYTES);
      case 'I', 'F' -> input.skip(Integer.BYTES);
      case 'J', 'D' -> input.skip(Long.BYTES);
      case 'L' -> fields.put(field.name(), readContent());
      default -> throw unknown("a field of type " + field.type());
    }
  }

  private JavaEnum readEnum() {
    ClassDescription type = readRequiredClassDescription();
    int handle = handles.size();
    remember(type);
    if (readContent() instanceof String constant) {
      JavaEnum value = new JavaEnum(type.name(), constant);
      handles.set(handle, value);
      return value;
    }
    throw input.malformed("the constant of the enum %s has no name", type.name());
  }

  private ClassDescription readRequiredClassDescription() {
    ClassDescription description = readClassDescription();
    if (description == null) {
      throw input.malformed("an object has no class");
    }
    return description;
  }

  private @Nullable ClassDescription readClassDescription() {
    int code = input.readUnsignedByte();
    return switch (code) {
      case TC_NULL -> null;
      case TC_REFERENCE -> readReference(ClassDescription.class);
      case TC_CLASSDESC -> readNewClassDescription();
      default -> throw unknown("the type code " + code);
    };
  }

  private ClassDescription readNewClassDescription() {
    if (++depth > MAX_DEPTH) {
      throw input.malformed("classes are nested more than %d deep", MAX_DEPTH);
    }
    String name = input.readUtf();
    // the serialVersionUID
    input.skip(Long.BYTES);
    int handle = handles.size();
    remember(name);
    int flags = input.readUnsignedByte();
    List<Field> fields = readFields();
    int end = input.readUnsignedByte();
    if (end != TC_ENDBLOCKDATA) {
      throw unknown("an annotated class");
    }
    ClassDescription parent = readClassDescription();
    boolean isEnum = (flags & SC_ENUM) != 0;
    if (isEnum && !fields.isEmpty()) {
      throw input.malformed("the enum %s has fields", name);
    }
    ClassDescription description = new ClassDescription(name, flags, fields, parent);
    handles.set(handle, description);
    depth--;
    return description;
  }

  private List<Field> readFields() {
    int count = input.readUnsignedShort();
    if (count * MIN_FIELD_BYTES > input.remaining()) {
      throw input.malformed("%d fields do not fit into %d bytes", count, input.remaining());
    }
    List<Field> fields = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      char type = (char) input.readUnsignedByte();
      String name = input.readUtf();
      if (type == 'L' || type == '[') {
        // the name of the field's class
        readContent();
      }
      fields.add(new Field(type, name));
    }
    return fields;
  }

  private <T> T readReference(Class<T> type) {
    long index = (long) input.readInt() - BASE_HANDLE;
    if (index < 0 || index >= handles.size() || !type.isInstance(handles.get((int) index))) {
      throw input.malformed("a reference points to nothing");
    }
    return type.cast(handles.get((int) index));
  }

  private <T> T remember(T value) {
    handles.add(value);
    return value;
  }

  private UnknownContentException unknown(String what) {
    return new UnknownContentException(what, input.offset());
  }
}
