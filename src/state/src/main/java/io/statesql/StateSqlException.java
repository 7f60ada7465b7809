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
package io.statesql;

import java.util.Locale;

/**
 * A failure that a user can understand: its message is one sentence that names what is wrong,
 * where, and what to do. Shown without a stack trace by the shell, and as a {@link
 * java.sql.SQLException} with the code's SQLState by JDBC.
 */
public class StateSqlException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ErrorCode code;

  public StateSqlException(ErrorCode code, String message) {
    super(printable(message));
    this.code = code;
  }

  public StateSqlException(ErrorCode code, String message, Throwable cause) {
    super(printable(message), cause);
    this.code = code;
  }

  public ErrorCode code() {
    return code;
  }

  public String sqlState() {
    return code.sqlState();
  }

  /**
   * Names in a message may come from a snapshot. Their control characters could break the line, or
   * command the terminal that shows it.
   */
  private static String printable(String message) {
    StringBuilder text = new StringBuilder(message.length());
    for (int i = 0; i < message.length(); i++) {
      char c = message.charAt(i);
      if (Character.isISOControl(c)) {
        text.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      } else {
        text.append(c);
      }
    }
    return text.toString();
  }
}
