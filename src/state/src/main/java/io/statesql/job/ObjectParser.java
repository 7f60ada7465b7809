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

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.statesql.type.StrictJson;
import io.statesql.type.UnwritableValueException;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.objenesis.ObjenesisStd;

/**
 * Makes an object of the job of the text that {@link ObjectText} shows of it. A key is found by its
 * bytes, so this refuses each text that objects share which are stored as different bytes: where a
 * collection, map, optional or array of a class with subclasses stands, whose class no text names;
 * where a place may hold a number or text of more than one class; where a class has transient
 * fields, or its superclass is one of the JDK; and where equal objects may be one, which Kryo
 * stores as a reference. Constructors of records run, of other classes none.
 */
final class ObjectParser {
  /** What to do with an object that no text describes. */
  static final String ADVICE =
      "; give its stored bytes (the column that ends in _bytes), as they are read from another key";

  /** Which the parser would take for zero. */
  private static final Pattern NEGATIVE_ZERO = Pattern.compile("-0(\\.0*)?(?![0-9.])");

  /** Without its cache, which takes classes of the same name for the same. */
  private static final ObjenesisStd INSTANTIATOR = new ObjenesisStd(/* useCache= */ false);

  private final ClassLoader loader;
  private final Set<Object> referable = new HashSet<>();

  private ObjectParser(ClassLoader loader) {
    this.loader = loader;
  }

  /**
   * Makes an object; runs as code of the job does.
   *
   * @param declared the class that its place names; null if it names none
   * @throws UnwritableValueException if the text does not tell all of one
   */
  static Object parse(String json, @Nullable Class<?> declared, ClassLoader loader)
      throws ReflectiveOperationException {
    JsonNode root = tree(json);
    if (root.isNull()) {
      throw new UnwritableValueException("null is no object");
    }
    return new ObjectParser(loader).value(root, declared, "the text");
  }

  /** Whether two texts say the same, however they are laid out. */
  static boolean isSame(String one, String other) {
    return tree(one).equals(tree(other));
  }

  private static JsonNode tree(String json) {
    if (NEGATIVE_ZERO.matcher(json).find()) {
      throw new UnwritableValueException("its text has a negative zero" + ADVICE);
    }
    try {
      JsonNode root = StrictJson.read(json);
      if (root.isMissingNode()) {
        throw new UnwritableValueException("its text is empty, and not JSON");
      }
      return root;
    } catch (JsonProcessingException e) {
      throw new UnwritableValueException("its text is not JSON: " + StrictJson.reason(e), e);
    }
  }

  private @Nullable Object value(JsonNode node, @Nullable Type declared, String place)
      throws ReflectiveOperationException {
    Class<?> type = DeclaredTypes.rawClass(declared);
    if (node.isNull()) {
      if (type != null && type.isPrimitive()) {
        throw new UnwritableValueException(place + " cannot be null");
      }
      return null;
    }
    if (type != null && LeafTexts.isLeaf(type)) {
      Object leaf = LeafTexts.parse(node, type, place);
      if (!LeafTexts.isStoredByValue(type)) {
        requireFirst(leaf, place);
      }
      return leaf;
    }
    if (type != null && type.isArray()) {
      requireFirst(List.of(type, node), place);
      return array(node, type, place);
    }
    if (node.isObject()) {
      Class<?> named = classOf(node, type, place);
      requireFirst(List.of(named, node), place);
      return object(node, named, place);
    }
    throw new UnwritableValueException(
        place
            + " does not tell of which class its "
            + (node.isArray() ? "collection" : "value")
            + " is"
            + ADVICE);
  }

  /** Kryo stores an object that occurs again as a reference, which the text does not tell. */
  private void requireFirst(Object told, String place) {
    if (!referable.add(told)) {
      throw new UnwritableValueException(
          place
              + " is equal to another part of the key, and does not tell whether both are one"
              + " object"
              + ADVICE);
    }
  }

  private Object array(JsonNode node, Class<?> type, String place)
      throws ReflectiveOperationException {
    Class<?> component = type.getComponentType();
    if (component == byte.class) {
      return LeafTexts.bytes(node, place);
    }
    boolean mayBeOfSubclass =
        !component.isPrimitive() && !Modifier.isFinal(component.getModifiers());
    if (mayBeOfSubclass || component.isArray() || !node.isArray()) {
      throw new UnwritableValueException(
          place + " does not tell of which class its array is" + ADVICE);
    }
    Object array = Array.newInstance(component, node.size());
    for (int i = 0; i < node.size(); i++) {
      Array.set(array, i, value(node.get(i), component, place + "[" + i + "]"));
    }
    return array;
  }

  private Object object(JsonNode node, Class<?> type, String place)
      throws ReflectiveOperationException {
    requireTold(type, place);
    Map<String, Field> fields = ObjectFields.fields(type);
    Set<String> names = new TreeSet<>();
    node.fieldNames().forEachRemaining(names::add);
    names.remove("@class");
    if (!names.equals(fields.keySet())) {
      throw new UnwritableValueException(
          place
              + " has other members than the fields of "
              + type.getName()
              + ": "
              + fields.keySet());
    }
    Map<Field, Object> values = new LinkedHashMap<>();
    for (Map.Entry<String, Field> field : fields.entrySet()) {
      values.put(
          field.getValue(),
          value(
              node.get(field.getKey()),
              field.getValue().getGenericType(),
              "its member " + field.getKey()));
    }
    return type.isRecord() ? record(type, values) : instance(type, values);
  }

  private Class<?> classOf(JsonNode node, @Nullable Class<?> declared, String place)
      throws ClassNotFoundException {
    JsonNode named = node.get("@class");
    if (named == null && declared == null) {
      throw new UnwritableValueException(place + " needs a first member \"@class\"");
    }
    Class<?> type =
        named == null ? declared : Class.forName(named.asText(), /* initialize= */ false, loader);
    if (declared != null && !declared.isAssignableFrom(type)) {
      throw new UnwritableValueException(
          place
              + " is declared as "
              + declared.getName()
              + ", which "
              + type.getName()
              + " is not");
    }
    return type;
  }

  /** Refuses classes of whose objects the text does not show all. */
  private static void requireTold(Class<?> type, String place) {
    boolean isTold =
        !Modifier.isAbstract(type.getModifiers())
            && !type.isEnum()
            && !Iterable.class.isAssignableFrom(type)
            && !Map.class.isAssignableFrom(type);
    for (Class<?> part = type;
        isTold && part != Object.class && part != Record.class;
        part = part.getSuperclass()) {
      isTold = !ObjectFields.isOfJdk(part);
      for (Field field : part.getDeclaredFields()) {
        isTold &= ObjectFields.isShown(field) || Modifier.isStatic(field.getModifiers());
      }
    }
    if (!isTold) {
      throw new UnwritableValueException(
          place + " does not show all of a " + type.getName() + ADVICE);
    }
  }

  private static Object record(Class<?> type, Map<Field, Object> values)
      throws ReflectiveOperationException {
    RecordComponent[] components = type.getRecordComponents();
    Class<?>[] types = new Class<?>[components.length];
    Iterator<Field> fields = values.keySet().iterator();
    for (int i = 0; i < types.length; i++) {
      types[i] = fields.next().getType();
    }
    var constructor = type.getDeclaredConstructor(types);
    constructor.setAccessible(true);
    return constructor.newInstance(values.values().toArray());
  }

  private static Object instance(Class<?> type, Map<Field, Object> values)
      throws IllegalAccessException {
    Object object = INSTANTIATOR.newInstance(type);
    for (Map.Entry<Field, Object> value : values.entrySet()) {
      value.getKey().setAccessible(true);
      value.getKey().set(object, value.getValue());
    }
    return object;
  }
}
