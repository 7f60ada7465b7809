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

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Statements that must give the same rows.
 *
 * @param relation why they must
 */
record Trial(String relation, List<Run> runs, boolean withDuckDb) {
  /** How StateSQL is asked. */
  enum Way {
    STATEMENT,
    /** With parameters in the place of literals. */
    PREPARED,
    /** The second answer of one prepared statement. */
    PREPARED_TWICE,
    SEVERAL_THREADS
  }

  /**
   * One statement.
   *
   * @param view what of its rows is compared
   */
  record Run(Sql sql, Way way, UnaryOperator<List<List<Object>>> view) {
    static Run of(Sql sql) {
      return of(sql, Way.STATEMENT);
    }

    static Run of(Sql sql, Way way) {
      return new Run(sql, way, rows -> rows);
    }

    @Override
    public String toString() {
      List<Object> values = new ArrayList<>();
      return switch (way) {
        case STATEMENT -> sql.stateSql();
        case PREPARED -> sql.prepared(values) + "   -- with " + values;
        default -> sql.stateSql() + "   -- " + way;
      };
    }
  }

  static Trial of(String relation, Run... runs) {
    return new Trial(relation, List.of(runs), true);
  }

  Trial withoutDuckDb() {
    return new Trial(relation, runs, false);
  }

  /** The same with another piece of SQL in the place of one. */
  Trial with(Sql old, Sql replacement) {
    List<Run> replaced =
        runs.stream()
            .map(run -> new Run(run.sql.with(old, replacement), run.way, run.view))
            .toList();
    return new Trial(relation, replaced, withDuckDb);
  }
}
