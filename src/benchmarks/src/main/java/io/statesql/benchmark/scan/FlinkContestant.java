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
import java.util.stream.Collectors;

/** Flink's State Processor API. */
record FlinkContestant(Programs programs, int warmUpSeconds, int runs) implements Contestant {
  private static final String MAIN = "io.statesql.benchmark.flink.AskPeer";

  @Override
  public Measured once(BenchmarkSnapshot snapshot, Question question)
      throws IOException, InterruptedException {
    ProcessRun run = ask(snapshot, question, 0, 1);
    String sums = Answer.ofLines(run.output()).get(0).sums();
    return new Measured(new Answer(run.nanos(), sums), run.peakMemory());
  }

  @Override
  public List<Answer> warm(BenchmarkSnapshot snapshot, Question question)
      throws IOException, InterruptedException {
    return Answer.last(runs, ask(snapshot, question, warmUpSeconds, runs).output());
  }

  private ProcessRun ask(BenchmarkSnapshot snapshot, Question question, int seconds, int times)
      throws IOException, InterruptedException {
    String keys =
        question.keys(snapshot.keys()).mapToObj(String::valueOf).collect(Collectors.joining("\n"));
    return programs.flink(
        MAIN,
        List.of(
            snapshot.path().toString(),
            snapshot.form().backend(),
            question.peerName(),
            Programs.temporary(keys).toString(),
            String.valueOf(seconds),
            String.valueOf(times)));
  }
}
