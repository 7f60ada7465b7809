package io.statesql.benchmark.scan;

import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;

/** Flink's State Processor API. */
record FlinkContestant(Programs programs, int warmUps, int runs) implements Contestant {
  private static final String MAIN = "io.statesql.benchmark.flink.AskPeer";

  @Override
  public Measured once(BenchmarkSnapshot snapshot, Question question)
      throws IOException, InterruptedException {
    ProcessRun run = ask(snapshot, question, 1);
    String sums = Answer.ofLines(run.output()).get(0).sums();
    return new Measured(new Answer(run.nanos(), sums), run.peakMemory());
  }

  @Override
  public List<Answer> warm(BenchmarkSnapshot snapshot, Question question)
      throws IOException, InterruptedException {
    ProcessRun run = ask(snapshot, question, warmUps + runs);
    return Answer.ofLines(run.output()).subList(warmUps, warmUps + runs);
  }

  private ProcessRun ask(BenchmarkSnapshot snapshot, Question question, int times)
      throws IOException, InterruptedException {
    String keys =
        question
            .keys(snapshot.keys())
            .mapToObj(String::valueOf)
            .collect(Collectors.joining("\n"));
    return programs.flink(
        MAIN,
        List.of(
            snapshot.path().toString(),
            snapshot.form().backend(),
            question.peerName(),
            Programs.temporary(keys).toString(),
            String.valueOf(times)));
  }
}
