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
        column("sql_text", VARCHAR),
        column("start_time", TIMESTAMP),
        column("files", BIGINT),
        column("bytes", BIGINT),
        column("key_groups", BIGINT),
        column("entries", BIGINT),
        column("scanned_rows", BIGINT),
        column("planning_ms", BIGINT),
        column("scan_ms", BIGINT),
        column("total_ms", BIGINT));
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
