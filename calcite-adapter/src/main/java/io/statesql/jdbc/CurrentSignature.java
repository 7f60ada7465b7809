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

import io.statesql.edit.Transaction;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.calcite.DataContext;
import org.apache.calcite.adapter.java.JavaTypeFactory;
import org.apache.calcite.jdbc.CalcitePrepare.CalciteSignature;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.QueryProvider;
import org.apache.calcite.schema.SchemaPlus;

/**
 * A statement that runs on what its names mean now. After a commit a mount shows another snapshot,
 * so a statement that was prepared before is prepared again.
 */
final class CurrentSignature<T> extends CalciteSignature<T> {
  private final Transaction transaction;
  private final Supplier<CalciteSignature<T>> preparer;
  private CalciteSignature<T> prepared;
  private long version;

  /**
   * @param prepared in the present version of the transaction
   * @param preparer prepares it again
   */
  CurrentSignature(
      CalciteSignature<T> prepared,
      Transaction transaction,
      Supplier<CalciteSignature<T>> preparer) {
    super(
        prepared.sql,
        prepared.parameters,
        prepared.internalParameters,
        prepared.rowType,
        prepared.columns,
        prepared.cursorFactory,
        prepared.rootSchema,
        prepared.getCollationList(),
        -1,
        null,
        prepared.statementType);
    this.transaction = transaction;
    this.preparer = preparer;
    this.prepared = prepared;
    this.version = transaction.version();
  }

  @Override
  public synchronized Enumerable<T> enumerable(DataContext context) {
    long current = transaction.version();
    if (version != current) {
      // A statement that cannot be prepared is prepared once more by the next who runs it.
      prepared = preparer.get();
      version = current;
    }
    return prepared.enumerable(new PlanContext(context, sql, prepared.internalParameters));
  }

  /**
   * Knows the text of the statement, which a commit records, and the objects that its present plan
   * uses.
   */
  private record PlanContext(DataContext delegate, String sql, Map<String, Object> ofPlan)
      implements DataContext {
    @Override
    public Object get(String name) {
      Object used = ofPlan.get(name);
      if (used != null) {
        return used;
      }
      return name.equals(Transaction.STATEMENT) ? sql : delegate.get(name);
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
}
