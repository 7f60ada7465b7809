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

import io.statesql.Cancellation;
import io.statesql.ScanContext;
import io.statesql.format.model.RowCursor;
import io.statesql.plan.RowSource;
import io.statesql.plan.StateRules;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.apache.calcite.plan.RelOptTable;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.schema.TranslatableTable;
import org.apache.calcite.schema.impl.AbstractTable;

/** A table that is scanned as state is, with rows by number, for tests. */
final class ToySource extends AbstractTable implements TranslatableTable, RowSource {
  private final UnaryOperator<RelDataTypeFactory.Builder> columns;
  private final Function<Integer, Object[]> rows;
  private final Consumer<Cancellation> beforeRow;
  private final AtomicInteger openScans = new AtomicInteger();

  /**
   * @param rows the row of a number from 0; null after the last one
   * @param beforeRow what the scan does before it gives a row
   */
  ToySource(
      UnaryOperator<RelDataTypeFactory.Builder> columns,
      Function<Integer, Object[]> rows,
      Consumer<Cancellation> beforeRow) {
    this.columns = columns;
    this.rows = rows;
    this.beforeRow = beforeRow;
  }

  /** How many scans are not closed yet. */
  int openScans() {
    return openScans.get();
  }

  @Override
  public RelDataType getRowType(RelDataTypeFactory typeFactory) {
    return columns.apply(typeFactory.builder()).build();
  }

  @Override
  public int cheapestField() {
    return 0;
  }

  @Override
  public RelNode toRel(RelOptTable.ToRelContext context, RelOptTable table) {
    return StateRules.scan(context.getCluster(), table);
  }

  @Override
  public RowCursor open(int[] fields, ScanContext scan) {
    openScans.incrementAndGet();
    return new RowCursor() {
      private final AtomicBoolean isClosed = new AtomicBoolean();
      private int count;
      private Object[] current;

      @Override
      public boolean next() {
        beforeRow.accept(scan.cancellation());
        current = rows.apply(count++);
        return current != null;
      }

      @Override
      public Object[] row() {
        return Arrays.stream(fields).mapToObj(field -> current[field]).toArray();
      }

      @Override
      public void close() {
        if (isClosed.compareAndSet(false, true)) {
          openScans.decrementAndGet();
        }
      }
    };
  }

  /** The columns of a table that takes longer to be found than the shortest time limit. */
  static RelDataTypeFactory.Builder afterMoreThanASecond(RelDataTypeFactory.Builder columns) {
    long start = System.nanoTime();
    while (System.nanoTime() - start < TimeUnit.MILLISECONDS.toNanos(1_100)) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
    return columns;
  }
}
