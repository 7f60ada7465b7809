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

import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import io.statesql.type.kryo.KryoNumbers;
import io.statesql.type.kryo.KryoTexts;
import java.io.File;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URL;
import java.nio.charset.Charset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.Currency;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TimeZone;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What an object consists of: one text, or the fields that its classes declare. */
final class ObjectFields {
  /** Objects with caches and cycles in them, whose texts say all. */
  private static final String JODA = "org.joda.time.";

  private ObjectFields() {}

  /**
   * A field of an object.
   *
   * @param name that of the field, behind that of its class where two fields have the same
   * @param declared of the field
   */
  record Member(String name, Type declared, @Nullable Object value) {}

  /** Whether a class is one of Java's own. */
  static boolean isOfJdk(Class<?> type) {
    ClassLoader loader = type.getClassLoader();
    return loader == null || loader == ClassLoader.getPlatformClassLoader();
  }

  /** The text of an object without parts; null for others. */
  static @Nullable String text(Object value) {
    if (value instanceof Enum<?> constant) {
      return constant.name();
    }
    if (value instanceof CharSequence || value.getClass().getName().startsWith(JODA)) {
      return value.toString();
    }
    if (value instanceof Class<?> type) {
      return type.getName();
    }
    if (!isOfJdk(value.getClass())) {
      return null;
    }
    if (value instanceof TimeZone zone) {
      return zone.getID();
    }
    if (value instanceof Calendar calendar) {
      return calendar.toInstant() + "[" + calendar.getTimeZone().getID() + "]";
    }
    if (value instanceof InetSocketAddress address) {
      return address.getHostString() + ":" + address.getPort();
    }
    if (value instanceof Pattern pattern && pattern.flags() != 0) {
      return "(?flags=" + pattern.flags() + ")" + pattern;
    }
    boolean hasText =
        value instanceof URI
            || value instanceof URL
            || value instanceof Locale
            || value instanceof Currency
            || value instanceof Charset
            || value instanceof Pattern
            || value instanceof InetAddress
            || value instanceof File
            || value instanceof java.nio.file.Path;
    if (hasText) {
      return value.toString();
    }
    return KryoTexts.of(value instanceof Number number ? KryoNumbers.checked(number) : value);
  }

  /**
   * All fields of an object of the job, those of superclasses first.
   *
   * @throws StateSqlException if a class of the JDK is among its classes, whose fields are not open
   */
  static List<Member> of(Object value) {
    return members(value, false);
  }

  /** The fields of an object that classes outside of the JDK declare. */
  static List<Member> ofJob(Object value) {
    return members(value, true);
  }

  private static List<Member> members(Object value, boolean onlyOfJob) {
    List<Member> members = new ArrayList<>();
    fields(value.getClass(), onlyOfJob)
        .forEach(
            (name, field) ->
                members.add(new Member(name, field.getGenericType(), read(field, value))));
    return members;
  }

  /**
   * The fields that make up an object of a class, by the names of its members, in their order.
   *
   * @throws StateSqlException as {@link #of}
   */
  static Map<String, Field> fields(Class<?> ofType) {
    return fields(ofType, false);
  }

  /** Whether a field is part of what an object shows. */
  static boolean isShown(Field field) {
    int modifiers = field.getModifiers();
    return !Modifier.isStatic(modifiers)
        && !Modifier.isTransient(modifiers)
        && !field.isSynthetic();
  }

  private static Map<String, Field> fields(Class<?> ofType, boolean onlyOfJob) {
    Deque<Class<?>> classes = new ArrayDeque<>();
    for (Class<?> type = ofType; type != Object.class; type = type.getSuperclass()) {
      if (!isOfJdk(type)) {
        classes.push(type);
      } else if (!onlyOfJob && type != Record.class) {
        throw new StateSqlException(
            ErrorCode.UNDECODABLE_STATE,
            "A value cannot be shown as JSON text: it holds an object of the class "
                + type.getName()
                + ".");
      }
    }
    Map<String, Field> fields = new LinkedHashMap<>();
    for (Class<?> type : classes) {
      for (Field field : type.getDeclaredFields()) {
        if (isShown(field)) {
          String name = field.getName();
          if (fields.containsKey(name)) {
            name = type.getSimpleName() + "." + field.getName();
          }
          if (fields.containsKey(name)) {
            name = type.getName() + "." + field.getName();
          }
          fields.put(name, field);
        }
      }
    }
    return fields;
  }

  private static @Nullable Object read(Field field, Object value) {
    try {
      field.setAccessible(true);
      return field.get(value);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("an accessible field can be read: " + field, e);
    }
  }
}
