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

/** Runs bare loops in processes of their own. */
record Floors(Programs programs, int warmUps, int runs) {

  /** The first answer, which is cold, and the warm ones. */
  Result measure(Floor floor, BenchmarkSnapshot snapshot) throws IOException, InterruptedException {
    ProcessRun run =
        programs.ours(
            RunFloor.class,
            List.of(
                snapshot.path().toString(),
                floor.name(),
                String.valueOf(snapshot.form() == SnapshotForm.COMPRESSED),
                String.valueOf(warmUps + runs)));
    List<Answer> answers = Answer.ofLines(run.output());
    return new Result(answers.get(0), answers.subList(warmUps, answers.size()));
  }

  record Result(Answer cold, List<Answer> warm) {}
}
