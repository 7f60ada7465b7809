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

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Timers that old RocksDB jobs kept as raw keyed state, of which nothing but bytes tells. */
class DamagedRawTimersTest {
  private static final Path SOUND =
      ProjectFiles.FLINK_TESTS.resolve(
          "new-stateful-udf-migration-itcase-flink1.9-rocksdb-savepoint");

  /** What each key group of timers begins with. */
  private static final String MARK = "\u00f1\u00cd\u0085\u009f";

  @TempDir private Path folder;

  @Test
  void aWrongMarkTakesNoTimersAway() throws Exception {
    assertErrors(damagedAt(MARK, 2));
  }

  @Test
  void aWrongVersionOrServiceIsAnError() throws Exception {
    assertErrors(damagedAt(MARK, 6));
    assertErrors(damagedAt(MARK, 10));
  }

  @Test
  void aWrongLetterInASerializerIsAnErrorWhereverItStands() throws Exception {
    assertErrors(damagedAt("LongSerializer$LongSerializerSnapshot", 3));
  }

  /** Puts a wrong bit into every third occurrence of a text, which are the timers' too. */
  private List<byte[]> damagedAt(String text, int offset) throws Exception {
    byte[] metadata = Files.readAllBytes(SOUND.resolve("_metadata"));
    String content = new String(metadata, ISO_8859_1);
    int firstMark = content.indexOf(MARK);
    assertThat(firstMark).as("there are raw timers").isPositive();
    List<byte[]> variants = new ArrayList<>();
    int found = 0;
    for (int i = content.indexOf(text, firstMark); i >= 0; i = content.indexOf(text, i + 1)) {
      if (found++ % 3 == 0 && content.lastIndexOf(MARK, i) > i - 1000) {
        byte[] damaged = metadata.clone();
        damaged[i + offset] ^= 4;
        variants.add(damaged);
      }
    }
    return variants;
  }

  private void assertErrors(List<byte[]> variants) throws Exception {
    assertThat(variants).isNotEmpty();
    SoundTables sound = SoundTables.of(SOUND);
    List<String> timers =
        sound.names().stream().filter(table -> table.endsWith("\"timers\"")).toList();
    assertThat(timers).isNotEmpty();
    for (byte[] variant : variants) {
      Files.write(folder.resolve("_metadata"), variant);
      int errors = 0;
      try (Connection connection = QueryResult.connect(folder)) {
        for (String table : timers) {
          try {
            assertThat(SoundTables.count(connection, table)).isEqualTo(sound.rows(table).size());
            assertThat(SoundTables.read(connection, table)).hasSameSizeAs(sound.rows(table));
          } catch (SQLException e) {
            assertThat(e.getSQLState()).as(e.getMessage()).isEqualTo("XX001");
            assertThat(e.getMessage()).contains("_metadata").doesNotContain("Exception", "java.");
            errors++;
          }
        }
      }
      // What holds no timers has no table, and only its place in the list of states.
      assertThat(errors + damagedStates()).isPositive();
    }
  }

  private int damagedStates() throws SQLException {
    try (Connection connection = QueryResult.connect(folder)) {
      return QueryResult.of(
              connection,
              "SELECT reason FROM states WHERE reason LIKE '%is damaged at offset%'",
              ResultSet::getString)
          .rows()
          .size();
    }
  }
}
