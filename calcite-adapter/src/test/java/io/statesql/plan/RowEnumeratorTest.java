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

import io.statesql.ErrorCode;
import io.statesql.ScanContext;
import io.statesql.StateSqlException;
import io.statesql.format.model.RowCursor;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RowEnumeratorTest {
  private final AtomicInteger open = new AtomicInteger();
  private final OpenScans statement = new OpenScans();

  @Test
  void givesTheRowsThatTheCursorHasPassedToo() {
    RowEnumerator rows = rows(new EndlessRows());
    for (int i = 0; i < 10; i++) {
      assertThat(rows.moveNext()).isTrue();
      assertThat(rows.current()).containsExactly(i);
    }
    assertThat(open).hasValue(1);
    rows.close();
    assertThat(open).hasValue(0);
    rows.close();
    assertThat(open).hasValue(0);
  }

  @Test
  void aMoveThatFailsFreesTheCursor() {
    RowEnumerator rows =
        rows(
            new EndlessRows() {
              @Override
              public boolean next() {
                throw new StateSqlException(ErrorCode.IO_ERROR, "The file is gone.");
              }
            });
    assertThatThrownBy(rows::moveNext).hasMessage("The file is gone.");
    assertThat(open).hasValue(0);
  }

  @Test
  void theEndOfTheStatementFreesAllScansAlsoIfOneFails() {
    RowEnumerator first = rows(new EndlessRows());
    RowEnumerator failing =
        rows(
            new EndlessRows() {
              @Override
              public void close() {
                super.close();
                throw new StateSqlException(ErrorCode.IO_ERROR, "The folder stays.");
              }
            });
    RowEnumerator last = rows(new EndlessRows());
    for (RowEnumerator rows : List.of(first, failing, last)) {
      assertThat(rows.moveNext()).isTrue();
    }
    assertThat(open).hasValue(3);
    assertThatThrownBy(statement::close).hasMessage("The folder stays.");
    assertThat(open).hasValue(0);
    statement.close();
    assertThatThrownBy(first::moveNext)
        .hasMessage("The result of the statement was closed.")
        .isInstanceOf(StateSqlException.class);
  }

  /** Whenever that happens, the reader hears that the result was closed, and nothing else. */
  @Test
  void anotherThreadMayCloseWhileRowsAreTaken() throws Exception {
    for (int round = 0; round < 300; round++) {
      RowEnumerator rows = rows(new EndlessRows());
      CountDownLatch reading = new CountDownLatch(1);
      CompletableFuture<Throwable> end =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  for (int i = 0; rows.moveNext(); i++) {
                    assertThat(rows.current()[0]).isEqualTo(i);
                    reading.countDown();
                  }
                  return new AssertionError("The endless rows have ended");
                } catch (Throwable e) {
                  return e;
                }
              });
      assertThat(reading.await(60, TimeUnit.SECONDS)).isTrue();
      rows.close();
      assertThat(end.get(60, TimeUnit.SECONDS))
          .isInstanceOfSatisfying(
              StateSqlException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CANCELED));
      assertThat(open).hasValue(0);
    }
  }

  private RowEnumerator rows(RowCursor cursor) {
    return new RowEnumerator(
        scan -> {
          open.incrementAndGet();
          return cursor;
        },
        ScanContext.unattended(),
        statement);
  }

  /** Numbers, of which two are at hand after each move. */
  private class EndlessRows implements RowCursor {
    private int next;

    @Override
    public boolean next() {
      next += 3;
      return true;
    }

    @Override
    public Object[] row() {
      return new Object[] {next - 3};
    }

    @Override
    public List<Object[]> takeReady() {
      return List.of(new Object[] {next - 2}, new Object[] {next - 1});
    }

    @Override
    public void close() {
      open.decrementAndGet();
    }
  }
}
