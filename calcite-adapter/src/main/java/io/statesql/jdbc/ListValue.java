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

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A list inside one property: values separated by commas, quoted with {@code "} where they hold a
 * comma or begin with a quote.
 */
public final class ListValue {
  private ListValue() {}

  /** Writes a list so that {@link #split} reads it back. */
  public static String join(List<String> values) {
    return values.stream().map(ListValue::quote).collect(Collectors.joining(","));
  }

  private static String quote(String value) {
    boolean plain =
        !value.isEmpty()
            && value.indexOf(',') < 0
            && value.charAt(0) != '"'
            && value.strip().equals(value);
    return plain ? value : '"' + value.replace("\"", "\"\"") + '"';
  }

  /**
   * Reads a list.
   *
   * @throws IllegalArgumentException when a quote is not closed or something follows it; the
   *     message continues "The property ..."
   */
  static List<String> split(String text) {
    var values = new ArrayList<String>();
    int position = 0;
    while (position < text.length()) {
      if (text.charAt(position) == '"') {
        var value = new StringBuilder();
        position = readQuoted(text, position, value);
        values.add(value.toString());
        if (position < text.length() && text.charAt(position) != ',') {
          throw new IllegalArgumentException(
              "has text after the closing quote at position " + position);
        }
      } else {
        int comma = text.indexOf(',', position);
        int end = comma < 0 ? text.length() : comma;
        String value = text.substring(position, end).strip();
        if (value.isEmpty()) {
          throw new IllegalArgumentException("has an empty value at position " + position);
        }
        values.add(value);
        position = end;
      }
      position++;
    }
    return values;
  }

  /** Reads the quoted value that begins at a position and returns the position after it. */
  private static int readQuoted(String text, int begin, StringBuilder value) {
    int position = begin + 1;
    while (true) {
      int quote = text.indexOf('"', position);
      if (quote < 0) {
        throw new IllegalArgumentException(
            "has a quote at position " + begin + " that is never closed");
      }
      value.append(text, position, quote);
      position = quote + 1;
      if (position == text.length() || text.charAt(position) != '"') {
        return position;
      }
      value.append('"');
      position++;
    }
  }
}
