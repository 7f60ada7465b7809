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
import io.statesql.format.model.RowCursor;
import java.io.Closeable;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One scan of a table while a statement runs: a cursor that is opened at the first move and closed
 * when a move fails. One thread moves; any thread may close, which ends a move that is under way
 * and waits for it: what a cursor reads may be native memory.
 */
final class RunningScan implements Closeable {
  private final Function<ScanContext, RowCursor> opener;
  private final ScanContext context;
  private final @Nullable OpenScans statement;
  private @Nullable RowCursor cursor;

  /** Whether the scan has begun to be counted. */
  private boolean begun;

  private Object[] row = {};
  private List<Object[]> ready = List.of();

  /** Rows of the table that were given so far; the moving thread alone changes it. */
  private final AtomicLong rows = new AtomicLong();

  private volatile boolean closed;

  /**
   * @param statement knows of the scan from its first move until it is closed; null if nobody does
   */
  RunningScan(
      Function<ScanContext, RowCursor> opener, ScanContext context, @Nullable OpenScans statement) {
    this.opener = opener;
    this.context =
        new ScanContext(
            untilClosed(context.cancellation()),
            context.counters(),
            context.limits(),
            context.shared());
    this.statement = statement;
  }

  private Cancellation untilClosed(Cancellation ofStatement) {
    return () -> {
      ofStatement.check();
      if (closed) {
        throw new StateSqlException(ErrorCode.CANCELED, "The result of the statement was closed.");
      }
    };
  }

  /** Moves to the next row; false after the last one. */
  synchronized boolean next() {
    try {
      context.cancellation().check();
      if (cursor == null) {
        begin();
        cursor = opener.apply(context);
      }
      if (!cursor.next()) {
        return false;
      }
      row = cursor.row();
      ready = cursor.takeReady();
      given(cursor.tableRows());
      return true;
    } catch (RuntimeException | Error e) {
      closeAfter(e);
      throw e;
    }
  }

  /** The row that the last move led to, also if the scan was closed since. */
  Object[] row() {
    return row;
  }

  /** The rows behind that one, which the cursor has passed already. */
  List<Object[]> ready() {
    return ready;
  }

  /** Counts rows that were given. */
  void given(long count) {
    rows.setOpaque(rows.getPlain() + count);
  }

  boolean isClosed() {
    return closed;
  }

  private void begin() {
    begun = true;
    if (statement != null) {
      statement.add(this);
    }
    context.counters().beginScan();
  }

  private void closeAfter(Throwable failure) {
    try {
      free();
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
    }
  }

  /** Frees what the scan holds; a later move begins anew, unless it was closed. */
  synchronized void free() {
    if (!begun) {
      return;
    }
    begun = false;
    if (statement != null) {
      statement.remove(this);
    }
    context.counters().addRows(rows.getOpaque());
    rows.setOpaque(0);
    RowCursor open = cursor;
    cursor = null;
    try {
      if (open != null) {
        open.close();
      }
    } finally {
      context.counters().endScan();
    }
  }

  @Override
  public void close() {
    closed = true;
    free();
  }
}
