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
package io.statesql.snapshot;

import org.jspecify.annotations.Nullable;

/**
 * Writes {@code _metadata} files of every version that the reader reads, in the version of what was
 * read, byte for byte as Flink wrote them (Flink 2.3.0, the {@code MetadataV*Serializer} classes):
 * what is not replaced is what it was, properties of the checkpoint and unknown tails included.
 */
public final class MetadataWriter {
  /** The length of a chain, and a duration, which Flink writes before version 3 and never reads. */
  private static final int CHAIN_LENGTH = 1;

  private static final long DURATION = -1;

  private final int version;
  private final MetadataOutput output = new MetadataOutput();
  private final StateHandleWriter handles = new StateHandleWriter(output);

  private MetadataWriter(int version) {
    this.version = version;
  }

  /** The bytes of a metadata file. */
  public static byte[] write(SnapshotMetadata metadata) {
    return new MetadataWriter(metadata.version()).writeFile(metadata);
  }

  private byte[] writeFile(SnapshotMetadata metadata) {
    output.writeInt(MetadataReader.MAGIC);
    output.writeInt(version);
    output.writeLong(metadata.checkpointId());
    output.writeList(metadata.masterStates(), this::writeMasterState);
    output.writeList(metadata.operators(), this::writeOperator);
    output.writeBytes(metadata.properties().stored());
    return output.toByteArray();
  }

  private void writeMasterState(MasterState state) {
    output.writeInt(MetadataReader.MASTER_STATE_MAGIC);
    MetadataOutput framed = new MetadataOutput();
    framed.writeInt(state.version());
    framed.writeUtf(state.name());
    framed.writeCountedBytes(state.data());
    output.writeCountedBytes(Bytes.copyOf(framed.toByteArray()));
  }

  private void writeOperator(OperatorState operator) {
    if (version >= MetadataReader.NAMES_SINCE) {
      output.writeUtf(operator.name());
      output.writeUtf(operator.uid());
    }
    output.writeLong(operator.id().lower());
    output.writeLong(operator.id().upper());
    output.writeInt(operator.parallelism());
    output.writeInt(operator.maxParallelism());
    if (version >= MetadataReader.COORDINATORS_SINCE) {
      handles.writeStream(operator.coordinatorState());
    } else {
      output.writeInt(CHAIN_LENGTH);
    }
    if (operator.fullyFinished()) {
      output.writeInt(MetadataReader.FULLY_FINISHED);
    } else {
      output.writeList(operator.subtasks(), this::writeSubtask);
    }
  }

  private void writeSubtask(SubtaskState subtask) {
    if (subtask.finished()) {
      output.writeInt(-(subtask.index() + 1));
      return;
    }
    output.writeInt(subtask.index());
    if (version < MetadataReader.COORDINATORS_SINCE) {
      output.writeLong(DURATION);
      output.writeInt(0);
    }
    writeOperatorState(subtask.managedOperatorState());
    writeOperatorState(subtask.rawOperatorState());
    handles.writeKeyedState(subtask.managedKeyedState());
    handles.writeKeyedState(subtask.rawKeyedState());
    if (version >= MetadataReader.COORDINATORS_SINCE) {
      boolean typed = version >= MetadataReader.TYPED_CHANNELS_SINCE;
      handles.writeChannels(subtask.inputChannelState(), typed);
      handles.writeChannels(subtask.resultSubpartitionState(), typed);
    }
  }

  private void writeOperatorState(@Nullable OperatorStateHandle handle) {
    output.writeInt(handle == null ? 0 : 1);
    if (handle != null) {
      handles.writeOperatorState(handle);
    }
  }
}
