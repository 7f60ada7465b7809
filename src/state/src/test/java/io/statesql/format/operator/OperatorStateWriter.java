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
package io.statesql.format.operator;

import io.statesql.edit.CustomSerializer;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.ExecutionConfig;
import org.apache.flink.api.common.state.OperatorStateStore;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.checkpoint.CheckpointProperties;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.runtime.state.CheckpointStreamFactory;
import org.apache.flink.runtime.state.DefaultOperatorStateBackend;
import org.apache.flink.runtime.state.DefaultOperatorStateBackendBuilder;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.OperatorStateHandle;
import org.apache.flink.runtime.state.memory.MemCheckpointStreamFactory;

/**
 * Writes a snapshot of one operator, called {@value #UID}, whose operator state Flink's own backend
 * stores.
 */
public final class OperatorStateWriter {
  public static final String UID = "operator-uid";

  private static final CheckpointStreamFactory STREAMS = new MemCheckpointStreamFactory(1 << 24);

  private final ExecutionConfig config = new ExecutionConfig();
  private final List<OperatorSubtaskState.Builder> subtasks = new ArrayList<>();

  /**
   * @param compressed whether the elements are compressed
   */
  public OperatorStateWriter(boolean compressed) {
    config.setUseSnapshotCompression(compressed);
  }

  /** A serializer whose snapshot has a payload that only its own class can read. */
  public static TypeSerializer<Long> customSerializer(byte[] payload) {
    return new CustomSerializer(payload);
  }

  /** What a subtask does with its state. */
  @FunctionalInterface
  public interface Subtask {
    void run(OperatorStateStore store) throws Exception;
  }

  /** The operator state of the next subtask. */
  public OperatorStateWriter add(Subtask subtask) throws Exception {
    return add(handle(subtask));
  }

  /** A subtask with a handle made elsewhere; null for none. */
  public OperatorStateWriter add(OperatorStateHandle managed) {
    OperatorSubtaskState.Builder builder = OperatorSubtaskState.builder();
    if (managed != null) {
      builder.setManagedOperatorState(managed);
    }
    subtasks.add(builder);
    return this;
  }

  /** Adds raw operator state to the newest subtask. */
  public OperatorStateWriter withRaw(OperatorStateHandle raw) {
    subtasks.get(subtasks.size() - 1).setRawOperatorState(raw);
    return this;
  }

  /** Adds keyed state to the newest subtask. */
  public OperatorStateWriter withKeyed(KeyedStateHandle keyed) {
    subtasks.get(subtasks.size() - 1).setManagedKeyedState(keyed);
    return this;
  }

  /** The handle that Flink's backend makes of a subtask's state. */
  public OperatorStateHandle handle(Subtask subtask) throws Exception {
    DefaultOperatorStateBackend backend =
        new DefaultOperatorStateBackendBuilder(
                OperatorStateWriter.class.getClassLoader(),
                config,
                false,
                List.of(),
                new CloseableRegistry())
            .build();
    try {
      subtask.run(backend);
      var future =
          backend.snapshot(1, 1, STREAMS, CheckpointOptions.forCheckpointWithDefaultLocation());
      future.run();
      return future.get().getJobManagerOwnedSnapshot();
    } finally {
      backend.close();
      backend.dispose();
    }
  }

  /**
   * Writes the snapshot.
   *
   * @return the folder
   */
  public Path write(Path folder) throws IOException {
    var operator =
        new org.apache.flink.runtime.checkpoint.OperatorState(
            "operator", UID, new OperatorID(7, 9), subtasks.size(), 128);
    for (int i = 0; i < subtasks.size(); i++) {
      operator.putState(i, subtasks.get(i).build());
    }
    CheckpointMetadata metadata =
        new CheckpointMetadata(
            1,
            List.of(operator),
            List.of(),
            CheckpointProperties.forSavepoint(false, SavepointFormatType.CANONICAL));
    try (DataOutputStream out =
        new DataOutputStream(Files.newOutputStream(folder.resolve("_metadata")))) {
      Checkpoints.storeCheckpointMetadata(metadata, out);
    }
    return folder;
  }
}
