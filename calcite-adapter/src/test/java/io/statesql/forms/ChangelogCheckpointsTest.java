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
package io.statesql.forms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.primitives.Bytes;
import com.google.common.primitives.Longs;
import io.statesql.snapshot.KeyedStateHandle;
import io.statesql.snapshot.KeyedStateHandle.KeyGroups;
import io.statesql.snapshot.Snapshot;
import io.statesql.snapshot.SubtaskState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Array;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checkpoints with a changelog, as real jobs write them: what SQL shows is what the job held. */
class ChangelogCheckpointsTest {
  private static final String OPERATOR = "changes";

  /** In which no key of the job lies. */
  private static final int FREE_KEY_GROUP = 0;

  @TempDir private Path folder;

  static List<String> names() {
    return ChangelogSnapshots.names();
  }

  @ParameterizedTest
  @MethodSource("names")
  void holdWhatTheJobHeld(String name) throws Exception {
    ChangelogSnapshots snapshots = ChangelogSnapshots.copy(name, folder);
    try (Connection checkpoint = connect(snapshots.checkpoint());
        Connection savepoint = connect(snapshots.savepoint())) {
      List<String> tables = tables(savepoint);

      assertThat(tables(checkpoint)).isEqualTo(tables).hasSize(10);
      for (String table : tables) {
        assertThat(rows(checkpoint, table))
            .as("%s of %s", table, name)
            .isNotEmpty()
            .containsExactlyInAnyOrderElementsOf(rows(savepoint, table));
      }
    }
  }

  /**
   * Bases of two subtasks cover parts of one file; in it the one's last is followed by the other.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "flink-2.3-hashmap-memory-rescaled",
        "flink-2.3-hashmap-memory-compressed-rescaled"
      })
  void areDamagedIfNoKeyGroupFollowsThoseOfABase(String name) throws Exception {
    ChangelogSnapshots snapshots = ChangelogSnapshots.copy(name, folder);
    KeyGroups behind = bases(snapshots.checkpoint()).get(1);
    Path file = snapshots.file(behind.delegate());
    byte[] bytes = Files.readAllBytes(file);
    bytes[(int) behind.offsets().get(0)] ^= 0x40;
    Files.write(file, bytes);

    try (Connection connection = connect(snapshots.checkpoint())) {
      assertThatThrownBy(() -> count(connection, "names"))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("Operator \"changes\", subtask ")
          .hasMessageContaining(file.getFileName() + " is damaged at");
    }
  }

  /** The heap backend stores no lengths: what stands behind the value there cannot be read. */
  @Test
  void nameTheClassOfAValueInTheBaseOfWhichNothingIsKnown() throws Exception {
    ChangelogSnapshots snapshots =
        ChangelogSnapshots.copy("flink-2.3-hashmap-memory-rescaled", folder);
    Path file = snapshots.file(bases(snapshots.checkpoint()).get(0).delegate());
    String text = Files.readString(file, StandardCharsets.ISO_8859_1);
    int name = text.lastIndexOf("changelog.Shape$Circle");
    Files.writeString(
        file,
        text.substring(0, name) + "changelog.Unknown" + text.substring(name + 17),
        StandardCharsets.ISO_8859_1);

    try (Connection connection = connect(snapshots.checkpoint())) {
      assertThat(tables(connection)).contains("shape", "shapes", "average");
      assertThatThrownBy(() -> count(connection, "keyed_state"))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("58S02"))
          .hasMessageContaining("A value is of the class io.statesql.changelog.Unknown");
    }
  }

  /** It would be a key more, and its changes would be missing from the right one. */
  @Test
  void areDamagedIfAChangeIsOfAKeyOfAnotherKeyGroup() throws Exception {
    ChangelogSnapshots snapshots = ChangelogSnapshots.copy("flink-2.3-hashmap-filesystem", folder);
    byte[] key = Longs.toByteArray(7);
    byte[] other = key.clone();
    other[0] = 64;
    assertThat(keyGroup(other)).isNotEqualTo(keyGroup(key));
    for (Path file : snapshots.changes()) {
      byte[] bytes = Files.readAllBytes(file);
      int at = Bytes.indexOf(bytes, key);
      if (at >= 0) {
        System.arraycopy(other, 0, bytes, at, other.length);
        Files.write(file, bytes);
      }
    }

    try (Connection connection = connect(snapshots.checkpoint())) {
      assertThat(tables(connection))
          .anySatisfy(
              table ->
                  assertThatThrownBy(() -> count(connection, table))
                      .isInstanceOf(SQLException.class)
                      .hasMessageContaining("a key of key group " + keyGroup(other))
                      .hasMessageContaining(" stands in key group " + keyGroup(key)));
    }
  }

  /** The file begins with a flag, and then the number of key groups of which it has changes. */
  @Test
  void areDamagedIfChangesAreMissing() throws Exception {
    ChangelogSnapshots snapshots = ChangelogSnapshots.copy("flink-2.3-hashmap-filesystem", folder);
    Path file = changesOfJob(snapshots);
    byte[] bytes = Files.readAllBytes(file);
    bytes[Integer.BYTES] = (byte) (bytes[Integer.BYTES] / 2);
    Files.write(file, bytes);

    assertNoTableIsShown(snapshots, "the logged changes have ");
  }

  @Test
  void areDamagedIfChangesAreOfAKeyGroupThatIsNone() throws Exception {
    ChangelogSnapshots snapshots = ChangelogSnapshots.copy("flink-2.3-hashmap-filesystem", folder);
    Path file = changesOfJob(snapshots);
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
    int at = placeOfKeyGroup(bytes, keyGroup(Longs.toByteArray(7)));
    bytes.putInt(at, bytes.getInt(at) + (1 << 24));
    Files.write(file, bytes.array());

    assertNoTableIsShown(snapshots, "which the operator does not have");
  }

  /** Those of a wrong key group may be the missing ones of a right one. */
  @Test
  void areDamagedIfAChangeThatIsPassedOverIsOfAnotherKeyGroup() throws Exception {
    ChangelogSnapshots snapshots = ChangelogSnapshots.copy("flink-2.3-hashmap-filesystem", folder);
    Path file = changesOfJob(snapshots);
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
    bytes.putInt(placeOfKeyGroup(bytes, keyGroup(Longs.toByteArray(7))), FREE_KEY_GROUP);
    Files.write(file, bytes.array());

    try (Connection connection = connect(snapshots.checkpoint())) {
      assertThatThrownBy(() -> count(connection, "names WHERE state_key = 7"))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("stands in key group " + FREE_KEY_GROUP);
    }
  }

  private static Path changesOfJob(ChangelogSnapshots snapshots) throws IOException {
    return snapshots.changes().stream()
        .filter(file -> Bytes.indexOf(read(file), Longs.toByteArray(7)) >= 0)
        .findFirst()
        .orElseThrow();
  }

  /** Where the number of a key group stands in the first set of changes of a file. */
  private static int placeOfKeyGroup(ByteBuffer file, int keyGroup) {
    int at = 1 + Integer.BYTES;
    while (file.getInt(at + Integer.BYTES) != keyGroup) {
      int changes = file.getInt(at);
      at += 2 * Integer.BYTES;
      for (; changes > 0; changes--) {
        at += Integer.BYTES + file.getInt(at);
      }
    }
    return at + Integer.BYTES;
  }

  private static byte[] read(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void assertNoTableIsShown(ChangelogSnapshots snapshots, String reason)
      throws IOException, SQLException {
    try (Connection connection = connect(snapshots.checkpoint())) {
      for (String table : List.of("keyed_state", "timers", "names", "\"count\"")) {
        assertThatThrownBy(() -> count(connection, table))
            .isInstanceOf(SQLException.class)
            .hasMessageContaining("Operator \"changes\"")
            .hasMessageContaining(reason);
      }
    }
  }

  private static int keyGroup(byte[] key) {
    return io.statesql.type.KeyGroups.of(Long.hashCode(Longs.fromByteArray(key)), 16);
  }

  private static List<KeyGroups> bases(Path checkpoint) {
    return Snapshot.open(checkpoint.toString()).metadata().operators().stream()
        .flatMap(operator -> operator.subtasks().stream())
        .map(SubtaskState::managedKeyedState)
        .filter(KeyedStateHandle.Changelog.class::isInstance)
        .flatMap(handle -> ((KeyedStateHandle.Changelog) handle).materialized().stream())
        .map(KeyGroups.class::cast)
        .toList();
  }

  private static Connection connect(Path snapshot) throws SQLException {
    return DriverManager.getConnection("jdbc:statesql:snapshot=" + snapshot);
  }

  private static long count(Connection connection, String table) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet results =
            statement.executeQuery("SELECT COUNT(*) FROM \"" + OPERATOR + "\"." + table)) {
      results.next();
      return results.getLong(1);
    }
  }

  private static List<String> tables(Connection connection) throws SQLException {
    return column(
        connection.getMetaData().getTables(null, schema(connection), "%", null), "TABLE_NAME");
  }

  /** Metadata of Flink 1 does not hold the uid. */
  private static String schema(Connection connection) throws SQLException {
    return column(
            connection.getMetaData().getTables(null, null, "keyed_state", null), "TABLE_SCHEM")
        .get(0);
  }

  /**
   * All but the fields of shapes: a checkpoint has no serializer for a subclass that was first seen
   * after its base, and shows the bytes.
   */
  private static List<String> columns(Connection connection, String table) throws SQLException {
    if (table.startsWith("shape")) {
      return List.of("state_key", "key_group");
    }
    ResultSet all = connection.getMetaData().getColumns(null, schema(connection), table, "%");
    return column(all, "COLUMN_NAME").stream()
        .filter(name -> !name.startsWith("shape"))
        .map(name -> '"' + name + '"')
        .toList();
  }

  private static List<String> column(ResultSet results, String name) throws SQLException {
    List<String> values = new ArrayList<>();
    try (results) {
      while (results.next()) {
        values.add(results.getString(name));
      }
    }
    return values;
  }

  /** Each row by the names of its columns that hold a value. */
  private static List<Map<String, String>> rows(Connection connection, String table)
      throws SQLException {
    List<Map<String, String>> rows = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet results =
            statement.executeQuery(
                "SELECT "
                    + String.join(", ", columns(connection, table))
                    + " FROM \""
                    + OPERATOR
                    + "\".\""
                    + table
                    + '"')) {
      while (results.next()) {
        Map<String, String> row = new TreeMap<>();
        for (int i = 1; i <= results.getMetaData().getColumnCount(); i++) {
          Object value = results.getObject(i);
          if (value != null) {
            row.put(results.getMetaData().getColumnLabel(i), text(value));
          }
        }
        rows.add(row);
      }
    }
    return rows;
  }

  private static String text(Object value) throws SQLException {
    if (value instanceof Map<?, ?> map) {
      return new TreeMap<>(map).toString();
    }
    return value instanceof Array array
        ? Arrays.deepToString((Object[]) array.getArray())
        : String.valueOf(value);
  }
}
