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

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.calcite.DataContext;
import org.apache.calcite.linq4j.AbstractEnumerable;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Enumerator;
import org.apache.calcite.linq4j.Linq4j;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.schema.ScannableTable;
import org.apache.calcite.schema.impl.AbstractTable;

/** A table in memory, in the form in which the engine holds values, for tests. */
final class ToyTable extends AbstractTable implements ScannableTable {
  private final UnaryOperator<RelDataTypeFactory.Builder> columns;
  private final List<Object[]> rows = new ArrayList<>();
  private RuntimeException failure;

  ToyTable(UnaryOperator<RelDataTypeFactory.Builder> columns) {
    this.columns = columns;
  }

  ToyTable row(Object... values) {
    rows.add(values);
    return this;
  }

  /** Makes the scan fail after its rows. */
  ToyTable failsWith(RuntimeException failure) {
    this.failure = failure;
    return this;
  }

  @Override
  public RelDataType getRowType(RelDataTypeFactory typeFactory) {
    return columns.apply(typeFactory.builder()).build();
  }

  @Override
  public Enumerable<Object[]> scan(DataContext root) {
    Enumerator<Object[]> all = Linq4j.enumerator(rows);
    return new AbstractEnumerable<>() {
      @Override
      public Enumerator<Object[]> enumerator() {
        return failure == null ? Linq4j.enumerator(rows) : new FailingEnumerator(all, failure);
      }
    };
  }

  /** Gives rows, then fails. */
  private record FailingEnumerator(Enumerator<Object[]> rows, RuntimeException failure)
      implements Enumerator<Object[]> {
    @Override
    public Object[] current() {
      return rows.current();
    }

    @Override
    public boolean moveNext() {
      if (rows.moveNext()) {
        return true;
      }
      throw failure;
    }

    @Override
    public void reset() {
      rows.reset();
    }

    @Override
    public void close() {
      rows.close();
    }
  }
}
