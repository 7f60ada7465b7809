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

import com.google.common.collect.ImmutableList;
import java.util.List;

/** What a bare loop does with the bytes of a snapshot. */
enum Floor {
  PARSE("lengths of entries read, keys and values skipped", Question.COUNT),
  DECODE("every value decoded, sums over all states", Question.SCAN),
  ITERATE("RocksDB opened, every key and value fetched", Question.COUNT, Question.SCAN);

  private final String title;
  private final ImmutableList<Question> questions;

  Floor(String title, Question... questions) {
    this.title = title;
    this.questions = ImmutableList.copyOf(questions);
  }

  /** What cannot be answered faster than this. */
  List<Question> questions() {
    return questions;
  }

  String title() {
    return title;
  }

  /** Those that make sense for a form. */
  static List<Floor> of(SnapshotForm form) {
    return form == SnapshotForm.ROCKSDB ? List.of(ITERATE) : List.of(PARSE, DECODE);
  }
}
