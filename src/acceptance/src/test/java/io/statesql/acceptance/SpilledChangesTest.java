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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A transaction with so many changes that they do not stay in memory. */
class SpilledChangesTest {
  @TempDir private Path folder;

  /** It shows no wrong row: it cannot be read to its end. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anOpenResultOfChangesOnTheDiskEndsWithItsTransaction(boolean commits) throws Exception {
    int texts = 40;
    String pages = "\"page-visits\".\"last-page\"";
    try (EditedSample sample = EditedSample.in(folder);
        Statement reader = sample.connection().createStatement();
        PreparedStatement insert =
            sample
                .connection()
                .prepareStatement(
                    "INSERT INTO " + pages + " (state_key, state_value) VALUES (?, ?)")) {
      for (int i = 0; i < texts; i++) {
        insert.setString(1, "text " + i);
        insert.setString(2, longText("text " + i));
        assertThat(insert.executeUpdate()).isEqualTo(1);
      }
      assertThat(openChanges()).isPositive();
      List<String> keys = new ArrayList<>();
      ResultSet rows =
          reader.executeQuery("SELECT * FROM " + pages + " WHERE state_key LIKE 'text %'");
      assertThatThrownBy(
              () -> {
                while (rows.next()) {
                  String key = rows.getString("state_key");
                  assertThat(rows.getString("state_value")).isEqualTo(longText(key));
                  keys.add(key);
                  if (keys.size() == 2) {
                    end(sample.connection(), commits);
                  }
                }
              })
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("57014"))
          .hasMessageContaining("The transaction that this result belongs to has ended")
          .hasMessageContaining("run the query again");
      assertThat(keys).doesNotHaveDuplicates().hasSizeBetween(2, texts - 1);

      rows.close();
      assertThat(openChanges()).isZero();
      assertThat(sample.rows("SELECT COUNT(*) FROM " + pages + " WHERE state_key LIKE 'text %'"))
          .containsExactly(commits ? "" + texts : "0");
    }
  }

  private static String longText(String key) {
    return (key + '.').repeat(250_000);
  }

  private static void end(Connection connection, boolean commits) throws SQLException {
    if (commits) {
      connection.commit();
    } else {
      connection.rollback();
    }
  }

  /** How many files of changes this process has open, where the system tells. */
  private static long openChanges() throws IOException {
    long count = 0;
    try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
      for (Path file : files.toList()) {
        boolean isLink = Files.isSymbolicLink(file);
        count += isLink && Files.readSymbolicLink(file).toString().contains("/changes") ? 1 : 0;
      }
    }
    return count;
  }
}
