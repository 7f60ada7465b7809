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
package io.statesql.jdbc;

import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One snapshot to mount.
 *
 * @param name the name that the user gave to the catalog
 * @param path a folder, a {@code _metadata} file or a root folder
 */
public record Mount(Optional<String> name, String path) {
  private static final Pattern NAMED =
      Pattern.compile("([A-Za-z_][A-Za-z0-9_-]*)=(.+)", Pattern.DOTALL);

  /**
   * Reads {@code PATH} or {@code NAME=PATH}. A path that exists wins over the reading with a name.
   *
   * @param exists whether a path exists
   */
  public static Mount parse(String text, Predicate<String> exists) {
    Matcher named = NAMED.matcher(text);
    if (named.matches() && !exists.test(text)) {
      return new Mount(Optional.of(named.group(1)), named.group(2));
    }
    return new Mount(Optional.empty(), text);
  }
}
