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
package io.statesql.type.table;

import com.google.errorprone.annotations.FormatMethod;
import io.statesql.type.MalformedValueException;
import io.statesql.type.StateInput;
import io.statesql.type.objectstream.ObjectStreamReader;
import io.statesql.type.objectstream.StreamContent;
import io.statesql.type.objectstream.StreamContent.JavaArray;
import io.statesql.type.objectstream.StreamContent.JavaEnum;
import io.statesql.type.objectstream.StreamContent.JavaObject;
import io.statesql.type.serializer.SnapshotReader;
import io.statesql.type.table.LogicalType.Field;
import io.statesql.type.table.LogicalType.Root;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Reads a {@code LogicalType} (flink-table-common 2.3), which snapshots hold as a Java object, from
 * the fields of its class. Nothing is deserialized, so a class that a structured or raw type names
 * need not be there. One use.
 */
final class LogicalTypeReader {
  /** More than any table has; the parts of a type can be references to one another. */
  private static final int MAX_TYPES = 10_000;

  private static final int MAX_DECIMAL = 38;

  private int types;

  private LogicalTypeReader() {}

  /**
   * Reads a stream of one type and leaves the input after it.
   *
   * @throws UnknownLogicalTypeException if it is sound but not a type of which values are known
   */
  static LogicalType read(StateInput in) throws UnknownLogicalTypeException {
    return new LogicalTypeReader().type(readObject(in), 0);
  }

  /** Whether Flink has a decimal type of so many digits, and so many behind the point. */
  static boolean isDecimal(int precision, int scale) {
    return precision >= 1 && precision <= MAX_DECIMAL && scale >= 0 && scale <= precision;
  }

  /** Goes over a stream of one object of any class. */
  static void skipObject(StateInput in) {
    readObject(in);
  }

  private static @Nullable Object readObject(StateInput in) {
    try {
      return ObjectStreamReader.read(in);
    } catch (StreamContent.UnknownContentException e) {
      throw new MalformedValueException(
          in.offset(), "a serializer snapshot holds a Java object that cannot be parsed", e);
    }
  }

  private LogicalType type(@Nullable Object object, int depth) throws UnknownLogicalTypeException {
    if (depth == SnapshotReader.MAX_DEPTH || ++types > MAX_TYPES) {
      throw unknown("is nested too deep, or has too many parts");
    }
    if (!(object instanceof JavaObject type)
        || !(type.fields().get("typeRoot") instanceof JavaEnum rootName)) {
      throw unknown("has no root");
    }
    Root root = isDataView(type) ? Root.DATA_VIEW : root(rootName.constant());
    int precision = number(type, "precision");
    int scale = number(type, "scale");
    if (root == Root.DECIMAL && !isDecimal(precision, scale)) {
      throw unknown("is a DECIMAL(%d, %d)", precision, scale);
    }
    return new LogicalType(
        root,
        precision,
        scale,
        switch (root) {
          case ARRAY, MULTISET -> List.of(part(type, "elementType", depth));
          case DISTINCT_TYPE -> List.of(part(type, "sourceType", depth));
          case MAP -> List.of(part(type, "keyType", depth), part(type, "valueType", depth));
          case ROW -> fields(type, "fields", depth);
          case STRUCTURED_TYPE -> attributes(type, depth);
          default -> List.of();
        });
  }

  /** A view of an accumulator that is backed by a state: {@code DataViewUtils} (table-runtime). */
  private static boolean isDataView(JavaObject type) {
    return type.fields().get("serializer") instanceof JavaObject serializer
        && serializer.className().equals(TableSnapshots.DATA_VIEW_SERIALIZER);
  }

  private static Root root(String name) throws UnknownLogicalTypeException {
    for (Root root : Root.values()) {
      if (root.name().equals(name)) {
        return root;
      }
    }
    throw unknown("is of the kind %s, of which Flink stores no values", name);
  }

  private static int number(JavaObject type, String field) {
    return type.fields().get(field) instanceof Integer number ? number : 0;
  }

  private Field part(JavaObject type, String field, int depth) throws UnknownLogicalTypeException {
    return new Field("", type(type.fields().get(field), depth + 1));
  }

  /** Those of the supertypes first: {@code StructuredType#getAllAttributes}. */
  private List<Field> attributes(JavaObject type, int depth) throws UnknownLogicalTypeException {
    List<Field> fields = new ArrayList<>();
    Object superType = type.fields().get("superType");
    if (superType != null) {
      fields.addAll(type(superType, depth + 1).fields());
    }
    fields.addAll(fields(type, "attributes", depth));
    return fields;
  }

  private List<Field> fields(JavaObject type, String field, int depth)
      throws UnknownLogicalTypeException {
    List<Field> fields = new ArrayList<>();
    for (Object element : list(type.fields().get(field), 0)) {
      if (!(element instanceof JavaObject part)
          || !(part.fields().get("name") instanceof String name)) {
        throw unknown("has a field without a name");
      }
      fields.add(new Field(name, type(part.fields().get("type"), depth + 1)));
    }
    return fields;
  }

  /** The elements of one of the lists of the JDK. */
  private static List<Object> list(@Nullable Object list, int depth)
      throws UnknownLogicalTypeException {
    if (list instanceof JavaObject object && depth < SnapshotReader.MAX_DEPTH) {
      switch (object.className()) {
        case "java.util.ArrayList", "java.util.LinkedList", "java.util.CollSer" -> {
          return object.written();
        }
        case "java.util.Collections$UnmodifiableRandomAccessList",
            "java.util.Collections$UnmodifiableList" -> {
          return list(object.fields().get("list"), depth + 1);
        }
        case "java.util.Collections$SingletonList" -> {
          return Collections.singletonList(object.fields().get("element"));
        }
        case "java.util.Collections$EmptyList" -> {
          return List.of();
        }
        case "java.util.Arrays$ArrayList" -> {
          if (object.fields().get("a") instanceof JavaArray array) {
            return array.elements();
          }
        }
        default -> throw unknown("has its fields in a %s", object.className());
      }
    }
    throw unknown("has no list of its fields");
  }

  @FormatMethod
  private static UnknownLogicalTypeException unknown(String format, Object... args) {
    return new UnknownLogicalTypeException(
        "A type of Flink SQL in the snapshot " + String.format(Locale.ROOT, format, args));
  }
}
