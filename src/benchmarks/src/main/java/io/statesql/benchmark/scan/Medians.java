package io.statesql.benchmark.scan;

import java.util.List;

/** The middle of what was measured. */
final class Medians {
  private Medians() {}

  /** The median of a number of values, the lower one of two. */
  static long of(List<Long> values) {
    List<Long> sorted = values.stream().sorted().toList();
    return sorted.get((sorted.size() - 1) / 2);
  }
}
