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
package sqlline;

import static org.assertj.core.api.Assertions.assertThat;

import io.statesql.edit.CommitWatch;
import io.statesql.edit.Transaction;
import io.statesql.shell.ConnectUrl;
import io.statesql.shell.ResultOutput;
import io.statesql.shell.ShellRequest;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What Ctrl-C does while a commit writes. One that comes too late changes nothing; each test goes
 * on until one came in time.
 */
@Timeout(600)
class InterruptTest {
  private static final Path SAMPLE =
      Path.of("..", "..", "sql-examples", "snapshots", "orders").toAbsolutePath().normalize();

  private static final String UPDATE =
      "UPDATE \"orders-per-customer\".\"order-count\" SET state_value = state_value + 1";

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "true  |             | Canceling the statement; |",
        "false | !commit        | Canceling the commit;    | The commit was canceled; nothing was committed.",
        "false | !autocommit on | Canceling the commit;    | The commit was canceled; nothing was committed."
      })
  void endsACommit(boolean autoCommit, String command, String told, String failure)
      throws Exception {
    boolean inTime = false;
    for (int attempt = 0; !inTime; attempt++) {
      Path edits = Files.createDirectory(folder.resolve("edits-" + attempt));
      ByteArrayOutputStream messages = new ByteArrayOutputStream();
      List<String> statements =
          autoCommit ? List.of(UPDATE) : List.of("!autocommit off", UPDATE, command);
      StateSqlShell shell =
          new StateSqlShell(
              request(edits, statements),
              InputStream.nullInputStream(),
              new ResultOutput(new ByteArrayOutputStream()),
              messages);
      boolean succeeded = runAndInterrupt(shell);

      String text = messages.toString(StandardCharsets.UTF_8);
      assertThat(edits.resolve("orders-edited-1").toFile().exists()).as(text).isEqualTo(succeeded);
      if (!succeeded) {
        assertThat(edits).isEmptyDirectory();
        assertThat(text).contains(told);
        if (failure != null) {
          assertThat(text).contains(failure).contains("57014");
        }
      }
      inTime = !succeeded;
    }
  }

  private static ShellRequest request(Path edits, List<String> statements) {
    Properties properties = new Properties();
    properties.setProperty("snapshot", SAMPLE.toString());
    properties.setProperty("commitTo", edits.toString());
    return new ShellRequest(
        Optional.of(new ConnectUrl("jdbc:statesql:", Optional.empty(), properties)),
        Map.of(),
        List.of(),
        statements,
        Optional.empty(),
        "",
        edits);
  }

  /** Interrupts the shell when the commit has written something; tells whether all succeeded. */
  private static boolean runAndInterrupt(StateSqlShell shell) throws Exception {
    CompletableFuture<Boolean> run =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return shell.run();
              } catch (java.io.IOException e) {
                throw new java.io.UncheckedIOException(e);
              }
            });
    CommitWatch watch = null;
    while (!run.isDone() && (watch == null || watch.present().isEmpty())) {
      DatabaseConnection connection = shell.getDatabaseConnection();
      if (watch == null && connection != null && connection.connection != null) {
        watch = connection.connection.unwrap(Transaction.class).watch();
      }
    }
    shell.interrupt();
    return run.get(5, TimeUnit.MINUTES);
  }
}
