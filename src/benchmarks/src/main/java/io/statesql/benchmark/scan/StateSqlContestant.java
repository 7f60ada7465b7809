package io.statesql.benchmark.scan;

import java.io.IOException;
import java.util.List;

/** StateSQL: from the shell, and over JDBC. */
record StateSqlContestant(Programs programs, int warmUps, int runs) implements Contestant {

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
    return new Measured(
        new Answer(run.nanos(), String.join("\n", run.output())), run.peakMemory());
  }

  @Override
  public List<Answer> warm(BenchmarkSnapshot snapshot, Question question)
      throws IOException, InterruptedException {
    ProcessRun run =
        programs.ours(
            AskStateSql.class,
            List.of(
                snapshot.path().toString(),
                Programs.temporary(question.sql(snapshot.keys())).toString(),
                String.valueOf(warmUps + runs)));
    return Answer.ofLines(run.output()).subList(warmUps, warmUps + runs);
  }
}
