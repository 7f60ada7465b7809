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

import java.util.List;

/**
 * What stands for an object of a class that we do not want to build: a set that would call the
 * elements' {@code hashCode}, a list of a class without a usable constructor, a pattern that would
 * be compiled. Holds what the bytes say, in stored order. May hold itself.
 */
sealed interface KryoContent {

  /** The class of the object that was written. */
  Class<?> type();

  /** The class of a decoded value, seen through its stand-in. */
  static Class<?> typeOf(Object value) {
    return value instanceof KryoContent content ? content.type() : value.getClass();
  }

  /** A collection or an array of objects. */
  record Sequence(Class<?> type, List<Object> elements) implements KryoContent {}

  /** A map: as many keys as values. */
  record Entries(Class<?> type, List<Object> keys, List<Object> values) implements KryoContent {}

  /** An object that its text describes. */
  record Text(Class<?> type, String text) implements KryoContent {}

  /** An object without content, such as a comparator. */
  record Marker(Class<?> type) implements KryoContent {}
}
