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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.statesql.Cancellation;
import io.statesql.ErrorCode;
import io.statesql.ReadCounters;
import io.statesql.ScanContext;
import io.statesql.ScanLimits;
import io.statesql.StateSqlException;
import io.statesql.format.model.RowCursor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Pieces of numbers: piece p has the rows p * {@link #ROWS}, p * {@link #ROWS} + 1, and so on. */
@Timeout(600)
class ParallelRowsTest {
  private static final int ROWS = 10_000;
  private static final int THREADS = 3;

  private final AtomicInteger opened = new AtomicInteger();
  private final AtomicInteger closed = new AtomicInteger();
  private final AtomicInteger read = new AtomicInteger();
  private final AtomicBoolean canceled = new AtomicBoolean();

  @AfterEach
  void nothingIsLeft() {
    assertThat(closed).hasValue(opened.get());
    assertThat(scanThreads()).isEmpty();
  }

  @Test
  void rowsComeInTheOrderOfThePieces() {
    try (RowCursor rows = open(7, piece -> {}, 1 << 20, false)) {
      assertThat(numbers(rows)).isEqualTo(IntStream.range(0, 7 * ROWS).boxed().toList());
    }
  }

  /** Whatever is in the queue already, the piece whose rows are taken can go on. */
  @Test
  void memoryForNoRowIsEnough() {
    try (RowCursor rows = open(7, piece -> {}, 1, false)) {
      assertThat(numbers(rows)).hasSize(7 * ROWS).isSorted();
    }
  }

  @Test
  void countedRowsAreHandedOverAsNumbers() {
    try (RowCursor rows = open(7, piece -> {}, 1 << 20, true)) {
      int count = 0;
      while (rows.next()) {
        assertThat(rows.row()).hasSize(1);
        count++;
      }
      assertThat(count).isEqualTo(7 * ROWS);
    }
  }

  @Test
  void theFirstRowsTakeNoThreadAndReadNoMoreThanTheyGive() {
    try (RowCursor rows = open(7, piece -> {}, 1 << 20, false)) {
      for (int i = 0; i < 10; i++) {
        assertThat(rows.next()).isTrue();
        assertThat(rows.row()).containsExactly(i);
      }
      assertThat(scanThreads()).isEmpty();
      assertThat(read).hasValue(10);
    }
  }

  /** As one thread would: the rows before it come first. */
  @Test
  void aFailureComesWhereItsRowWouldBe() {
    IntConsumer failing =
        number -> {
          if (number == 3 * ROWS + 5) {
            throw new StateSqlException(ErrorCode.MALFORMED_SNAPSHOT, "damaged at 5");
          }
        };
    try (RowCursor rows = open(50, failing, 1 << 20, false)) {
      List<Integer> numbers = new ArrayList<>();
      assertThatThrownBy(() -> addNumbers(rows, numbers)).hasMessage("damaged at 5");
      assertThat(numbers).hasSizeBetween(3 * ROWS, 3 * ROWS + 5).isSorted();
      assertThat(opened.get()).as("later pieces are not begun").isLessThan(20);
    }
  }

  @Test
  void anErrorOfTheMachineIsPassedOn() {
    IntConsumer failing =
        number -> {
          if (number == ROWS) {
            throw new StackOverflowError("deep");
          }
        };
    try (RowCursor rows = open(5, failing, 1 << 20, false)) {
      assertThatThrownBy(() -> numbers(rows)).isInstanceOf(StackOverflowError.class);
    }
  }

  @Test
  void closingEndsThreadsThatWaitForRoom() throws Exception {
    RowCursor rows = open(20, piece -> {}, 1, false);
    for (int i = 0; i < ROWS; i++) {
      assertThat(rows.next()).isTrue();
    }
    assertThat(scanThreads()).isNotEmpty();
    assertEndsSoon(rows::close);
  }

  @Test
  void closingEndsThreadsThatFindNoRow() throws Exception {
    CountDownLatch stuck = new CountDownLatch(THREADS);
    RowCursor rows = open(20, number -> stick(number, stuck), 1 << 20, false);
    while (rows.next() && (int) rows.row()[0] < ROWS - 1) {
      assertThat(rows.row()).hasSize(1);
    }
    assertThat(stuck.await(5, TimeUnit.MINUTES)).isTrue();
    assertEndsSoon(rows::close);
  }

  @Test
  void cancellationEndsTheThreadThatWaitsForRows() throws Exception {
    CountDownLatch stuck = new CountDownLatch(THREADS);
    try (RowCursor rows = open(20, number -> stick(number, stuck), 1 << 20, false)) {
      CompletableFuture<Void> taking = CompletableFuture.runAsync(() -> numbers(rows));
      assertThat(stuck.await(5, TimeUnit.MINUTES)).isTrue();
      canceled.set(true);
      assertEndsSoon(() -> assertThatThrownBy(taking::join).hasMessageContaining("canceled"));
    }
  }

  /** As a piece of which no row meets a condition. */
  private void stick(int number, CountDownLatch stuck) {
    if (number >= ROWS && number % ROWS == 0) {
      stuck.countDown();
      while (true) {
        cancellationOfPiece.check();
        Thread.onSpinWait();
      }
    }
  }

  private volatile Cancellation cancellationOfPiece = Cancellation.NEVER;

  private RowCursor open(int pieces, IntConsumer beforeRow, long queuedBytes, boolean counted) {
    Cancellation statement =
        () -> {
          if (canceled.get()) {
            throw new StateSqlException(ErrorCode.CANCELED, "canceled");
          }
        };
    return new ParallelRows(
        IntStream.range(0, pieces).boxed().toList(),
        (piece, scan) -> {
          cancellationOfPiece = scan.cancellation();
          opened.incrementAndGet();
          return new Numbers(piece * ROWS, beforeRow);
        },
        new ScanContext(statement, new ReadCounters(), new ScanLimits(4 * queuedBytes, THREADS)),
        THREADS,
        counted ? ParallelRows.Wanted.COUNT : ParallelRows.Wanted.ROWS);
  }

  private static List<Integer> numbers(RowCursor rows) {
    List<Integer> numbers = new ArrayList<>();
    addNumbers(rows, numbers);
    return numbers;
  }

  private static void addNumbers(RowCursor rows, List<Integer> numbers) {
    while (rows.next()) {
      numbers.add((Integer) rows.row()[0]);
    }
  }

  private static void assertEndsSoon(Runnable action) throws Exception {
    CompletableFuture.runAsync(action).get(5, TimeUnit.MINUTES);
  }

  private static List<String> scanThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("statesql-scan"))
        .toList();
  }

  /** The rows of one piece. */
  private final class Numbers implements RowCursor {
    private final int end;
    private final IntConsumer beforeRow;
    private int number;

    Numbers(int start, IntConsumer beforeRow) {
      this.number = start - 1;
      this.end = start + ROWS;
      this.beforeRow = beforeRow;
    }

    @Override
    public boolean next() {
      number++;
      if (number == end) {
        return false;
      }
      beforeRow.accept(number);
      read.incrementAndGet();
      return true;
    }

    @Override
    public Object[] row() {
      return new Object[] {number};
    }

    @Override
    public void close() {
      closed.incrementAndGet();
    }
  }
}
