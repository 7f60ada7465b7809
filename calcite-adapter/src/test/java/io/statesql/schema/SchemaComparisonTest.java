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
package io.statesql.schema;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.statesql.StateSqlAssert;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The states of two snapshots of a job, beside each other. */
class SchemaComparisonTest {
  private static final Path SAMPLE = Path.of("..", "sql-examples", "snapshots", "orders");

  /** Two constants of an enum as a serializer snapshot holds them. */
  private static final String OLD_ORDER = "\0\3APP\0\5STORE";

  private static final String NEW_ORDER = "\0\5STORE\0\3APP";

  @TempDir private Path folder;

  @Test
  void anotherOrderOfTheConstantsOfAnEnumIsADifference() throws Exception {
    try (Stream<Path> files = Files.list(SAMPLE)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        reorder(file, folder.resolve(file.getFileName()));
      }
    }
    try (Connection connection =
        DriverManager.getConnection(
            "jdbc:statesql:snapshot=before=" + SAMPLE + ",after=" + folder)) {
      StateSqlAssert.on(connection)
          .sql(
              "SELECT schema_name, state_name, o.value_type = n.value_type, o.enum_constants,"
                  + " n.enum_constants"
                  + " FROM before.sys.states AS o JOIN after.sys.states AS n"
                  + " USING (schema_name, state_name)"
                  + " WHERE o.schema_hash <> n.schema_hash ORDER BY schema_name, state_name")
          .returns(
              row("customers", "last-channel"),
              row("largest-order-per-hour", "window-contents"),
              row("order-batches", "window-contents"),
              row("shopping-sessions", "window-contents"));
      StateSqlAssert.on(connection)
          .sql("SELECT COUNT(*) FROM states WHERE schema_hash IS NULL")
          .returns("0");
    }
  }

  private static String row(String schema, String state) {
    String channel = "io.statesql.examples.orders.model.Channel";
    return String.join(
        ", ", schema, state, "true", channel + "[WEB, APP, STORE]", channel + "[WEB, STORE, APP]");
  }

  private static void reorder(Path from, Path to) throws IOException {
    String bytes = Files.readString(from, ISO_8859_1);
    Files.writeString(to, bytes.replace(OLD_ORDER, NEW_ORDER), ISO_8859_1);
  }
}
