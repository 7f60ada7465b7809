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
package io.statesql.format.split;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import io.statesql.format.model.KeyedStateMeta;
import io.statesql.format.model.StateKind;
import io.statesql.golden.DecodedKeyedState;
import io.statesql.golden.GoldenFile;
import io.statesql.golden.GoldenState;
import io.statesql.snapshot.KeyedStateHandle;
import io.statesql.snapshot.OperatorState;
import io.statesql.snapshot.Snapshot;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Keyed state and timers of Flink's own test snapshots against what Flink restores from them. */
class GoldenKeyedStateTest {
  private static final Path SNAPSHOTS = Path.of("target", "flink-tests", "2.3.0");

  private static final String WITHOUT_KEY_SERIALIZER =
      "new-stateful-udf-migration-itcase-flink1.17-hashmap-checkpoint";
  private static final Set<String> OPERATORS_WITHOUT_KEY_SERIALIZER =
      Set.of("d5c8b168c6cbfe8c507a10f88b325243", "dab25811652d3d4983a30c6e4afacb1c");

  static Stream<String> snapshots() throws IOException {
    return GoldenFile.snapshots().stream().filter(name -> !keyedOperators(open(name)).isEmpty());
  }

  @ParameterizedTest
  @MethodSource("snapshots")
  void readsWhatFlinkRestores(String name) throws IOException {
    Snapshot snapshot = open(name);
    GoldenFile golden = GoldenFile.of(name);
    for (OperatorState operator : keyedOperators(snapshot)) {
      String id = operator.id().hex();

      assertThat(DecodedKeyedState.of(snapshot, operator).stream().map(Objects::toString))
          .as("%s, operator %s", name, id)
          .containsExactlyInAnyOrderElementsOf(
              golden.entries().stream()
                  .filter(entry -> entry.operator().equals(id) && entry.keyGroup() != null)
                  .map(Objects::toString)
                  .toList());
      assertThat(stateNames(snapshot, operator))
          .as("%s, operator %s", name, id)
          .containsExactlyInAnyOrderElementsOf(
              golden.states().stream()
                  .filter(state -> state.operator().equals(id) && isKeyed(state))
                  .map(GoldenState::name)
                  .toList());
    }
  }

  /** The log holds no serializer of the keys, the operators have no timers, and a job brings it. */
  @Test
  void saysThatAChangelogLacksTheSerializerOfItsKeys() {
    Snapshot snapshot = open(WITHOUT_KEY_SERIALIZER);
    List<OperatorState> operators =
        snapshot.metadata().operators().stream()
            .filter(operator -> OPERATORS_WITHOUT_KEY_SERIALIZER.contains(operator.id().hex()))
            .toList();

    assertThat(operators).hasSize(2);
    for (OperatorState operator : operators) {
      assertThat(stateNames(snapshot, operator)).containsExactly("state-name");
      assertThatThrownBy(() -> DecodedKeyedState.of(snapshot, operator))
          .isInstanceOfSatisfying(
              StateSqlException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.UNDECODABLE_STATE))
          .hasMessageContaining("state \"state-name\"")
          .hasMessageContaining("does not hold the serializer of its keys");
    }
  }

  private static List<String> stateNames(Snapshot snapshot, OperatorState operator) {
    return DecodedKeyedState.splits(snapshot, operator).stream()
        .flatMap(split -> split.header().states().stream())
        .map(KeyedStateMeta::name)
        .distinct()
        .toList();
  }

  private static boolean isKeyed(GoldenState state) {
    return switch (StateKind.valueOf(state.kind())) {
      case SPLIT_LIST, UNION_LIST, BROADCAST -> false;
      default -> true;
    };
  }

  private static Snapshot open(String name) {
    return Snapshot.open(SNAPSHOTS.resolve(name).toString());
  }

  private static List<OperatorState> keyedOperators(Snapshot snapshot) {
    List<OperatorState> operators = new ArrayList<>();
    for (OperatorState operator : snapshot.metadata().operators()) {
      List<KeyedStateHandle> handles =
          operator.subtasks().stream()
              .flatMap(subtask -> Stream.of(subtask.managedKeyedState(), subtask.rawKeyedState()))
              .filter(Objects::nonNull)
              .toList();
      boolean lacksKeySerializer =
          OPERATORS_WITHOUT_KEY_SERIALIZER.contains(operator.id().hex())
              && snapshot.folder().getName().equals(WITHOUT_KEY_SERIALIZER);
      if (!handles.isEmpty()
          && handles.stream().allMatch(GoldenKeyedStateTest::isRead)
          && !lacksKeySerializer) {
        operators.add(operator);
      }
    }
    return operators;
  }

  private static boolean isRead(KeyedStateHandle handle) {
    return !(handle instanceof KeyedStateHandle.Incremental);
  }
}
