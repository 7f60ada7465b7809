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

import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.checkpoint.CheckpointProperties;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;
import org.apache.flink.runtime.checkpoint.metadata.MetadataSerializer;
import org.apache.flink.runtime.checkpoint.metadata.MetadataV4Serializer;
import org.apache.flink.runtime.checkpoint.metadata.MetadataV6Serializer;
import org.apache.flink.runtime.state.KeyGroupRange;

/**
 * Builds a canonical savepoint with Flink's own heap backend and metadata serializers, state by
 * state, without a job and a cluster. All state is in the metadata file.
 *
 * <pre>{@code
 * TestSnapshot snapshot = TestSnapshot.create();
 * snapshot
 *     .operator("my-uid", StringSerializer.INSTANCE)
 *     .valueState("total", LongSerializer.INSTANCE, Map.of("ada", 1L));
 * Path folder = snapshot.write(target);
 * }</pre>
 */
public final class TestSnapshot {
  static final int MAX_PARALLELISM = 128;

  private final List<TestOperator<?>> operators = new ArrayList<>();

  private TestSnapshot() {}

  public static TestSnapshot create() {
    return new TestSnapshot();
  }

  /** Shorthand for a snapshot with one state. */
  static <K, V> TestSnapshot ofValues(
      String uid,
      TypeSerializer<K> keySerializer,
      String state,
      TypeSerializer<V> serializer,
      Map<K, V> values)
      throws Exception {
    TestSnapshot snapshot = create();
    snapshot.operator(uid, keySerializer).valueState(state, serializer, values);
    return snapshot;
  }

  /** Adds an operator without state; its id is the hash of its uid. */
  public <K> TestOperator<K> operator(String uid, TypeSerializer<K> keySerializer)
      throws IOException {
    return subtask(uid, keySerializer, KeyGroupRange.of(0, MAX_PARALLELISM - 1));
  }

  /** Adds the next subtask of an operator, which has the keys of some key groups. */
  <K> TestOperator<K> subtask(String uid, TypeSerializer<K> keySerializer, KeyGroupRange keyGroups)
      throws IOException {
    TestOperator<K> operator = new TestOperator<>(uid, keySerializer, keyGroups);
    operators.add(operator);
    return operator;
  }

  /**
   * Writes {@code _metadata} in the newest form.
   *
   * @return the folder
   */
  public Path write(Path folder) throws Exception {
    return write(folder, MetadataV6Serializer.INSTANCE);
  }

  /** Writes {@code _metadata} in a form that knows operators by their id only. */
  Path writeWithoutUids(Path folder) throws Exception {
    return write(folder, MetadataV4Serializer.INSTANCE);
  }

  private Path write(Path folder, MetadataSerializer form) throws Exception {
    Map<String, List<TestOperator<?>>> subtasks = new LinkedHashMap<>();
    operators.forEach(
        subtask -> subtasks.computeIfAbsent(subtask.uid(), u -> new ArrayList<>()).add(subtask));
    List<OperatorState> states = new ArrayList<>();
    for (List<TestOperator<?>> operator : subtasks.values()) {
      String uid = operator.get(0).uid();
      OperatorState state =
          new OperatorState(null, uid, TestOperator.idOf(uid), operator.size(), MAX_PARALLELISM);
      for (int i = 0; i < operator.size(); i++) {
        operator.get(i).snapshotTo(state, i);
      }
      states.add(state);
    }
    CheckpointMetadata metadata =
        new CheckpointMetadata(
            1,
            states,
            List.of(),
            CheckpointProperties.forSavepoint(false, SavepointFormatType.CANONICAL));
    Files.createDirectories(folder);
    try (DataOutputStream out =
        new DataOutputStream(Files.newOutputStream(folder.resolve("_metadata")))) {
      Checkpoints.storeCheckpointMetadata(metadata, out, form);
    }
    return folder;
  }
}
