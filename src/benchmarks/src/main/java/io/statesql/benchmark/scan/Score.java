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
