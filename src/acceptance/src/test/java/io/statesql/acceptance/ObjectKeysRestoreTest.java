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

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Keys that Kryo writes and SQL adds, with the job's jar: by their text, and by bytes of another
 * savepoint. The job finds them after a restore at another parallelism.
 */
@Tag("proof")
class ObjectKeysRestoreTest {
  private static final Path JAR =
      ProjectFiles.ROOT.resolve("sql-examples/target/statesql-examples-0.1.0-SNAPSHOT.jar");
  private static final int OLD = 6;
  private static final int FIRST_NEW = 100;
  private static final int FIRST_COPIED = 110;
  private static final int END = 120;

  @TempDir private Path folder;

  @Test
  void theJobFindsTheKeys() throws Exception {
    Path target = runJob("--parallelism=2", "--from=0", "--to=" + OLD);
    Path source = runJob("--parallelism=1", "--from=" + FIRST_COPIED, "--to=" + END);
    edit(target, source);
    Path restored =
        runJob(
            "--parallelism=3",
            "--from=0",
            "--to=" + END,
            "--restore-from=" + target.resolveSibling(target.getFileName() + "-edited-1"));

    try (Connection connection = QueryResult.connect(restored)) {
      for (String type : List.of("kryo", "kryo-uuid")) {
        assertThat(
                EditedSample.rows(
                    connection,
                    "SELECT state_value, COUNT(*) FROM \"by-"
                        + type
                        + "\".\"count\" GROUP BY state_value ORDER BY 1"))
            .as(type)
            .containsExactly(
                "1, " + (FIRST_NEW - OLD),
                "2, " + OLD,
                "501, " + (FIRST_COPIED - FIRST_NEW),
                "1002, " + (END - FIRST_COPIED));
      }
    }
  }

  private static void edit(Path target, Path source) throws Exception {
    String url =
        "jdbc:statesql:snapshot=target=" + target + ",source=" + source + ";jars=" + jars();
    try (Connection connection = DriverManager.getConnection(url)) {
      connection.setAutoCommit(false);
      for (int n = FIRST_NEW; n < FIRST_COPIED; n++) {
        String day = LocalDate.of(1970, 1, 1).plusDays(n).toString();
        String ticket = "{\"code\":\"code-%dß\",\"seat\":%d,\"day\":\"%s\"}".formatted(n, n, day);
        insert(connection, "kryo", "(state_key, state_value) VALUES ('" + ticket + "', 500)", 1);
        String uuid = new UUID(n, 1).toString();
        insert(connection, "kryo-uuid", "(state_key, state_value) VALUES ('" + uuid + "', 500)", 1);
      }
      for (String type : List.of("kryo", "kryo-uuid")) {
        String copied =
            "(state_key_bytes, state_value) SELECT state_key_bytes, state_value + 1000"
                + " FROM source.\"by-"
                + type
                + "\".\"count\"";
        insert(connection, type, copied, END - FIRST_COPIED);
      }
      connection.commit();
    }
  }

  /** That of the job, and of Flink's formats the one that registers a class with Kryo. */
  private static String jars() throws IOException {
    Path classPath = JAR.resolveSibling("class-path.txt");
    return Stream.of(Files.readString(classPath).strip().split(":", -1))
        .filter(jar -> jar.contains("/flink-avro-"))
        .collect(Collectors.joining(",", JAR + ",", ""));
  }

  private static void insert(Connection connection, String type, String rows, int count)
      throws Exception {
    try (Statement statement = connection.createStatement()) {
      String sql = "INSERT INTO target.\"by-" + type + "\".\"count\" " + rows;
      assertThat(statement.executeUpdate(sql)).as(sql).isEqualTo(count);
    }
  }

  private Path runJob(String... more) throws IOException, InterruptedException {
    List<String> options = new ArrayList<>(List.of("--backend=rocksdb", "--target=" + folder));
    options.addAll(List.of(more));
    return JobRun.savepoint(
        FlinkVersion.V2_3, "io.statesql.examples.keys.KeysJob", folder.resolve("job.log"), options);
  }
}
