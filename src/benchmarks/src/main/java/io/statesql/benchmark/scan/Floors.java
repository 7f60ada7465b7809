package io.statesql.benchmark.scan;

import java.io.IOException;
import java.util.List;

/** Runs bare loops in processes of their own. */
record Floors(Programs programs, int warmUps, int runs) {

  /** The first answer, which is cold, and the warm ones. */
  Result measure(Floor floor, BenchmarkSnapshot snapshot)
      throws IOException, InterruptedException {
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
