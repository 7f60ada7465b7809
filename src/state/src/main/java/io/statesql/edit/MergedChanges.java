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
package io.statesql.edit;

import com.google.common.collect.Iterators;
import com.google.common.collect.PeekingIterator;
import io.statesql.format.model.EntryAddress;
import io.statesql.format.model.KeyedChange;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.PriorityQueue;

/** Sorted changes made one: of several for an address, that of the first source. */
final class MergedChanges implements Iterator<KeyedChange> {
  private record Source(int age, PeekingIterator<KeyedChange> changes) {
    EntryAddress address() {
      return changes.peek().address();
    }
  }

  private final PriorityQueue<Source> sources =
      new PriorityQueue<>(Comparator.comparing(Source::address).thenComparingInt(Source::age));

  /**
   * @param newestFirst each sorted, with no address twice
   */
  MergedChanges(List<Iterator<KeyedChange>> newestFirst) {
    for (int age = 0; age < newestFirst.size(); age++) {
      add(new Source(age, Iterators.peekingIterator(newestFirst.get(age))));
    }
  }

  private void add(Source source) {
    if (source.changes().hasNext()) {
      sources.add(source);
    }
  }

  @Override
  public boolean hasNext() {
    return !sources.isEmpty();
  }

  @Override
  public KeyedChange next() {
    if (sources.isEmpty()) {
      throw new NoSuchElementException();
    }
    KeyedChange newest = advance();
    while (!sources.isEmpty() && sources.peek().address().equals(newest.address())) {
      advance();
    }
    return newest;
  }

  private KeyedChange advance() {
    Source source = sources.remove();
    KeyedChange change = source.changes().next();
    add(source);
    return change;
  }
}
