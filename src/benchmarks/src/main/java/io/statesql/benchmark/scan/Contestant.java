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
import java.util.List;

/** Something that answers questions to a snapshot. */
interface Contestant {

  /** Answers a question in a process of its own, start and end included. */
  Measured once(BenchmarkSnapshot snapshot, Question question)
      throws IOException, InterruptedException;

  /**
   * Answers a question again and again in one process.
   *
   * @return the answers after the first ones, which warm up
   */
  List<Answer> warm(BenchmarkSnapshot snapshot, Question question)
      throws IOException, InterruptedException;

  /** The answer of a whole process, whose time is that of the process, and its peak of memory. */
  record Measured(Answer answer, long peakMemory) {}
}
