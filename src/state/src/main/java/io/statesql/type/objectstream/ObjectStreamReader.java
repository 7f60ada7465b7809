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
package io.statesql.type.objectstream;

import io.statesql.type.MalformedValueException;
import io.statesql.type.StateInput;
import io.statesql.type.objectstream.StreamContent.JavaArray;
import io.statesql.type.objectstream.StreamContent.JavaClass;
import io.statesql.type.objectstream.StreamContent.JavaEnum;
import io.statesql.type.objectstream.StreamContent.JavaObject;
import io.statesql.type.objectstream.StreamContent.UnknownContentException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads one object of a Java object stream by the grammar of the stream protocol (Java Object
 * Serialization Specification, chapter 6): no class is loaded and no code of the stream's classes
 * runs, as {@link java.io.ObjectInputStream} would have it. What it makes takes no more memory than
 * a small multiple of the bytes.
 */
public final class ObjectStreamReader {
  private static final int MAGIC_AND_VERSION = 0xACED0005;
  private static final int TC_NULL = 0x70;
  private static final int TC_REFERENCE = 0x71;
  private static final int TC_CLASSDESC = 0x72;
  private static final int TC_OBJECT = 0x73;
  private static final int TC_STRING = 0x74;
  private static final int TC_ARRAY = 0x75;
  private static final int TC_CLASS = 0x76;
  private static final int TC_BLOCKDATA = 0x77;
  private static final int TC_ENDBLOCKDATA = 0x78;
  private static final int TC_BLOCKDATALONG = 0x7A;
  private static final int TC_PROXYCLASSDESC = 0x7D;
  private static final int TC_ENUM = 0x7E;

  private static final int SC_WRITE_METHOD = 0x01;
  private static final int SC_SERIALIZABLE = 0x02;
  private static final int SC_EXTERNALIZABLE = 0x04;
  private static final int SC_BLOCK_DATA = 0x08;
  private static final int SC_ENUM = 0x10;

  private static final int MIN_FIELD_BYTES = 3;

  /** What {@code Externalizable} classes write is block data since protocol version 2. */
  private static final int EXTERNAL_BLOCKS = SC_EXTERNALIZABLE | SC_BLOCK_DATA;

  private static final int MAX_DEPTH = 128;

  private record ClassDescription(
      String name, int flags, List<Field> fields, @Nullable ClassDescription parent) {
    int generation() {
      int generation = 1;
      for (ClassDescription part = parent; part != null; part = part.parent()) {
        generation++;
      }
      return generation;
    }
  }

  private record Field(char type, String name) {}

  private final StateInput input;
  private final StreamHandles handles;
  private int depth;

  private ObjectStreamReader(StateInput input) {
    this.input = input;
    this.handles = new StreamHandles(input);
  }

  /**
   * Reads a stream of one object and leaves the input after it.
   *
   * @return a {@link JavaObject}, {@link JavaEnum}, {@link JavaArray}, {@link JavaClass}, String or
   *     null
   * @throws MalformedValueException when the bytes end early or contradict themselves
   * @throws UnknownContentException when they hold what this reader does not know
   */
  public static @Nullable Object read(StateInput input) {
    if (input.readInt() != MAGIC_AND_VERSION) {
      throw input.malformed("this is no Java object stream");
    }
    return new ObjectStreamReader(input).readContent();
  }

  private @Nullable Object readContent() {
    return readContent(input.readUnsignedByte());
  }

  private @Nullable Object readContent(int code) {
    if (++depth > MAX_DEPTH) {
      throw input.malformed("objects are nested more than %d deep", MAX_DEPTH);
    }
    Object content =
        switch (code) {
          case TC_NULL -> null;
          case TC_REFERENCE -> handles.readReference(Object.class);
          case TC_STRING -> handles.add(input.readUtf());
          case TC_OBJECT -> readObject();
          case TC_ARRAY -> readArray();
          case TC_ENUM -> readEnum();
          case TC_CLASS -> handles.add(new JavaClass(readRequiredClassDescription().name()));
          default -> throw unknown("the type code " + code);
        };
    depth--;
    return content;
  }

  private JavaObject readObject() {
    ClassDescription type = readRequiredClassDescription();
    Map<String, Object> fields = new LinkedHashMap<>();
    List<Object> written = new ArrayList<>();
    JavaObject object =
        handles.add(
            new JavaObject(
                type.name(),
                Collections.unmodifiableMap(fields),
                Collections.unmodifiableList(written)));
    // a class's fields follow those of its superclass
    Deque<ClassDescription> parentsFirst = new ArrayDeque<>();
    for (ClassDescription part = type; part != null; part = part.parent()) {
      parentsFirst.push(part);
    }
    for (ClassDescription part : parentsFirst) {
      readPart(part, fields, written);
    }
    return object;
  }

  private void readPart(ClassDescription part, Map<String, Object> fields, List<Object> written) {
    switch (part.flags()) {
      case SC_SERIALIZABLE -> readFields(part, fields);
      case SC_SERIALIZABLE | SC_WRITE_METHOD -> {
        readFields(part, fields);
        readWritten(written);
      }
      case EXTERNAL_BLOCKS -> readWritten(written);
      default -> throw unknown("a class with the flags " + part.flags());
    }
  }

  private void readFields(ClassDescription part, Map<String, Object> fields) {
    for (Field field : part.fields()) {
      fields.put(field.name(), readValue(field.type()));
    }
  }

  /** What a method of the class wrote, up to its end mark. */
  private void readWritten(List<Object> written) {
    for (int code = input.readUnsignedByte();
        code != TC_ENDBLOCKDATA;
        code = input.readUnsignedByte()) {
      switch (code) {
        case TC_BLOCKDATA -> input.skip(input.readUnsignedByte());
        case TC_BLOCKDATALONG -> input.skip(input.readCount(1));
        default -> written.add(readContent(code));
      }
    }
  }

  private @Nullable Object readValue(char type) {
    return switch (type) {
      case 'B' -> input.readByte();
      case 'Z' -> input.readByte() != 0;
      case 'C' -> input.readChar();
      case 'S' -> input.readShort();
      case 'I' -> input.readInt();
      case 'F' -> input.readFloat();
      case 'J' -> input.readLong();
      case 'D' -> input.readDouble();
      case 'L', '[' -> readContent();
      default -> throw unknown("a field of type " + type);
    };
  }

  private JavaArray readArray() {
    String name = readRequiredClassDescription().name();
    if (name.length() < 2 || name.charAt(0) != '[') {
      throw input.malformed("%s is not the class of an array", name);
    }
    List<Object> elements = new ArrayList<>();
    JavaArray array = handles.add(new JavaArray(name, Collections.unmodifiableList(elements)));
    int count = input.readCount(1);
    for (int i = 0; i < count; i++) {
      elements.add(readValue(name.charAt(1)));
    }
    return array;
  }

  private JavaEnum readEnum() {
    ClassDescription type = readRequiredClassDescription();
    int handle = handles.reserve(type);
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
    if (++depth > MAX_DEPTH) {
      throw input.malformed("classes are nested more than %d deep", MAX_DEPTH);
    }
    int code = input.readUnsignedByte();
    ClassDescription description =
        switch (code) {
          case TC_NULL -> null;
          case TC_REFERENCE -> handles.readReference(ClassDescription.class);
          case TC_CLASSDESC -> readNewClassDescription();
          case TC_PROXYCLASSDESC -> readProxyClassDescription();
          default -> throw unknown("the type code " + code);
        };
    depth--;
    return description;
  }

  private ClassDescription readNewClassDescription() {
    String name = input.readUtf();
    // the serialVersionUID
    input.skip(Long.BYTES);
    int handle = handles.reserve(name);
    int flags = input.readUnsignedByte();
    List<Field> fields = readFieldDescriptions();
    ClassDescription parent = readAnnotationsAndParent();
    boolean isEnum = (flags & SC_ENUM) != 0;
    if (isEnum && !fields.isEmpty()) {
      throw input.malformed("the enum %s has fields", name);
    }
    ClassDescription description = new ClassDescription(name, flags, fields, parent);
    handles.set(handle, description);
    return description;
  }

  private ClassDescription readProxyClassDescription() {
    int handle = handles.reserve("a proxy");
    int interfaces = input.readCount(Short.BYTES);
    String[] names = new String[interfaces];
    for (int i = 0; i < interfaces; i++) {
      names[i] = input.readUtf();
    }
    ClassDescription parent = readAnnotationsAndParent();
    ClassDescription description =
        new ClassDescription(
            "a proxy of " + Arrays.toString(names), SC_SERIALIZABLE, List.of(), parent);
    handles.set(handle, description);
    return description;
  }

  private @Nullable ClassDescription readAnnotationsAndParent() {
    readWritten(new ArrayList<>());
    ClassDescription parent = readClassDescription();
    if (parent != null && parent.generation() == MAX_DEPTH) {
      throw input.malformed("a class has more than %d superclasses", MAX_DEPTH);
    }
    return parent;
  }

  private List<Field> readFieldDescriptions() {
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

  private UnknownContentException unknown(String what) {
    return new UnknownContentException(what, input.offset());
  }
}
