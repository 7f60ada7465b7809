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

import java.sql.Types;
import java.util.regex.Pattern;

/**
 * A result as one JSON document (RFC 8259), {@code {"resultset":[...]}} with an object per row.
 * Numbers that JSON cannot hold (NaN, infinities) are strings. Written by hand, for Jackson's
 * generator leaves control characters above 127 as they are, which may drive a terminal.
 */
final class StrictJsonOutputFormat implements OutputFormat {
  private static final Pattern NUMBER =
      Pattern.compile("-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?");

  private final SqlLine shell;

  StrictJsonOutputFormat(SqlLine shell) {
    this.shell = shell;
  }

  @Override
  public int print(Rows rows) {
    ResultRows result = (ResultRows) rows;
    Rows.Row header = result.next();
    shell.output("{\"resultset\":[");
    int count = 0;
    while (result.hasNext()) {
      String row = object(result, header.values, result.next().values);
      shell.output(result.hasNext() ? row + "," : row);
      count++;
    }
    shell.output("]}");
    return count;
  }

  private static String object(ResultRows result, String[] names, String[] values) {
    StringBuilder json = new StringBuilder("{");
    for (int i = 0; i < names.length; i++) {
      if (i > 0) {
        json.append(',');
      }
      appendString(json, names[i]);
      json.append(':');
      if (values[i] == null) {
        json.append("null");
      } else if (isBare(result.sqlType(i), values[i])) {
        json.append(values[i]);
      } else {
        appendString(json, values[i]);
      }
    }
    return json.append('}').toString();
  }

  private static boolean isBare(int sqlType, String value) {
    return switch (sqlType) {
      case Types.TINYINT,
          Types.SMALLINT,
          Types.INTEGER,
          Types.BIGINT,
          Types.REAL,
          Types.FLOAT,
          Types.DOUBLE,
          Types.DECIMAL,
          Types.NUMERIC ->
          NUMBER.matcher(value).matches();
      case Types.BOOLEAN, Types.BIT -> value.equals("true") || value.equals("false");
      default -> false;
    };
  }

  private static void appendString(StringBuilder json, String text) {
    json.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        json.append('\\').append(c);
      } else {
        ControlCharacters.append(json, c);
      }
    }
    json.append('"');
  }
}
