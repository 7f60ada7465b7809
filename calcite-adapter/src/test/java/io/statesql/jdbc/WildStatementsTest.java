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
package io.statesql.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.statesql.StateSqlAssert;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Whatever is typed works or is refused with the reason; nothing is an internal error. */
class WildStatementsTest {
  private static final List<String> UNHELPFUL =
      List.of("internal error", "java.", "org.apache", "null pointer");

  private static List<String> statements() {
    try {
      return Files.readAllLines(
              Path.of(
                  Objects.requireNonNull(
                          WildStatementsTest.class.getResource("wild-statements.sql"))
                      .getPath()))
          .stream()
          .filter(line -> !line.startsWith("--"))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void workOrAreRefusedWithTheReason() throws SQLException {
    List<String> unexplained = new ArrayList<>();
    try (Connection connection = StateSqlAssert.connect(ToyCatalogs::open, "snapshot=/toy")) {
      connection.setSchema("orders");
      for (String sql : statements()) {
        try (Statement statement = connection.createStatement();
            ResultSet rows = statement.executeQuery(sql)) {
          while (rows.next()) {
            rows.getString(1);
          }
        } catch (SQLException e) {
          String message = String.valueOf(e.getMessage());
          if (!String.valueOf(e.getSQLState()).matches("(0A|07|21|22|42).*")
              || UNHELPFUL.stream().anyMatch(message::contains)) {
            unexplained.add(sql + "\n  " + e.getSQLState() + ": " + message);
          }
        }
      }
    }
    assertThat(unexplained).isEmpty();
  }
}
