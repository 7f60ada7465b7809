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

import com.google.common.base.Throwables;
import io.statesql.acceptance.fuzz.Trial.Run;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;

/** Runs the statements of a trial and says what they disagree about. */
final class Judge {
  private final Engines engines;
  private int refused;

  Judge(Engines engines) {
    this.engines = engines;
  }

  /** The rows of a statement, or its error. */
  private record Answer(List<List<Object>> rows, SQLException error) {
    /**
     * An error that is no wrong answer: of a form of statement that is not supported, or about
     * values, such as an overflow, which one plan meets in what another plan does not compute.
     */
    boolean isRefusal() {
      String state = error == null ? null : error.getSQLState();
      return state != null
          && (state.equals("0A000") || state.startsWith("22") || isDoubtOfPlanner());
    }

    /**
     * Where Calcite moves a comparison into a CASE, it keeps its type, and asserts elsewhere that a
     * comparison may be NULL only if what it compares may be. Without assertions, as StateSQL runs
     * outside of tests, the rows are right.
     */
    private boolean isDoubtOfPlanner() {
      Throwable cause = Throwables.getRootCause(error);
      return cause instanceof AssertionError
          && Arrays.stream(cause.getStackTrace())
              .limit(1)
              .anyMatch(frame -> frame.getMethodName().equals("validateStrongPolicy"));
    }

    @Override
    public String toString() {
      return error == null ? rows.size() + " rows" : error.getSQLState() + " " + error.getMessage();
    }
  }

  /** How many statements StateSQL has answered with an error that is no wrong answer. */
  int refused() {
    return refused;
  }

  /** What the statements disagree about, or null. */
  Finding judge(Trial trial) {
    Run first = trial.runs().get(0);
    Answer expected = stateSql(first);
    for (Run run : trial.runs().subList(1, trial.runs().size())) {
      String difference = difference(expected, stateSql(run));
      if (difference != null) {
        return new Finding(trial, first.toString(), run.toString(), difference);
      }
    }
    return trial.withDuckDb() ? withDuckDb(trial, expected) : ofOne(trial, expected);
  }

  private static String difference(Answer left, Answer right) {
    if (left.isRefusal() || right.isRefusal()) {
      return null;
    }
    return left.error == null && right.error == null
        ? Rows.difference(left.rows, right.rows)
        : left + "; " + right;
  }

  private Finding withDuckDb(Trial trial, Answer expected) {
    Run first = trial.runs().get(0);
    String sql = first.sql().duckDb();
    Answer duckDb = duckDb(first);
    String error = duckDb.error == null ? "" : duckDb.error.getMessage();
    if (expected.error == null && KnownDifference.explains(sql, error)) {
      return null;
    }
    String difference = difference(expected, duckDb);
    return difference == null
        ? null
        : new Finding(trial, first.toString(), "DuckDB: " + sql, difference);
  }

  private static Finding ofOne(Trial trial, Answer answer) {
    return answer.error == null || answer.isRefusal()
        ? null
        : new Finding(trial, trial.runs().get(0).toString(), "", answer.toString());
  }

  private Answer stateSql(Run run) {
    try {
      return new Answer(run.view().apply(engines.stateSql(run)), null);
    } catch (SQLException e) {
      Answer answer = new Answer(null, e);
      refused += answer.isRefusal() ? 1 : 0;
      return answer;
    }
  }

  private Answer duckDb(Run run) {
    try {
      return new Answer(run.view().apply(engines.duckDb(run)), null);
    } catch (SQLException e) {
      return new Answer(null, e);
    }
  }
}
