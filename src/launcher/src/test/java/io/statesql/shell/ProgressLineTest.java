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
package io.statesql.shell;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.statesql.ReadCounters;
import io.statesql.edit.CommitWatch.Written;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class ProgressLineTest {
  private final ByteArrayOutputStream written = new ByteArrayOutputStream();
  private final PrintStream terminal = new PrintStream(written, true, UTF_8);
  private final AtomicReference<ReadCounters> last = new AtomicReference<>(new ReadCounters());

  @Test
  void tellsTheShareOfKeyGroupsAndTheRate() {
    ReadCounters counters = new ReadCounters();
    counters.addBytes(30 << 20);
    assertThat(ProgressLine.text(counters, 2_000)).isEqualTo("30 MB read, 15.0 MB/s, 2 s");

    counters.expectKeyGroups(4);
    counters.addKeyGroup();
    assertThat(ProgressLine.text(counters, 2_000))
        .isEqualTo("[#####               ] 25 % of key groups, 30 MB read, 15.0 MB/s, 2 s");
  }

  @Test
  void tellsTheShareOfASavepointThatIsWritten() throws Exception {
    Written half = new Written(30 << 20, 60 << 20);
    assertThat(ProgressLine.text(half, 2_000))
        .isEqualTo("[##########          ] 50 % of the savepoint, 30 MB written, 2 s");

    try (ProgressLine line = ProgressLine.begin(terminal, last::get, () -> Optional.of(half), 1)) {
      long deadline = System.nanoTime() + 300_000_000_000L;
      while (written.size() == 0 && System.nanoTime() < deadline) {
        Thread.sleep(5);
      }
      assertThat(line).isNotNull();
    }
    assertThat(written.toString(UTF_8)).contains("50 % of the savepoint");
  }

  @Test
  void aShortStatementShowsNothing() {
    try (ProgressLine line = ProgressLine.begin(terminal, last::get, Optional::empty, 60_000)) {
      last.set(new ReadCounters());
      assertThat(line).isNotNull();
    }
    assertThat(written.size()).isZero();
  }

  @Test
  void aLongStatementShowsALineThatIsErasedAtTheEnd() throws Exception {
    try (ProgressLine line = ProgressLine.begin(terminal, last::get, Optional::empty, 1)) {
      last.set(new ReadCounters());
      long deadline = System.nanoTime() + 300_000_000_000L;
      while (written.size() == 0 && System.nanoTime() < deadline) {
        Thread.sleep(5);
      }
      assertThat(line).isNotNull();
    }
    assertThat(written.toString(UTF_8)).contains("MB read").endsWith("\r\u001B[K");
  }
}
