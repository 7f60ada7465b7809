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
package io.statesql.schema;

import static io.statesql.type.SqlType.Scalar.BIGINT;
import static io.statesql.type.SqlType.Scalar.TIMESTAMP;
import static io.statesql.type.SqlType.Scalar.VARCHAR;

import io.statesql.ReadCounters;
import io.statesql.plan.StatementReport;
import java.util.List;
import org.apache.calcite.DataContext;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Linq4j;

/**
 * {@code sys.last_statement}: what the statement before read, and how long it took. One row, or
 * none before the first statement and where a connection is not one of StateSQL's own driver.
 */
final class LastStatementTable extends SystemTable {

  LastStatementTable() {
    super(
        "What the statement before read, and how long it took",
        column("sql_text", VARCHAR, "The statement"),
        column("start_time", TIMESTAMP, "When it began, UTC"),
        column("files", BIGINT, "Files that were opened"),
        column("bytes", BIGINT, "Bytes that were read"),
        column("key_groups", BIGINT, "Key groups that were read"),
        column("entries", BIGINT, "Entries that were looked at"),
        column("scanned_rows", BIGINT, "Rows that scans gave to the rest of the plan"),
        column("planning_ms", BIGINT, "Milliseconds of parsing and planning"),
        column("scan_ms", BIGINT, "Milliseconds in which a scan was open"),
        column("total_ms", BIGINT, "Milliseconds from the begin of planning to the last row"));
  }

  @Override
  List<Object[]> rows() {
    return List.of();
  }

  @Override
  public Enumerable<Object[]> scan(DataContext root) {
    if (root.get(StatementReport.RUNNING) instanceof StatementReport running) {
      running.doNotRecord();
    }
    return root.get(StatementReport.LAST) instanceof StatementReport last
        ? Linq4j.singletonEnumerable(row(last))
        : Linq4j.emptyEnumerable();
  }

  private static Object[] row(StatementReport report) {
    ReadCounters counters = report.counters();
    return new Object[] {
      report.sql(),
      report.startMillis(),
      counters.files(),
      counters.bytes(),
      counters.keyGroups(),
      counters.entries(),
      counters.rows(),
      report.planningMillis(),
      counters.scanMillis(),
      report.totalMillis()
    };
  }
}
