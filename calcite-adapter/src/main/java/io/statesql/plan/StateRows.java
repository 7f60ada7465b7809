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
package io.statesql.plan;

import io.statesql.ScanContext;
import io.statesql.format.RowCursor;
import java.util.function.Function;
import org.apache.calcite.DataContext;
import org.apache.calcite.linq4j.AbstractEnumerable;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Enumerator;

/** What generated code calls to run a {@link StateScan}. Public for that reason alone. */
public final class StateRows {
  private final RowSource source;
  private final int[] fields;
  private final boolean onlyCounted;

  /**
   * @param onlyCounted whether the values of the rows mean nothing
   */
  StateRows(RowSource source, int[] fields, boolean onlyCounted) {
    this.source = source;
    this.fields = fields.clone();
    this.onlyCounted = onlyCounted;
  }

  private RowCursor open(ScanContext scan) {
    return onlyCounted ? source.openRows(scan) : source.open(fields, scan);
  }

  /** The rows; each enumeration reads them anew. */
  public Enumerable<Object[]> enumerable(DataContext context) {
    ScanContext scan = StatementScans.of(context);
    return new AbstractEnumerable<>() {
      @Override
      public Enumerator<Object[]> enumerator() {
        return new RowEnumerator(StateRows.this::open, scan);
      }
    };
  }

  /**
   * A cursor as an enumerator. Opens at the first move, and frees what it holds when a move fails,
   * because Calcite does not close an enumerator whose first move fails. A close by another thread
   * waits for a move that is under way: what a cursor reads may be native memory.
   */
  private static final class RowEnumerator implements Enumerator<Object[]> {
    private final Function<ScanContext, RowCursor> opener;
    private final ScanContext scan;
    private RowCursor cursor;
    private long rows;

    RowEnumerator(Function<ScanContext, RowCursor> opener, ScanContext scan) {
      this.opener = opener;
      this.scan = scan;
    }

    @Override
    public synchronized Object[] current() {
      return cursor.row();
    }

    @Override
    public synchronized boolean moveNext() {
      try {
        scan.cancellation().check();
        if (cursor == null) {
          cursor = opener.apply(scan);
        }
        if (!cursor.next()) {
          return false;
        }
        rows++;
        return true;
      } catch (RuntimeException e) {
        close();
        throw e;
      }
    }

    @Override
    public synchronized void reset() {
      close();
    }

    @Override
    public synchronized void close() {
      if (cursor != null) {
        RowCursor open = cursor;
        cursor = null;
        scan.counters().addRows(rows);
        rows = 0;
        open.close();
      }
    }
  }
}
