package io.statesql.benchmark.scan;

import java.util.List;

/**
 * One answer to a question.
 *
 * @param sums the numbers of its only row, parted by commas
 */
record Answer(long nanos, String sums) {

  /** Reads what programs print that ask a question several times: nanoseconds and sums. */
  static List<Answer> ofLines(List<String> lines) {
    return lines.stream()
        .map(line -> line.split("\t", -1))
        .map(fields -> new Answer(Long.parseLong(fields[0]), fields[1]))
        .toList();
  }

  String line() {
    return nanos + "\t" + sums;
  }
}
