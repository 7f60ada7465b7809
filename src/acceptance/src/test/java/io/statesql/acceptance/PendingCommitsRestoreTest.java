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
package io.statesql.acceptance;

import static io.statesql.acceptance.EditedSample.rows;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What a sink with two phases had not committed when a savepoint was taken is committed once by the
 * job that is restored from an edit of it, nothing of it is lost, and the edit is there.
 */
@Tag("proof")
class PendingCommitsRestoreTest {
  private static final int PENDING = 50;
  private static final int END = 80;

  @TempDir private Path folder;

  /** The state that is edited is of an operator in the chain of the sink, and of one beside it. */
  @ParameterizedTest
  @CsvSource({"hashmap, CANONICAL, 2", "rocksdb, NATIVE, 3"})
  void areCommittedOnce(String backend, String format, int after) throws Exception {
    List<String> options = List.of("--backend=" + backend, "--format=" + format);
    Path source = run(options, 0, PENDING, "--hold");
    assertThat(committed()).isEmpty();

    Path edited = edit(source);
    Path last = run(options, PENDING, END, "--parallelism=" + after, "--restore-from=" + edited);

    assertThat(committed()).isEqualTo(LongStream.range(0, END).boxed().toList());
    try (Connection connection = QueryResult.connect(last)) {
      String perDigit = "SELECT state_key, state_value FROM %s.\"count\" WHERE state_key < 3";
      assertThat(rows(connection, perDigit.formatted("digits")))
          .containsExactlyInAnyOrder("0, 1008", "1, 3", "2, 8");
      assertThat(rows(connection, perDigit.formatted("\"other-digits\"")))
          .containsExactlyInAnyOrder("0, 8", "1, 8", "2, 503");
    }
  }

  private static Path edit(Path savepoint) throws Exception {
    try (Connection connection = QueryResult.connect(savepoint);
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      for (String sql :
          List.of(
              "UPDATE digits.\"count\" SET state_value = state_value + 1000 WHERE state_key = 0",
              "DELETE FROM digits.\"count\" WHERE state_key = 1",
              "UPDATE \"other-digits\".\"count\" SET state_value = 500 WHERE state_key = 2")) {
        assertThat(statement.executeUpdate(sql)).as(sql).isEqualTo(1);
      }
      connection.commit();
      return Path.of(rows(connection, "SELECT savepoint FROM sys.commits").get(0));
    }
  }

  /** The numbers, each as often as it was committed. */
  private List<Long> committed() throws IOException {
    try (Stream<Path> files = Files.list(ledger())) {
      List<Long> numbers = new ArrayList<>();
      for (Path file : files.toList()) {
        numbers.add(Long.valueOf(Files.readString(file)));
      }
      numbers.sort(null);
      return numbers;
    }
  }

  private Path ledger() {
    return folder.resolve("ledger");
  }

  private Path run(List<String> options, int from, int to, String... more)
      throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(options);
    all.add("--target=" + folder.resolve("savepoints"));
    all.add("--ledger=" + Files.createDirectories(ledger()));
    all.add("--from=" + from);
    all.add("--to=" + to);
    all.addAll(List.of(more));
    return JobRun.savepoint(
        FlinkVersion.V2_3, "io.statesql.examples.ledger.LedgerJob", folder.resolve("job.log"), all);
  }
}
