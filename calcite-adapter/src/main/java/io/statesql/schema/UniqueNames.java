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
package io.statesql.schema;

import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/**
 * Gives each column of a table a name of its own. Names that differ only by case count as equal,
 * because SQL cannot tell such columns apart. The first to ask keeps its name; a later one gets the
 * first free of {@code name_2}, {@code name_3} and so on. Who asks in a stable order gets stable
 * names.
 */
final class UniqueNames {
  private final Set<String> taken = new HashSet<>();

  /** The name itself or, when it is taken, the name with a number. */
  String claim(String name) {
    String candidate = name;
    for (int number = 2; !taken.add(candidate.toLowerCase(Locale.ROOT)); number++) {
      candidate = name + "_" + number;
    }
    return candidate;
  }

  /** Takes names that nobody else may have; for our own columns, which keep their names always. */
  void reserve(Iterable<String> names) {
    for (String name : names) {
      taken.add(name.toLowerCase(Locale.ROOT));
    }
  }
}
