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

import io.statesql.format.RowCursor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.apache.calcite.DataContext;
import org.apache.calcite.linq4j.AbstractEnumerable;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Enumerator;
import org.apache.calcite.runtime.CalciteException;

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

  private RowCursor open() {
    return onlyCounted ? source.openRows() : source.open(fields);
  }

  /** The rows; each enumeration reads them anew. */
  public Enumerable<Object[]> enumerable(DataContext context) {
    AtomicBoolean cancel =
        context.get(DataContext.Variable.CANCEL_FLAG.camelName) instanceof AtomicBoolean flag
            ? flag
            : new AtomicBoolean();
    return new AbstractEnumerable<>() {
      @Override
      public Enumerator<Object[]> enumerator() {
        return new RowEnumerator(StateRows.this::open, cancel);
      }
    };
  }

  /**
   * A cursor as an enumerator. Opens at the first move, and frees what it holds when a move fails,
   * because Calcite does not close an enumerator whose first move fails.
   */
  private static final class RowEnumerator implements Enumerator<Object[]> {
    private final Supplier<RowCursor> opener;
    private final AtomicBoolean cancel;
    private RowCursor cursor;

    RowEnumerator(Supplier<RowCursor> opener, AtomicBoolean cancel) {
      this.opener = opener;
      this.cancel = cancel;
    }

    @Override
    public Object[] current() {
      return cursor.row();
    }

    @Override
    public boolean moveNext() {
      try {
        if (cancel.get()) {
          throw new CalciteException("The statement was cancelled", null);
        }
        if (cursor == null) {
          cursor = opener.get();
        }
        return cursor.next();
      } catch (RuntimeException e) {
        close();
        throw e;
      }
    }

    @Override
    public void reset() {
      close();
    }

    @Override
    public void close() {
      if (cursor != null) {
        RowCursor open = cursor;
        cursor = null;
        open.close();
      }
    }
  }
}
