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
import io.statesql.format.model.RowCursor;
import io.statesql.format.model.RowSize;
import io.statesql.plan.RowExchange.Batch;
import java.util.Arrays;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** What one thread of a scan does: it reads piece after piece and hands the rows over. */
final class PieceReader implements Runnable {
  private static final int BATCH_ROWS = 1024;

  /** How many rows may be read before the cancellation is asked. */
  private static final int ROWS_BETWEEN_CHECKS = 64;

  /** What a batch takes of which only the number of rows counts. */
  private static final long COUNTED_BYTES = 64;

  private final RowExchange exchange;
  private final IntFunction<RowCursor> opener;
  private final boolean counted;
  private final long batchBytes;
  private final Cancellation cancellation;

  /** The piece that was begun by another thread; null for none. */
  private @Nullable RowCursor begun;

  /**
   * @param opener opens a piece by its number
   * @param counted whether the values of rows mean nothing
   * @param batchBytes about how large a batch shall become
   * @param begun the first piece, if its first rows were taken already; closed by this reader
   */
  PieceReader(
      RowExchange exchange,
      IntFunction<RowCursor> opener,
      boolean counted,
      long batchBytes,
      @Nullable RowCursor begun) {
    this.exchange = exchange;
    this.opener = opener;
    this.counted = counted;
    this.batchBytes = batchBytes;
    this.cancellation = exchange.cancellation();
    this.begun = begun;
  }

  @Override
  public void run() {
    if (begun != null) {
      RowCursor rows = begun;
      begun = null;
      exchange.end(0, read(0, rows));
    }
    for (int piece = exchange.begin(); piece >= 0; piece = exchange.begin()) {
      exchange.end(piece, read(piece));
    }
  }

  private @Nullable Throwable read(int piece) {
    RowCursor rows;
    try {
      rows = opener.apply(piece);
    } catch (RuntimeException | Error e) {
      return e;
    }
    return read(piece, rows);
  }

  private @Nullable Throwable read(int piece, RowCursor rows) {
    Throwable failure = null;
    try {
      if (counted) {
        count(piece, rows);
      } else {
        handOver(piece, rows);
      }
    } catch (RuntimeException | Error e) {
      failure = e;
    }
    try {
      rows.close();
    } catch (RuntimeException e) {
      exchange.closingFailed(e);
      if (failure == null) {
        failure = e;
      }
    }
    return failure;
  }

  private void count(int piece, RowCursor rows) {
    long count = rows.passAll(cancellation);
    if (count > 0) {
      exchange.put(piece, new Batch(null, count, COUNTED_BYTES));
    }
  }

  private void handOver(int piece, RowCursor rows) {
    Object[][] batch = new Object[BATCH_ROWS][];
    int count = 0;
    long bytes = 0;
    while (rows.next()) {
      if (count % ROWS_BETWEEN_CHECKS == 0) {
        cancellation.check();
      }
      Object[] row = rows.row();
      batch[count++] = row;
      bytes += RowSize.of(row);
      if (count == BATCH_ROWS || bytes >= batchBytes) {
        exchange.put(piece, new Batch(Arrays.copyOf(batch, count), count, bytes));
        count = 0;
        bytes = 0;
      }
    }
    if (count > 0) {
      exchange.put(piece, new Batch(Arrays.copyOf(batch, count), count, bytes));
    }
  }
}
