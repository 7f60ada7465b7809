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
