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
package io.statesql.format.scan;

import io.statesql.ReadCounters;
import io.statesql.format.model.KeyedSplit;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** What is asked of one split. Not to be changed once made. */
public final class SplitScan {
  private final KeyedSplit split;
  private final BitSet states;
  private final BitSet keyGroups;
  private final @Nullable ElementMatcher[] matchers;
  private final ReadCounters counters;

  /**
   * @param states the numbers of the states whose elements are wanted
   * @param condition what is wanted of them
   * @param counters of what is read
   */
  public SplitScan(
      KeyedSplit split, BitSet states, ElementCondition condition, ReadCounters counters) {
    this.split = split;
    this.states = states;
    this.keyGroups = condition.keyGroups(split, states);
    this.matchers = new ElementMatcher[split.header().states().size()];
    states.stream()
        .forEach(id -> matchers[id] = condition.matcher(split, split.header().states().get(id)));
    this.counters = counters;
  }

  public KeyedSplit split() {
    return split;
  }

  public boolean wantsState(int id) {
    return states.get(id);
  }

  public BitSet states() {
    return states;
  }

  public boolean wantsKeyGroup(int keyGroup) {
    return keyGroups.get(keyGroup);
  }

  public BitSet keyGroups() {
    return keyGroups;
  }

  /** What is wanted of the elements of a state; null if all are. */
  public @Nullable ElementMatcher matcher(int stateId) {
    return matchers[stateId];
  }

  public ReadCounters counters() {
    return counters;
  }
}
