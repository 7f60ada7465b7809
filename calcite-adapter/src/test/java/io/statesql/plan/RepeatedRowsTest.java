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

import io.statesql.ScanContext;
import io.statesql.format.model.RowCursor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RepeatedRowsTest {
  private final AtomicInteger opened = new AtomicInteger();
  private final AtomicInteger closed = new AtomicInteger();

  @Test
  void rowsThatFitAreReadTwiceAtMost() {
    RepeatedRows rows = new RepeatedRows(scan -> three(), 1 << 10);
    for (int i = 0; i < 5; i++) {
      assertThat(numbers(rows)).containsExactly(1, 2, 3);
    }
    assertThat(opened).hasValue(2);
    assertThat(closed).hasValue(2);
  }

  @Test
  void othersAreReadEachTime() {
    RepeatedRows rows = new RepeatedRows(scan -> three(), 1);
    for (int i = 0; i < 5; i++) {
      assertThat(numbers(rows)).containsExactly(1, 2, 3);
    }
    assertThat(opened).as("once to find that they do not fit").hasValue(6);
    assertThat(closed).hasValue(6);
  }

  private static List<Object> numbers(RepeatedRows rows) {
    List<Object> numbers = new ArrayList<>();
    try (RowCursor cursor = rows.open(ScanContext.unattended())) {
      while (cursor.next()) {
        numbers.add(cursor.row()[0]);
      }
    }
    return numbers;
  }

  private RowCursor three() {
    opened.incrementAndGet();
    return new RowCursor() {
      private int number;

      @Override
      public boolean next() {
        return ++number <= 3;
      }

      @Override
      public Object[] row() {
        return new Object[] {number};
      }

      @Override
      public void close() {
        closed.incrementAndGet();
      }
    };
  }
}
