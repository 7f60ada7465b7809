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
package sqlline;

/**
 * Makes control characters visible, so that a value can neither break its row nor drive a terminal.
 */
final class ControlCharacters {
  private ControlCharacters() {}

  static String escape(String text) {
    int first = 0;
    while (first < text.length() && !Character.isISOControl(text.charAt(first))) {
      first++;
    }
    if (first == text.length()) {
      return text;
    }
    StringBuilder escaped = new StringBuilder(text.length() + 16).append(text, 0, first);
    for (int i = first; i < text.length(); i++) {
      append(escaped, text.charAt(i));
    }
    return escaped.toString();
  }

  /** Appends a character, or for a control character its escape, which JSON reads too. */
  static void append(StringBuilder target, char c) {
    switch (c) {
      case '\n' -> target.append("\\n");
      case '\r' -> target.append("\\r");
      case '\t' -> target.append("\\t");
      default -> {
        if (Character.isISOControl(c)) {
          target.append("\\u00").append(hexDigit(c >> 4)).append(hexDigit(c & 0xF));
        } else {
          target.append(c);
        }
      }
    }
  }

  private static char hexDigit(int value) {
    return Character.forDigit(value, 16);
  }
}
