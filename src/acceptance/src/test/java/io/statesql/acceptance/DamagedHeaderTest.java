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

import io.statesql.StateSqlAssert;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is damaged before the entries is an error, and takes no rows away. */
class DamagedHeaderTest {
  private static final int KEYS = 40;
  private static final LongSerializer LONG = LongSerializer.INSTANCE;
  private static final List<String> TABLES =
      List.of("op.keyed_state", "op.\"total\"", "op.\"label\"", "op.\"parts\"");
  private static final Pattern FLINK_CLASS =
      Pattern.compile("org\\.apache\\.flink[\\w.]+Serializer[\\w$]+");

  @TempDir private Path folder;
  private byte[] sound;

  @BeforeEach
  void writeTwoSubtasks() throws Exception {
    TestSnapshot snapshot = TestSnapshot.create();
    for (int subtask = 0; subtask < 2; subtask++) {
      KeyGroupRange range = KeyGroupRange.of(subtask * 64, subtask * 64 + 63);
      snapshot
          .subtask("op", LONG, range)
          .valueState("total", LONG, values(range, key -> key * 10))
          .valueState("label", StringSerializer.INSTANCE, values(range, key -> "label " + key))
          .mapState("parts", LONG, LONG, values(range, key -> Map.of(key, 1L)));
    }
    sound = Files.readAllBytes(snapshot.write(folder).resolve("_metadata"));
    for (String table : TABLES) {
      assertThat(count(table)).as(table).isEqualTo(KEYS);
    }
  }

  private static <V> Map<Long, V> values(KeyGroupRange range, Function<Long, V> value) {
    return LongStream.range(0, KEYS)
        .boxed()
        .filter(key -> range.contains(KeyGroupRangeAssignment.assignToKeyGroup(key, 128)))
        .collect(Collectors.toMap(Function.identity(), value));
  }

  @Test
  void aWrongLetterInTheClassOfASerializerIsAnErrorOfEachStatement() throws Exception {
    String text = new String(sound, ISO_8859_1);
    var names = FLINK_CLASS.matcher(text);
    int classes = 0;
    while (names.find()) {
      byte[] damaged = sound.clone();
      damaged[(names.start() + names.end()) / 2] ^= 1;
      Files.write(folder.resolve("_metadata"), damaged);
      try (Connection connection = QueryResult.connect(folder)) {
        StateSqlAssert sql = StateSqlAssert.on(connection);
        sql.sql("SELECT COUNT(*) FROM op.keyed_state").throwsSql("XX001", "_metadata", "offset");
        sql.sql("SELECT * FROM op.\"total\"").throwsSql("XX001", "_metadata", "offset");
        assertThat(reasons(connection))
            .hasSize(1)
            .allSatisfy(r -> assertThat(r).contains("offset"));
      }
      classes++;
    }
    assertThat(classes).isGreaterThan(10);
  }

  /** Also where the name is no longer like any that is known. */
  @Test
  void aClassThatOneSubtaskAloneNamesIsDamage() throws Exception {
    String name = LONG.snapshotConfiguration().getClass().getName();
    String other = name.replace("org.apache.flink.api", "com.example.shop.our");
    int first = new String(sound, ISO_8859_1).indexOf(name);
    byte[] damaged = sound.clone();
    System.arraycopy(other.getBytes(ISO_8859_1), 0, damaged, first, name.length());
    Files.write(folder.resolve("_metadata"), damaged);

    try (Connection connection = QueryResult.connect(folder)) {
      StateSqlAssert.on(connection)
          .sql("SELECT COUNT(*) FROM op.\"total\"")
          .throwsSql("XX001", "_metadata", "subtask 0", other, "Long");
    }
  }

  @Test
  void zeroedBlocksTakeNoRowsAway() throws Exception {
    int errors = 0;
    for (int size : new int[] {4, 16, 64, 512}) {
      for (int start = 8; start < sound.length; start += Math.max(16, size)) {
        byte[] damaged = sound.clone();
        Arrays.fill(damaged, start, Math.min(sound.length, start + size), (byte) 0);
        Files.write(folder.resolve("_metadata"), damaged);
        for (String table : TABLES) {
          try {
            assertThat(count(table)).as("%s, %d zeros at %d", table, size, start).isEqualTo(KEYS);
          } catch (SQLException e) {
            assertThat(e.getSQLState()).as(e.getMessage()).isNotEqualTo("XX000");
            errors++;
          }
        }
      }
    }
    assertThat(errors).isGreaterThan(100);
  }

  private long count(String table) throws SQLException {
    try (Connection connection = QueryResult.connect(folder)) {
      return (Long)
          QueryResult.of(connection, "SELECT COUNT(*) FROM " + table, ResultSet::getObject)
              .rows()
              .get(0)
              .get(0);
    }
  }

  private static List<String> reasons(Connection connection) throws SQLException {
    return QueryResult.of(connection, "SELECT reason FROM states", ResultSet::getString)
        .rows()
        .stream()
        .map(row -> (String) row.get(0))
        .toList();
  }
}
