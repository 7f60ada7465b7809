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
import io.statesql.ScanContext;
import io.statesql.SharedResources;
import io.statesql.format.model.RowCursor;
import io.statesql.plan.RowExchange.Batch;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The rows of pieces that several threads read, in the order of the pieces, as one thread would
 * give them.
 *
 * <p>The thread that asks for rows reads the first ones itself: a scan of few rows needs no other,
 * and one that ends early has read no more than it gave. Then others take over. They are gone when
 * this is closed, and with them what they had open.
 */
public final class ParallelRows implements RowCursor {
  private static final int ROWS_BEFORE_THREADS = 4096;

  /** Of the rows that wait, how much a batch may be: small enough for each thread to have some. */
  private static final int BATCHES_PER_THREAD = 8;

  private static final long MAX_BATCH_BYTES = 1 << 18;

  /** What the rows are for. */
  public enum Wanted {
    /** Their values. */
    ROWS,
    /** Their number; there is one column, whose values mean nothing. */
    COUNT,
    /** What was made of many others, so that even the first takes long. */
    FOLDS
  }

  private static final Object[] COUNTED_ROW = new Object[1];

  private final IntFunction<RowCursor> opener;
  private final ScanContext scan;
  private final int threads;
  private final Wanted wanted;
  private final SharedResources shared = SharedResources.keepingIdle();
  private final RowExchange exchange;
  private final List<Thread> workers = new ArrayList<>();

  /** The first piece, as long as the thread that asks for rows reads it. */
  private @Nullable RowCursor first;

  private int rowsOfFirst;
  private boolean started;
  private @Nullable Batch batch;
  private long inBatch;

  /**
   * Nothing is opened before the first row is asked for.
   *
   * @param <P> a piece
   * @param opener opens a piece to be read within a context; called by any thread
   * @param scan what the whole scan works within
   * @param threads how many read
   */
  public <P> ParallelRows(
      List<P> pieces,
      BiFunction<P, ScanContext, RowCursor> opener,
      ScanContext scan,
      int threads,
      Wanted wanted) {
    this.exchange =
        new RowExchange(pieces.size(), scan.limits().queuedBytes(), scan.cancellation());
    this.scan = scan;
    this.threads = threads;
    this.wanted = wanted;
    ScanContext ofPiece =
        new ScanContext(
            exchange.cancellation(),
            scan.counters(),
            scan.limits().withParallelism(threads),
            shared);
    this.opener = piece -> opener.apply(pieces.get(piece), ofPiece);
  }

  @Override
  public boolean next() {
    if (!started) {
      if (wanted != Wanted.FOLDS && nextOfFirst()) {
        return true;
      }
      start();
    }
    inBatch++;
    while (batch == null || inBatch == batch.count()) {
      batch = exchange.take();
      inBatch = 0;
      if (batch == null) {
        return false;
      }
    }
    return true;
  }

  @Override
  public List<Object[]> takeReady() {
    if (batch == null || wanted == Wanted.COUNT) {
      return List.of();
    }
    List<Object[]> ready = batch.rowsFrom(inBatch + 1);
    inBatch = batch.count() - 1;
    return ready;
  }

  @Override
  public long passAll(Cancellation cancellation) {
    long passed = batch == null ? 0 : batch.count() - inBatch - 1;
    if (!started) {
      start();
    }
    for (Batch passing = exchange.take(); passing != null; passing = exchange.take()) {
      passed += passing.count();
    }
    batch = null;
    return passed;
  }

  private boolean nextOfFirst() {
    if (first == null) {
      first = opener.apply(exchange.begin());
    }
    if (rowsOfFirst == ROWS_BEFORE_THREADS) {
      return false;
    }
    rowsOfFirst++;
    if (first.next()) {
      return true;
    }
    RowCursor ended = first;
    first = null;
    ended.close();
    exchange.end(0, null);
    return false;
  }

  private void start() {
    started = true;
    long batchBytes =
        Math.min(MAX_BATCH_BYTES, scan.limits().queuedBytes() / BATCHES_PER_THREAD / threads);
    for (int i = 0; i < threads; i++) {
      Thread worker =
          new Thread(
              new PieceReader(exchange, opener, wanted == Wanted.COUNT, batchBytes, first),
              "statesql-scan-" + (i + 1));
      worker.setDaemon(true);
      worker.start();
      workers.add(worker);
      first = null;
    }
  }

  @Override
  public Object[] row() {
    if (!started) {
      return first.row();
    }
    return wanted == Wanted.COUNT ? COUNTED_ROW : batch.row(inBatch);
  }

  /** Waits until no thread reads any more, which each notices from row to row. */
  @Override
  public void close() {
    exchange.stop();
    boolean interrupted = false;
    for (Thread worker : workers) {
      interrupted |= joinUninterruptibly(worker);
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    workers.clear();
    try (shared) {
      if (first != null) {
        RowCursor open = first;
        first = null;
        open.close();
      }
    }
    RuntimeException failure = exchange.closeFailure();
    if (failure != null) {
      throw failure;
    }
  }

  private static boolean joinUninterruptibly(Thread thread) {
    boolean interrupted = false;
    while (true) {
      try {
        thread.join();
        return interrupted;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
  }
}
