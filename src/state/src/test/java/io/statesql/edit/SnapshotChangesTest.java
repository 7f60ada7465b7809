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
package io.statesql.edit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import io.statesql.HostContext;
import io.statesql.StateSqlException;
import io.statesql.format.model.EntryAddress;
import io.statesql.format.model.EntryChange;
import io.statesql.format.model.KeyedChange;
import io.statesql.snapshot.Bytes;
import io.statesql.snapshot.KeyGroupRange;
import io.statesql.snapshot.OperatorId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Changes are the same in memory and on the disk, in whatever number of runs. */
class SnapshotChangesTest {
  private static final String STATE = "v";
  private static final int CHANGES = 4000;
  private static final int KEYS = 1500;
  private static final int KEY_GROUPS = 8;
  private static final int COPY_EVERY = 500;

  @TempDir private Path folder;

  /** Budgets for everything, for a few runs, and for hundreds that are merged again and again. */
  @ParameterizedTest
  @ValueSource(longs = {1L << 30, 200_000, 3000})
  void areWhatWasPutLast(long budget) {
    Random random = new Random(budget);
    TreeMap<EntryAddress, EntryChange> model = new TreeMap<>();
    Map<OperatorChanges, Map<EntryAddress, EntryChange>> copies = new LinkedHashMap<>();
    try (SnapshotChanges all = new SnapshotChanges(HostContext.ofThisProcess(), budget)) {
      OperatorChanges changes = all.operator(OperatorId.ofUid("operator"));
      for (int i = 1; i <= CHANGES; i++) {
        EntryAddress address = address(random.nextInt(KEYS));
        EntryChange change =
            random.nextInt(4) == 0
                ? EntryChange.REMOVE
                : new EntryChange.Put(bytes("value " + i + "x".repeat(random.nextInt(50))));
        model.put(address, change);
        changes.change(STATE, address, change);
        if (i % COPY_EVERY == 0) {
          copies.put(changes.asOfNow(), new TreeMap<>(model));
        }
      }
      assertAre(changes, model);
      copies.forEach(SnapshotChangesTest::assertAre);
    }
  }

  /** Those of the first statement are taken as they are, later ones are put over them. */
  @ParameterizedTest
  @ValueSource(longs = {1L << 30, 3000})
  void ofStatementsMakeUpATransaction(long budget) {
    Random random = new Random(budget);
    TreeMap<EntryAddress, EntryChange> model = new TreeMap<>();
    OperatorId operator = OperatorId.ofUid("operator");
    try (SnapshotChanges transaction = new SnapshotChanges(HostContext.ofThisProcess(), budget)) {
      for (int i = 0; i < 3; i++) {
        try (SnapshotChanges statement = new SnapshotChanges(HostContext.ofThisProcess(), budget)) {
          for (int j = 0; j < CHANGES / 8; j++) {
            EntryAddress address = address(random.nextInt(KEYS));
            EntryChange change = new EntryChange.Put(bytes("value " + i + "." + j));
            model.put(address, change);
            statement.operator(operator).change(STATE, address, change);
          }
          transaction.takeAll(statement);
          assertThat(statement.isEmpty()).isTrue();
        }
        assertAre(transaction.operator(operator), model);
      }
    }
  }

  /** The work folder cannot be made, as on a disk without room: none of the statement stays. */
  @ParameterizedTest
  @ValueSource(ints = {10, CHANGES})
  void ofAStatementThatCannotBeMergedNothingIsTaken(int ofStatement) throws IOException {
    long budget = 200_000;
    OperatorId operator = OperatorId.ofUid("operator");
    TreeMap<EntryAddress, EntryChange> model = new TreeMap<>();
    try (SnapshotChanges transaction = new SnapshotChanges(HostContext.ofThisProcess(), budget);
        SnapshotChanges statement = new SnapshotChanges(HostContext.ofThisProcess(), budget)) {
      TreeMap<EntryAddress, EntryChange> later = new TreeMap<>();
      put(transaction, operator, 500, "first", model);
      put(statement, operator, ofStatement, "x".repeat(10_000 / ofStatement), later);
      put(statement, operator, 1, "y".repeat(190_000), later);
      System.setProperty("statesql.work-dir", Files.createFile(folder.resolve("file")).toString());
      try {
        assertThatThrownBy(() -> transaction.takeAll(statement))
            .isInstanceOf(StateSqlException.class);
        assertAre(transaction.operator(operator), model);
        assertAre(statement.operator(operator), later);
      } finally {
        System.clearProperty("statesql.work-dir");
      }
      transaction.takeAll(statement);
      model.putAll(later);
      assertAre(transaction.operator(operator), model);
    }
  }

  private static void put(
      SnapshotChanges changes,
      OperatorId operator,
      int keys,
      String value,
      Map<EntryAddress, EntryChange> model) {
    for (int key = 0; key < keys; key++) {
      EntryChange change = new EntryChange.Put(bytes(value + key));
      changes.operator(operator).change(STATE, address(key % KEYS), change);
      model.put(address(key % KEYS), change);
    }
  }

  private static void assertAre(OperatorChanges changes, Map<EntryAddress, EntryChange> model) {
    List<KeyedChange> expected =
        model.entrySet().stream()
            .map(entry -> new KeyedChange(entry.getKey(), entry.getValue()))
            .toList();
    assertThat(ImmutableList.copyOf(changes.changes(STATE))).isEqualTo(expected);
    for (int group = 0; group < KEY_GROUPS; group++) {
      KeyGroupRange range = new KeyGroupRange(group, 2);
      assertThat(ImmutableList.copyOf(changes.changes(STATE, range)))
          .isEqualTo(
              expected.stream()
                  .filter(change -> range.contains(change.address().keyGroup()))
                  .toList());
      Predicate<EntryAddress> changed = changes.changedIn(STATE, group);
      for (int key = group; key < KEYS; key += KEY_GROUPS) {
        assertThat(changed.test(address(key))).isEqualTo(model.containsKey(address(key)));
      }
    }
    for (int key = 0; key < KEYS; key++) {
      assertThat(changes.find(STATE, address(key))).isEqualTo(model.get(address(key)));
    }
  }

  private static EntryAddress address(int key) {
    return EntryAddress.of(key % KEY_GROUPS, bytes("key " + key), bytes("\0"));
  }

  private static Bytes bytes(String text) {
    return Bytes.copyOf(text.getBytes(StandardCharsets.UTF_8));
  }
}
