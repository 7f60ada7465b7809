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
