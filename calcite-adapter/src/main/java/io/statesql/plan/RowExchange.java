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
import io.statesql.StateSqlException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Rows on their way from the threads that read pieces to the one that takes the rows, which gets
 * them piece by piece. Holds rows up to a number of bytes; a thread that has more waits. The piece
 * whose rows are taken can always go on, and since pieces are begun in order it is always one that
 * some thread reads: nobody waits for ever.
 *
 * <p>{@link #stop} ends all waiting, as does the cancellation. Safe for use by many threads.
 */
final class RowExchange {
  /** How soon one who waits notices that the statement is canceled or over its time limit. */
  private static final long POLL_MILLIS = 50;

  private final Cancellation statement;
  private final long limit;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Piece[] pieces;

  /** Bytes of all rows that wait. */
  private long bytes;

  /** The next piece that no thread has begun. */
  private int next;

  /** The piece whose rows are taken. */
  private int head;

  private volatile boolean stopped;
  private @Nullable RuntimeException closeFailure;

  /**
   * @param count how many pieces there are
   * @param limit of the rows that wait, in bytes
   * @param statement is asked while someone waits
   */
  RowExchange(int count, long limit, Cancellation statement) {
    this.pieces = Stream.generate(Piece::new).limit(count).toArray(Piece[]::new);
    this.limit = limit;
    this.statement = statement;
  }

  /** Rows of one piece. */
  static final class Batch {
    private final Object @Nullable [][] rows;
    private final long count;
    private final long bytes;

    /**
     * @param rows null if only their number counts
     * @param bytes that they take
     */
    Batch(Object @Nullable [][] rows, long count, long bytes) {
      this.rows = rows;
      this.count = count;
      this.bytes = bytes;
    }

    long count() {
      return count;
    }

    /** The rows from one on; not where only their number counts. */
    List<Object[]> rowsFrom(long index) {
      return Arrays.asList(rows).subList((int) index, rows.length);
    }

    /** One of the rows; not where only their number counts. */
    Object[] row(long index) {
      return rows[(int) index];
    }
  }

  /** What was read of a piece, and how it ended. */
  private static final class Piece {
    private final Deque<Batch> batches = new ArrayDeque<>();
    private boolean ended;
    private @Nullable Throwable failure;
  }

  /** Tells whoever reads to stop when the rows are not wanted any more. */
  Cancellation cancellation() {
    return () -> {
      statement.check();
      if (stopped) {
        throw new StateSqlException(ErrorCode.CANCELED, "The rows of a scan are not needed.");
      }
    };
  }

  /** The next piece for a thread to read, or -1 if there is none. */
  int begin() {
    lock.lock();
    try {
      return stopped || next >= pieces.length ? -1 : next++;
    } finally {
      lock.unlock();
    }
  }

  /** Hands over rows of a piece; waits until there is room. */
  void put(int piece, Batch batch) {
    lock.lock();
    try {
      while (!stopped && !hasRoom(piece, batch)) {
        await();
      }
      if (!stopped) {
        pieces[piece].batches.add(batch);
        bytes += batch.bytes;
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  private boolean hasRoom(int piece, Batch batch) {
    return bytes + batch.bytes <= limit || (piece == head && pieces[piece].batches.isEmpty());
  }

  /**
   * Says that all rows of a piece are handed over.
   *
   * @param failure why there are no more, or null if it was read to its end
   */
  void end(int piece, @Nullable Throwable failure) {
    lock.lock();
    try {
      pieces[piece].ended = true;
      pieces[piece].failure = failure;
      if (failure != null) {
        // What comes behind is not going to be taken.
        next = pieces.length;
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Remembers that a thread could not close what it had open. */
  void closingFailed(RuntimeException failure) {
    lock.lock();
    try {
      if (closeFailure == null) {
        closeFailure = failure;
      } else {
        closeFailure.addSuppressed(failure);
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes rows of the first piece that has any left; waits for them.
   *
   * @return null after the last rows of the last piece
   */
  @Nullable Batch take() {
    lock.lock();
    try {
      while (head < pieces.length) {
        Piece piece = pieces[head];
        Batch batch = piece.batches.poll();
        if (batch != null) {
          bytes -= batch.bytes;
          changed.signalAll();
          return batch;
        }
        if (piece.failure instanceof Error error) {
          throw error;
        } else if (piece.failure != null) {
          throw (RuntimeException) piece.failure;
        } else if (piece.ended) {
          pieces[head] = null;
          head++;
          changed.signalAll();
        } else {
          await();
        }
      }
      return null;
    } finally {
      lock.unlock();
    }
  }

  /** Waits for a while; whoever calls this looks again whether what it waits for is true. */
  @SuppressWarnings("WaitNotInLoop") // the callers have the loop
  private void await() {
    try {
      statement.check();
      changed.await(POLL_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StateSqlException(ErrorCode.CANCELED, "The statement was interrupted.", e);
    }
  }

  /** Says that no more rows are wanted. */
  void stop() {
    lock.lock();
    try {
      stopped = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** What a thread could not close; null if all was closed. To be asked when they have ended. */
  @Nullable RuntimeException closeFailure() {
    lock.lock();
    try {
      return closeFailure;
    } finally {
      lock.unlock();
    }
  }
}
