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
package io.statesql.shell;

import io.statesql.StateSqlException;
import java.sql.SQLException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Says in one line what went wrong. */
public final class ErrorText {
  /** The parser's list of every token it would have taken. */
  private static final Pattern EXPECTED_TOKENS =
      Pattern.compile("\\s*Was expecting(?: one of)?:.*", Pattern.DOTALL);

  private static final Pattern LINE_BREAK = Pattern.compile("\\s*[\\r\\n]+\\s*");

  /** What Avatica's remote driver puts before its message; the shell shows the state itself. */
  private static final Pattern AVATICA_CODES = Pattern.compile("^Error -?\\d+ \\(\\w*\\) : ");

  /** How Avatica's remote driver begins what its server said. */
  private static final String REMOTE = "Remote driver error: ";

  /** All that the driver tells of an answer that is none of its protocol. */
  private static final Pattern REFUSED =
      Pattern.compile("Failed to execute HTTP Request, got HTTP/(\\d{3})");

  private ErrorText() {}

  /** {@code Error: <message> (state=<SQLState>)}; without a state if none is known. */
  public static String of(Throwable failure) {
    return of(failure, "");
  }

  /**
   * The same for a failed statement, whose text is left out where the driver repeats it.
   *
   * @param sql the statement as the driver was given it
   */
  public static String of(Throwable failure, String sql) {
    String state = state(failure);
    return "Error: " + message(failure, sql) + (state == null ? "" : " (state=" + state + ")");
  }

  private static String message(Throwable failure, String sql) {
    Throwable told = mostTelling(failure);
    if (told instanceof StackOverflowError) {
      return "The statement is nested too deeply";
    }
    if (told instanceof OutOfMemoryError) {
      return "The statement needs more memory than the shell has (JAVA_OPTS=-Xmx... gives it more)";
    }
    String message = told.getMessage();
    if (message == null || message.isBlank()) {
      return told.getClass().getSimpleName() + " (--verbose shows where)";
    }
    message = AVATICA_CODES.matcher(message).replaceFirst("");
    String echo = "Error while executing SQL \"" + sql + "\": ";
    if (message.startsWith(echo)) {
      message = message.substring(echo.length());
    }
    if (message.startsWith(REMOTE)) {
      message = message.substring(REMOTE.length());
    }
    Matcher refused = REFUSED.matcher(message);
    if (refused.find()) {
      return refusal(refused.group(1));
    }
    message = EXPECTED_TOKENS.matcher(message).replaceFirst("");
    return LINE_BREAK.matcher(message.strip()).replaceAll(" ");
  }

  private static String refusal(String status) {
    return switch (status) {
      case "400" ->
          "The server does not take plain HTTP (HTTP 400); if it speaks TLS, its URL begins with"
              + " https://";
      case "401" -> "The server needs a user and a password: give them with -n and -p (HTTP 401)";
      default -> "The server refused the request (HTTP " + status + ")";
    };
  }

  /** Our own exception if one is there, else the outermost that says anything. */
  private static Throwable mostTelling(Throwable failure) {
    Throwable telling = null;
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (t instanceof StateSqlException) {
        return t;
      }
      if (telling == null && t.getMessage() != null && !t.getMessage().isBlank()) {
        telling = t;
      }
    }
    return telling == null ? failure : telling;
  }

  private static String state(Throwable failure) {
    String state = null;
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (t instanceof StateSqlException known) {
        return known.sqlState();
      }
      if (state == null && t instanceof SQLException sql && isState(sql.getSQLState())) {
        state = sql.getSQLState();
      }
    }
    return state;
  }

  /** Avatica answers 00000, the state of success, where it knows none. */
  private static boolean isState(String state) {
    return state != null && !state.isBlank() && !state.equals("00000");
  }
}
