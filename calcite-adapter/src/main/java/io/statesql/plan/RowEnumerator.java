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

import io.statesql.Cancellation;
import io.statesql.ErrorCode;
import io.statesql.ScanContext;
import io.statesql.StateSqlException;
import io.statesql.format.RowCursor;
import java.util.List;
import java.util.function.Function;
import org.apache.calcite.linq4j.Enumerator;
import org.jspecify.annotations.Nullable;

/**
 * A cursor as an enumerator. Opens at the first move, and frees what it holds when a move fails,
 * because Calcite does not close an enumerator whose first move fails. A close by another thread
 * ends a move that is under way and waits for it: what a cursor reads may be native memory.
 */
final class RowEnumerator implements Enumerator<Object[]> {
  private final Function<ScanContext, RowCursor> opener;
  private final ScanContext scan;
  private @Nullable RowCursor cursor;
  private Object @Nullable [] row;

  /** Rows that the cursor has given already, and the place of the next one. */
  private List<Object[]> ready = List.of();

  private int nextReady;

  /** Rows of the table that were given so far. */
  private long rows;

  /** Whether the scan has begun to be counted. */
  private boolean begun;

  private volatile boolean closed;

  RowEnumerator(Function<ScanContext, RowCursor> opener, ScanContext statement) {
    this.opener = opener;
    this.scan =
        new ScanContext(
            untilClosed(statement.cancellation()),
            statement.counters(),
            statement.limits(),
            statement.shared());
  }

  private Cancellation untilClosed(Cancellation statement) {
    return () -> {
      statement.check();
      if (closed) {
        throw new StateSqlException(ErrorCode.CANCELED, "The result of the statement was closed.");
      }
    };
  }

  @Override
  public Object[] current() {
    return row;
  }

  @Override
  public boolean moveNext() {
    if (nextReady < ready.size() && !closed) {
      row = ready.get(nextReady++);
      rows++;
      return true;
    }
    return moveCursor();
  }

  private synchronized boolean moveCursor() {
    try {
      scan.cancellation().check();
      if (cursor == null) {
        begin();
        cursor = opener.apply(scan);
      }
      if (!cursor.next()) {
        return false;
      }
      row = cursor.row();
      rows += cursor.tableRows();
      ready = cursor.takeReady();
      nextReady = 0;
      return true;
    } catch (RuntimeException | Error e) {
      free();
      throw e;
    }
  }

  @Override
  public synchronized void reset() {
    free();
  }

  @Override
  public void close() {
    closed = true;
    free();
  }

  private void begin() {
    begun = true;
    scan.counters().beginScan();
  }

  private synchronized void free() {
    if (!begun) {
      return;
    }
    begun = false;
    scan.counters().addRows(rows);
    rows = 0;
    ready = List.of();
    nextReady = 0;
    RowCursor open = cursor;
    cursor = null;
    try {
      if (open != null) {
        open.close();
      }
    } finally {
      scan.counters().endScan();
    }
  }
}
