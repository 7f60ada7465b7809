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
package org.apache.calcite.jdbc;

import io.statesql.ScanLimits;
import io.statesql.edit.Transaction;
import io.statesql.plan.OpenScans;
import io.statesql.plan.StatementReport;
import io.statesql.plan.StatementScans;
import io.statesql.value.ParameterValues;
import java.util.TimeZone;
import org.apache.calcite.DataContext;
import org.apache.calcite.adapter.java.JavaTypeFactory;
import org.apache.calcite.linq4j.QueryProvider;
import org.apache.calcite.schema.SchemaPlus;
import org.jspecify.annotations.Nullable;

/**
 * Time is UTC for a statement, wherever it runs; its scans keep the connection's limits; and it
 * knows its transaction.
 */
record StatementDataContext(
    DataContext delegate,
    ScanLimits limits,
    StatementReport running,
    OpenScans scans,
    @Nullable StatementReport last,
    int parameters,
    Transaction transaction)
    implements DataContext {
  @Override
  public Object get(String name) {
    return switch (name) {
      case Transaction.CONTEXT -> transaction;
      case StatementScans.LIMITS -> limits;
      case StatementScans.COUNTERS -> running.counters();
      case StatementReport.RUNNING -> running;
      case OpenScans.RUNNING -> scans;
      case StatementReport.LAST -> last;
      case ParameterValues.GIVEN -> parameters;
      default -> inUtc(name);
    };
  }

  private Object inUtc(String name) {
    if (name.equals(Variable.CURRENT_TIMESTAMP.camelName)
        || name.equals(Variable.LOCAL_TIMESTAMP.camelName)) {
      return delegate.get(Variable.UTC_TIMESTAMP.camelName);
    }
    return name.equals(Variable.TIME_ZONE.camelName)
        ? TimeZone.getTimeZone("UTC")
        : delegate.get(name);
  }

  @Override
  public SchemaPlus getRootSchema() {
    return delegate.getRootSchema();
  }

  @Override
  public JavaTypeFactory getTypeFactory() {
    return delegate.getTypeFactory();
  }

  @Override
  public QueryProvider getQueryProvider() {
    return delegate.getQueryProvider();
  }
}
