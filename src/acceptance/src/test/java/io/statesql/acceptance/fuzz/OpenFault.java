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

import java.util.Arrays;
import java.util.regex.Pattern;

/**
 * Faults of StateSQL that this fuzz has found and that are not mended, each with its statements.
 */
enum OpenFault {
  SUBQUERY_ABOVE_LATERAL(
      "JOIN LATERAL .*\\(SELECT .* WHERE .*(IN|EXISTS|ANY|SOME|ALL) \\(SELECT",
      "an assertion of the planner fails where a subquery stands above a lateral join");

  private final Pattern statement;
  private final String reason;

  OpenFault(String statement, String reason) {
    this.statement = Pattern.compile(statement);
    this.reason = reason;
  }

  /** Whether a statement that has been made as short as may be is of one of these. */
  static boolean explains(String statement) {
    return Arrays.stream(values()).anyMatch(fault -> fault.statement.matcher(statement).find());
  }

  @Override
  public String toString() {
    return reason;
  }
}
