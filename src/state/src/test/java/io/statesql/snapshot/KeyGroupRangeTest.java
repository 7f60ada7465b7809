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
package io.statesql.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeyGroupRangeTest {
  @ParameterizedTest
  @CsvSource({"1, 1", "128, 3", "128, 128", "1000, 7", "32768, 1000"})
  void keyGroupsAreDividedAsFlinkDividesThem(int maxParallelism, int parallelism) {
    for (int subtask = 0; subtask < parallelism; subtask++) {
      var range =
          KeyGroupRangeAssignment.computeKeyGroupRangeForOperatorIndex(
              maxParallelism, parallelism, subtask);
      var found = KeyGroupRange.ofSubtask(subtask, parallelism, maxParallelism);
      assertThat(found.start()).isEqualTo(range.getStartKeyGroup());
      assertThat(found.end()).isEqualTo(range.getEndKeyGroup());
    }
  }
}
