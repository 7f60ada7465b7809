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

import static io.statesql.forms.LongTexts.HEAP;
import static io.statesql.forms.LongTexts.size;
import static io.statesql.forms.SmallHeapStatements.COMMIT;
import static io.statesql.forms.SmallHeapStatements.REPEATED;
import static org.assertj.core.api.Assertions.assertThat;

import io.statesql.forms.ManyKeys.Form;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A heap of 64 MB is enough to change all rows, and to remove most of them, of a snapshot ten times
 * as large, and of one with more keys than would fit into it: changes go to the disk.
 */
@Tag("proof")
class SmallHeapEditsTest {
  private static final int SMALL_KEYS = 400_000;

  @TempDir private Path folder;

  private final List<String> statements = new ArrayList<>();
  private final List<String> expected = new ArrayList<>();

  @ParameterizedTest
  @EnumSource(names = {"CANONICAL", "HEAP", "ROCKSDB"})
  void editsOfASnapshotTenTimesLargerThanTheHeap(Form form) throws Exception {
    Path snapshot = LongTexts.write(folder.resolve("state"), form, 128, LongTexts.LONG);
    assertThat(size(folder.resolve("state"))).isGreaterThan(10 * HEAP);

    long keys = LongTexts.KEYS;
    long sum = keys * (keys - 1) / 2;
    changeAll(keys, sum);
    expect("SELECT count(*) FROM %snames WHERE list_value LIKE '%%!'", 2 * keys);
    expect("SELECT min(char_length(list_value)) FROM %snames", LongTexts.LONG + 1L);
    deleteMost(keys, sum);
    assertAreAsExpected(snapshot);
  }

  @ParameterizedTest
  @EnumSource(names = {"CANONICAL", "HEAP", "ROCKSDB"})
  void editsOfMoreKeysThanWouldFitIntoTheHeap(Form form) throws Exception {
    Path snapshot = ManyKeys.write(folder.resolve("state"), form, SMALL_KEYS, 128);

    long keys = SMALL_KEYS;
    long sum = keys * (keys - 1) / 2;
    changeAll(keys, sum);
    deleteMost(keys, sum);
    assertAreAsExpected(snapshot);
  }

  /** Each sees what the others of the transaction changed, most of which is on the disk. */
  @ParameterizedTest
  @EnumSource(names = {"CANONICAL", "HEAP", "ROCKSDB"})
  void manyStatementsOnTopOfChangesOnTheDisk(Form form) throws Exception {
    long keys = LongTexts.KEYS;
    Path snapshot = ManyKeys.write(folder.resolve("state"), form, LongTexts.KEYS, 128);

    long sum = keys * (keys - 1) / 2;
    expect("UPDATE %stotal SET state_value = state_value + 1", keys);
    expect(
        "INSERT INTO %stotal (state_key, state_value)"
            + " SELECT 'new-' || CAST(n AS VARCHAR), 1 FROM (VALUES (CAST(? AS INTEGER))) AS v (n)",
        REPEATED);
    seenBeforeAndAfterACommit("SELECT sum(state_value) FROM %stotal", sum + keys + REPEATED);
    expect("SELECT count(*) FROM %stotal WHERE state_key LIKE 'new-%%'", REPEATED);
    assertAreAsExpected(snapshot);
  }

  private void changeAll(long keys, long sum) {
    expect("UPDATE %stotal SET state_value = state_value + 1", keys);
    expect("UPDATE %snames SET list_value = list_value || '!'", 2 * keys);
    seenBeforeAndAfterACommit("SELECT sum(state_value) FROM %stotal", sum + keys);
    expect("SELECT count(*) FROM %snames WHERE list_value LIKE '%%!'", 2 * keys);
  }

  /** Nine of ten keys go, and of the tenth one element and one map entry. */
  private void deleteMost(long keys, long sum) {
    expect("DELETE FROM %snames WHERE list_index = 0", keys);
    expect("DELETE FROM %scounts WHERE map_key = 'out'", keys);
    expect("DELETE FROM %skeyed_state WHERE MOD(total, 10) <> 1", keys / 10 * 9);
    seenBeforeAndAfterACommit("SELECT count(*) FROM %skeyed_state", keys / 10);
    expect("SELECT sum(state_value) FROM %stotal", sum / 10 - keys / 10 * 9 / 2 + keys / 10);
    expect("SELECT count(*) FROM %snames WHERE list_value LIKE '%%!'", keys / 10);
    expect("SELECT count(*) FROM %scounts WHERE map_key = 'in'", keys / 10);
    expect("SELECT count(*) FROM %scounts", keys / 10);
  }

  private void seenBeforeAndAfterACommit(String query, long value) {
    expect(query, value);
    statements.add(COMMIT);
    expect(query, value);
  }

  private void expect(String statement, long value) {
    statements.add(statement);
    expected.add(statement + ": " + value);
  }

  private void assertAreAsExpected(Path snapshot) throws Exception {
    List<String> args = new ArrayList<>(List.of(snapshot.toString(), folder + "/edits"));
    args.addAll(statements);
    List<String> values =
        LongTexts.run(folder, SmallHeapStatements.class, args.toArray(String[]::new)).stream()
            .filter(line -> line.matches("\\d+"))
            .toList();
    List<String> results = new ArrayList<>();
    for (String statement : statements) {
      if (!statement.equals(COMMIT)) {
        results.add(statement + ": " + values.get(results.size()));
      }
    }
    assertThat(results).isEqualTo(expected);
  }
}
