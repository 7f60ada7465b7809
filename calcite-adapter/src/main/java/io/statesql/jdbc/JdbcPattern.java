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

import java.util.regex.Pattern;

/**
 * A name pattern of {@link java.sql.DatabaseMetaData}: {@code %} any text, {@code _} any character,
 * {@code \} takes the next as it is.
 */
public final class JdbcPattern {
  private final Pattern pattern;

  private JdbcPattern(Pattern pattern) {
    this.pattern = pattern;
  }

  /** Reads a pattern; null matches everything. */
  public static JdbcPattern of(String text) {
    if (text == null) {
      return of("%");
    }
    var regex = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '%' -> regex.append(".*");
        case '_' -> regex.append('.');
        case '\\' -> {
          boolean last = i + 1 == text.length();
          regex.append(Pattern.quote(last ? "\\" : text.substring(i + 1, i + 2)));
          i++;
        }
        default -> regex.append(Pattern.quote(String.valueOf(c)));
      }
    }
    return new JdbcPattern(Pattern.compile(regex.toString(), Pattern.DOTALL));
  }

  /** Whether a name fits, with its case. */
  public boolean matches(String name) {
    return pattern.matcher(name).matches();
  }
}
