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

/** StateSQL: from the shell, and over JDBC. */
record StateSqlContestant(Programs programs, int warmUpSeconds, int runs) implements Contestant {

  @Override
  public Measured once(BenchmarkSnapshot snapshot, Question question)
      throws IOException, InterruptedException {
    ProcessRun run =
        programs.launcher(
            List.of(
                snapshot.path().toString(),
                "--silent=true",
                "--outputformat=csv",
                "--showHeader=false",
                "-e",
                question.sql(snapshot.keys())));
    return new Measured(new Answer(run.nanos(), String.join("\n", run.output())), run.peakMemory());
  }

  @Override
  public List<Answer> warm(BenchmarkSnapshot snapshot, Question question)
      throws IOException, InterruptedException {
    return ask(snapshot, question.sql(snapshot.keys()), List.of());
  }

  /** As {@link #warm}, by a statement that was prepared once for any key. */
  List<Answer> prepared(BenchmarkSnapshot snapshot, long key)
      throws IOException, InterruptedException {
    return ask(snapshot, Question.SUMS_OF_ONE_KEY, List.of(String.valueOf(key)));
  }

  private List<Answer> ask(BenchmarkSnapshot snapshot, String sql, List<String> parameter)
      throws IOException, InterruptedException {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                snapshot.path().toString(),
                Programs.temporary(sql).toString(),
                String.valueOf(warmUpSeconds),
                String.valueOf(runs)));
    arguments.addAll(parameter);
    return Answer.last(runs, programs.ours(AskStateSql.class, arguments).output());
  }
}
