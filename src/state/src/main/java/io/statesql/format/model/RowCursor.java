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
package io.statesql.format.model;

import io.statesql.Cancellation;
import java.io.Closeable;
import java.util.List;

/**
 * Rows, one after the other. Not thread-safe; whoever opened it closes it, also after an exception.
 */
public interface RowCursor extends Closeable {

  /**
   * Moves to the next row.
   *
   * @return false after the last one
   * @throws io.statesql.StateSqlException if the state is damaged or cannot be had
   */
  boolean next();

  /** The present row, a new array for each. */
  Object[] row();

  /**
   * Moves after rows that are at hand, for which nothing more needs to be read.
   *
   * @return the rows after the present one, in their order; not to be changed
   */
  default List<Object[]> takeReady() {
    return List.of();
  }

  /** The key group that the present row is of; below 0 where rows are of none. */
  default int keyGroup() {
    return -1;
  }

  /** How many rows of the table the present row stands for. */
  default long tableRows() {
    return 1;
  }

  /**
   * Moves after the last row without a look at those on the way.
   *
   * @param cancellation is asked within what may take long
   * @return how many rows that passes
   */
  default long passAll(Cancellation cancellation) {
    long passed = 0;
    while (next()) {
      cancellation.check();
      passed++;
    }
    return passed;
  }

  /** Frees files and memory. */
  @Override
  void close();
}
