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
import io.statesql.StateSqlException;
import io.statesql.type.MalformedValueException;
import java.io.Closeable;
import java.util.BitSet;
import java.util.Optional;

/**
 * Walks the elements of one keyed split, key group by key group in rising order, in stored order
 * within each. Not thread-safe. Whoever opened it closes it, also after an exception.
 */
public interface KeyedElements extends Closeable {

  /**
   * Moves to the next element of a state that was asked for.
   *
   * @return false after the last one
   * @throws StateSqlException if the bytes are not what the format says, or cannot be had
   */
  boolean next();

  /** The present element, until {@link #next}. */
  KeyedElement element();

  /**
   * Moves after the last element. Of elements on the way, only where they end need be looked at.
   *
   * @param cancellation is asked within what may take long
   * @return how many elements that passes
   * @throws StateSqlException as {@link #next}
   */
  default long passAll(Cancellation cancellation) {
    long passed = 0;
    while (next()) {
      cancellation.check();
      passed++;
    }
    return passed;
  }

  /**
   * The wanted states of the present key group that are not come to any more once a part of the
   * present element cannot be decoded; empty if such a part can be passed over.
   */
  default Optional<BitSet> statesBehindFault() {
    return Optional.empty();
  }

  /** Says of a fault found in the present element where that is: file, operator, state, offset. */
  StateSqlException malformed(MalformedValueException fault);

  /** Closes the files. */
  @Override
  void close();
}
