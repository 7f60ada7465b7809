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

import java.util.List;

/** What a piece of SQL is: a value of some type, or another part of a statement. */
enum Kind {
  INTEGER("INTEGER"),
  BIGINT("BIGINT"),
  DECIMAL("DECIMAL(24, 4)"),
  DOUBLE("DOUBLE"),
  VARCHAR("VARCHAR"),
  BOOLEAN("BOOLEAN"),
  DATE("DATE"),
  TIMESTAMP("TIMESTAMP"),
  /** A whole query. */
  QUERY(null),
  /** What stands behind FROM. */
  SOURCE(null),
  /** A part that may be left out, as a WHERE with its condition. */
  OPTIONAL(null),
  /** Everything else. */
  PART(null);

  static final List<Kind> NUMBERS = List.of(INTEGER, BIGINT, DECIMAL, DOUBLE);
  static final List<Kind> VALUES =
      List.of(INTEGER, BIGINT, DECIMAL, DOUBLE, VARCHAR, BOOLEAN, DATE, TIMESTAMP);

  private final String duckDbType;

  Kind(String duckDbType) {
    this.duckDbType = duckDbType;
  }

  /** The type of a column of DuckDB that holds such values. */
  String duckDbType() {
    return duckDbType;
  }

  /** The same type in a cast of either engine. */
  String castType() {
    return this == DECIMAL ? "DECIMAL(24, 4)" : this == TIMESTAMP ? "TIMESTAMP(3)" : duckDbType;
  }

  boolean isNumber() {
    return NUMBERS.contains(this);
  }
}
