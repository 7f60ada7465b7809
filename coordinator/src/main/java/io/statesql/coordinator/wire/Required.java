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
package io.statesql.coordinator.wire;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Fields that must be there. */
final class Required {
  private Required() {}

  /**
   * The value of a field.
   *
   * @throws IllegalArgumentException if it is missing
   */
  static <T> T field(String name, T value) {
    if (value == null) {
      throw new IllegalArgumentException(name + " is missing");
    }
    return value;
  }

  /**
   * The elements of a field.
   *
   * @throws IllegalArgumentException if it or an element is missing, or an element is wrong, which
   *     the message numbers
   */
  static <T, R> List<R> elements(String name, List<T> values, Function<T, R> converter) {
    List<T> given = field(name, values);
    List<R> converted = new ArrayList<>(given.size());
    for (int i = 0; i < given.size(); i++) {
      try {
        converted.add(converter.apply(field("the element", given.get(i))));
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(name + "[" + i + "]: " + e.getMessage(), e);
      }
    }
    return converted;
  }
}
