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

import java.util.List;

/**
 * One answer to a question.
 *
 * @param sums the numbers of its only row, parted by commas
 */
record Answer(long nanos, String sums) {

  /** Reads what programs print that ask a question several times: nanoseconds and sums. */
  static List<Answer> ofLines(List<String> lines) {
    return lines.stream()
        .map(line -> line.split("\t", -1))
        .map(fields -> new Answer(Long.parseLong(fields[0]), fields[1]))
        .toList();
  }

  /** The last answers of a program; those before warmed it up. */
  static List<Answer> last(int count, List<String> lines) {
    return ofLines(lines.subList(lines.size() - count, lines.size()));
  }

  String line() {
    return nanos + "\t" + sums;
  }
}
