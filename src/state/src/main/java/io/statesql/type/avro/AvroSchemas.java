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
package io.statesql.type.avro;

import io.statesql.type.MalformedValueException;
import org.apache.avro.Schema;

/** Reads the text of an Avro schema, which comes from the snapshot and so may be anything. */
final class AvroSchemas {
  /**
   * Brackets within brackets. Three levels make a record within a record, and no schema that people
   * write comes near this; deeper ones could exhaust the stack of the parser.
   */
  static final int MAX_NESTING = 500;

  private AvroSchemas() {}

  /**
   * Parses a schema. Names and defaults are taken as they are: readers of a stored schema have no
   * use for their rules.
   *
   * @param offset of the text, for an error
   * @throws MalformedValueException if it is no schema, or nested too deep
   */
  static Schema parse(String text, long offset) {
    requireShallow(text, offset);
    try {
      return new Schema.Parser().setValidate(false).setValidateDefaults(false).parse(text);
    } catch (RuntimeException e) {
      // Avro refuses some texts by its own exceptions and trips over others by those of the JDK.
      // Its message may name classes and run over lines; it stays with the cause.
      throw new MalformedValueException(offset, "an Avro schema cannot be parsed", e);
    }
  }

  private static void requireShallow(String text, long offset) {
    int depth = 0;
    boolean quoted = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (quoted) {
        if (c == '\\') {
          i++;
        } else if (c == '"') {
          quoted = false;
        }
        continue;
      }
      switch (c) {
        case '"' -> quoted = true;
        case '{', '[' -> depth++;
        case '}', ']' -> depth--;
        default -> {}
      }
      if (depth > MAX_NESTING) {
        throw new MalformedValueException(
            offset, "an Avro schema is nested deeper than " + MAX_NESTING + " brackets");
      }
    }
  }
}
