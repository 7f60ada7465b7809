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
package io.statesql.acceptance.fuzz;

import java.util.regex.Pattern;

/**
 * Where DuckDB's answer is another one, with the reason. {@link Dialect} has what can be written in
 * another way; here is the rest. Beside both, the generator groups by DOUBLE in statements of
 * StateSQL alone, because -0.0 and 0.0 are two groups there and one in DuckDB, and makes no order
 * of texts with characters from U+E000 to U+FFFF, which stand before those beyond U+FFFF here and
 * behind them in DuckDB.
 */
enum KnownDifference {
  OVERFLOW(
      "",
      "Out of Range Error|Conversion Error",
      "its DECIMAL has 38 digits, ours as many as are needed; and either engine computes what no"
          + " row needs"),
  CORRELATED_DISTINCT_FROM(
      "EXISTS \\(.*IS (NOT )?DISTINCT FROM",
      "",
      "its EXISTS takes a correlated NULL to be distinct from no value");

  private final Pattern statement;
  private final Pattern message;
  private final String reason;

  /**
   * @param statement what is in DuckDB's statement
   * @param message what is in DuckDB's error; empty if it gives rows
   */
  KnownDifference(String statement, String message, String reason) {
    this.statement = Pattern.compile(statement, Pattern.DOTALL);
    this.message = Pattern.compile(message, Pattern.DOTALL);
    this.reason = reason;
  }

  /** Whether one of these explains that DuckDB answers a statement as it does. */
  static boolean explains(String duckDbStatement, String duckDbError) {
    for (KnownDifference difference : values()) {
      boolean isOfErrors = !difference.message.pattern().isEmpty();
      if (difference.statement.matcher(duckDbStatement).find()
          && isOfErrors == !duckDbError.isEmpty()
          && difference.message.matcher(duckDbError).find()) {
        return true;
      }
    }
    return false;
  }

  @Override
  public String toString() {
    return reason;
  }
}
