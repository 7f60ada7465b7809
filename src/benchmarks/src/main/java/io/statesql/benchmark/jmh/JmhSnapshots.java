package io.statesql.benchmark.jmh;

import io.statesql.snapshot.OperatorState;
import io.statesql.snapshot.Snapshot;
import java.nio.file.Files;
import java.nio.file.Path;

/** The snapshots that {@code src/benchmarks/run KEYS} wrote, for JMH. */
final class JmhSnapshots {
  private static final String KEYS = "statesql.benchmark.keys";

  private JmhSnapshots() {}

  static Path path(String form) {
    Path folder =
        Path.of(
            System.getProperty("statesql.root"),
            "src/benchmarks/target/snapshots",
            form + "-" + System.getProperty(KEYS, "1000000"));
    if (!Files.exists(folder)) {
      throw new IllegalStateException(
          "There is no " + folder + ": src/benchmarks/run KEYS writes it; -D" + KEYS + "=KEYS");
    }
    return folder;
  }

  /** The only operator with keyed state. */
  static OperatorState users(Snapshot snapshot) {
    return snapshot.metadata().operators().stream()
        .filter(operator -> "users".equals(operator.uidOrId()))
        .findFirst()
        .orElseThrow();
  }
}
