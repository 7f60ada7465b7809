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

/** What the two engines write in different ways, each with the reason. */
enum Dialect {
  INTEGER_DIVISION("(%s / %s)", "(%s // %s)", "DuckDB's / of integers gives a DOUBLE"),
  ROW_IN("((%1$s, %2$s) IN (%3$s))", Dialect.ROW_IN_ROWS, Dialect.PARTIAL_NULL),
  ROW_NOT_IN(
      "((%1$s, %2$s) NOT IN (%3$s))", "(NOT " + Dialect.ROW_IN_ROWS + ")", Dialect.PARTIAL_NULL),
  TEXT_OF_BOOLEAN(
      "CAST(%s AS VARCHAR)", "upper(CAST(%s AS VARCHAR))", "TRUE is 'TRUE' here, 'true' in DuckDB"),
  TEXT_LENGTH("CHAR_LENGTH(%s)", "CAST(length(%s) AS INTEGER)", "DuckDB's lengths are BIGINT"),
  POSITION(
      "POSITION(%s IN %s)", "CAST(position(%s IN %s) AS INTEGER)", "DuckDB's positions are BIGINT"),
  DAYS_LATER(
      "%s + INTERVAL '%s' DAY",
      "CAST(%s + INTERVAL '%s' DAY AS DATE)", "a DATE and an interval make a TIMESTAMP in DuckDB"),
  FLOOR_TO_DAY("FLOOR(%s TO DAY)", "CAST(date_trunc('day', %s) AS TIMESTAMP)", "another name"),
  FLOOR_TO_HOUR("FLOOR(%s TO HOUR)", "CAST(date_trunc('hour', %s) AS TIMESTAMP)", "another name"),
  FLOOR_TO_MONTH(
      "FLOOR(%s TO MONTH)", "CAST(date_trunc('month', %s) AS TIMESTAMP)", "another name"),
  TRIM("TRIM(%s)", "trim(%s, ' ')", "DuckDB trims other white space, too"),
  TRIM_LEADING("TRIM(LEADING %s FROM %s)", "ltrim(%2$s, %1$s)", "another name"),
  LISTAGG(
      "LISTAGG(%1$s, '|') WITHIN GROUP (ORDER BY %1$s)",
      "string_agg(%1$s, '|' ORDER BY %1$s)", "another name"),
  EVERY("EVERY(%s)", "bool_and(%s)", "another name"),
  SOME("SOME(%s)", "bool_or(%s)", "another name"),
  NULLS_ASCENDING("%s", "%s NULLS LAST", "NULL is the greatest here, always the last in DuckDB"),
  NULLS_DESCENDING("%s DESC", "%s DESC NULLS FIRST", NULLS_ASCENDING.reason);

  private static final String PARTIAL_NULL =
      "a row with a NULL is never in DuckDB's sets, and never out of them, though its other column"
          + " may differ from all of theirs";

  /** As the standard defines it, by one comparison of columns for each row of the set. */
  private static final String ROW_IN_ROWS =
      "(CASE WHEN EXISTS (SELECT 1 FROM (%3$s) AS members WHERE %1$s = c0 AND %2$s = c1) THEN TRUE"
          + " WHEN EXISTS (SELECT 1 FROM (%3$s) AS members WHERE (%1$s = c0 AND %2$s = c1) IS NULL)"
          + " THEN NULL ELSE FALSE END)";

  private final String stateSql;
  private final String duckDb;
  private final String reason;

  Dialect(String stateSql, String duckDb, String reason) {
    this.stateSql = stateSql;
    this.duckDb = duckDb;
    this.reason = reason;
  }

  String stateSql() {
    return stateSql;
  }

  String duckDb() {
    return duckDb;
  }

  String reason() {
    return reason;
  }
}
