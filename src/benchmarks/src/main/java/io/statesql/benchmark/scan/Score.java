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
package io.statesql.benchmark.scan;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * How a contestant did with one question to one snapshot: medians.
 *
 * @param processNanos of a whole process
 * @param processMemory its peak, in bytes
 * @param warmNanos of the question alone in a warm process
 * @param isRight whether each answer was the expected one
 */
record Score(long processNanos, long processMemory, long warmNanos, boolean isRight) {

  static Score of(
      Contestant contestant,
      BenchmarkSnapshot snapshot,
      Question question,
      String expected,
      int processes)
      throws IOException, InterruptedException {
    List<Contestant.Measured> measured = new ArrayList<>();
    for (int i = 0; i < processes; i++) {
      measured.add(contestant.once(snapshot, question));
    }
    List<Answer> warm = contestant.warm(snapshot, question);
    return new Score(
        Medians.of(measured.stream().map(run -> run.answer().nanos()).toList()),
        Medians.of(measured.stream().map(Contestant.Measured::peakMemory).toList()),
        Medians.of(warm.stream().map(Answer::nanos).toList()),
        measured.stream().allMatch(run -> run.answer().sums().equals(expected))
            && warm.stream().allMatch(answer -> answer.sums().equals(expected)));
  }
}
