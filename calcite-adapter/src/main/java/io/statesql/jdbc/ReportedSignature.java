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
package io.statesql.jdbc;

import io.statesql.plan.OpenScans;
import io.statesql.plan.StatementReport;
import java.util.function.Supplier;
import org.apache.calcite.DataContext;
import org.apache.calcite.jdbc.CalcitePrepare.CalciteSignature;
import org.apache.calcite.linq4j.AbstractEnumerable;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Enumerator;
import org.jspecify.annotations.Nullable;

/**
 * A prepared statement that reports each of its runs to the {@link StatementReport} of the run, and
 * leaves no scan open when the run fails or is closed.
 */
final class ReportedSignature<T> extends CalciteSignature<T> {
  private final CalciteSignature<T> original;
  private final long planningNanos;

  /**
   * @param planningNanos how long it took to prepare the statement
   */
  ReportedSignature(CalciteSignature<T> original, long planningNanos) {
    super(
        original.sql,
        original.parameters,
        original.internalParameters,
        original.rowType,
        original.columns,
        original.cursorFactory,
        original.rootSchema,
        original.getCollationList(),
        -1,
        null,
        original.statementType);
    this.original = original;
    this.planningNanos = planningNanos;
  }

  @Override
  public Enumerable<T> enumerable(DataContext context) {
    Enumerable<T> rows = original.enumerable(context);
    StatementReport report = (StatementReport) context.get(StatementReport.RUNNING);
    OpenScans scans = OpenScans.of(context);
    if (report == null || scans == null) {
      return rows;
    }
    report.describe(original.sql, planningNanos);
    return new AbstractEnumerable<>() {
      @Override
      public Enumerator<T> enumerator() {
        // Some operators read all of their input before they give the first row.
        return ending(report, scans, () -> new ReportedRows<>(rows.enumerator(), report, scans));
      }
    };
  }

  /** Goes on with a statement, or ends it if that fails. */
  private static <R> R ending(StatementReport report, OpenScans scans, Supplier<R> step) {
    try {
      return step.get();
    } catch (RuntimeException | Error e) {
      scans.closeAfter(e);
      report.finish();
      throw e;
    }
  }

  /** Rows whose end is the end of the statement. */
  private record ReportedRows<T>(Enumerator<T> rows, StatementReport report, OpenScans scans)
      implements Enumerator<T> {
    @Override
    public @Nullable T current() {
      return ending(report, scans, rows::current);
    }

    @Override
    public boolean moveNext() {
      boolean hasRow = ending(report, scans, rows::moveNext);
      if (!hasRow) {
        report.finish();
      }
      return hasRow;
    }

    @Override
    public void reset() {
      rows.reset();
    }

    @Override
    public void close() {
      try (scans) {
        rows.close();
      } finally {
        report.finish();
      }
    }
  }
}
