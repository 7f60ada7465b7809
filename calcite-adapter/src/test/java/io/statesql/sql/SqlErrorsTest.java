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
package io.statesql.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.statesql.Cancellation;
import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A defect of ours is told as one, whatever Java calls it. */
class SqlErrorsTest {
  @Test
  void whatOurCodeDoesNotSupportIsADefect() {
    assertThat(stateOf(new UnsupportedOperationException("of ours"))).isEqualTo("XX000");
    try {
      List.of(1).add(2);
    } catch (UnsupportedOperationException e) {
      assertThat(stateOf(new IllegalStateException("in a scan", e))).isEqualTo("XX000");
    }
  }

  @Test
  void whatCalciteDoesNotSupportIsAFormThatCannotBeRun() {
    var failure = new UnsupportedOperationException("no such rule");
    failure.setStackTrace(
        new StackTraceElement[] {
          new StackTraceElement("java.util.List", "of", "List.java", 1),
          new StackTraceElement("org.apache.calcite.rel.RelNode", "accept", "RelNode.java", 2),
          new StackTraceElement("io.statesql.jdbc.StateSqlPrepare", "prepare", "X.java", 3)
        });
    assertThat(stateOf(failure)).isEqualTo("0A000");
  }

  @Test
  void whatOurPartOfAPlanDoesNotImplementIsADefect() {
    var unable = new IllegalStateException("Unable to implement StateScan");
    unable.addSuppressed(new UnsupportedOperationException("of ours"));
    assertThat(stateOf(unable)).isEqualTo("XX000");
  }

  /** Calcite's generator of code asks for types, which looks whether the statement was ended. */
  @Test
  void whatEndsTheGenerationOfCodeIsTold() {
    var unable = new IllegalStateException("Unable to implement EnumerableCalc");
    unable.addSuppressed(
        new IllegalStateException(
            "while it is visited", new StateSqlException(ErrorCode.CANCELED, "It was canceled.")));
    assertThat(stateOf(unable)).isEqualTo("57014");
  }

  @Test
  void aStumbleOfAStatementThatWasEndedIsNoDefect() {
    Cancellation ended =
        () -> {
          throw new StateSqlException(ErrorCode.CANCELED, "It was canceled.");
        };
    assertThat(stateOf(ended, new NullPointerException("of what was closed"))).isEqualTo("57014");
    assertThat(stateOf(ended, new ArithmeticException("/ by zero"))).isEqualTo("22012");
    assertThat(stateOf(Cancellation.NEVER, new NullPointerException("of ours"))).isEqualTo("XX000");
  }

  private static String stateOf(Cancellation cancellation, RuntimeException failure) {
    return catchThrowableOfType(
            SQLException.class,
            () ->
                SqlErrors.<Void, SQLException>translating(
                    cancellation,
                    () -> {
                      throw failure;
                    }))
        .getSQLState();
  }

  private static String stateOf(Throwable failure) {
    return SqlErrors.translate(failure).getSQLState();
  }
}
