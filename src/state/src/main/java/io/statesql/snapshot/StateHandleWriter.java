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

import io.statesql.snapshot.KeyedStateHandle.ChangelogPart;
import io.statesql.snapshot.KeyedStateHandle.LocalFile;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes what a {@link StateHandleReader} reads. */
@SuppressWarnings("EnumOrdinal") // the constants are declared in the order of their codes
final class StateHandleWriter {
  private static final int NO_HANDLE = 0;

  private final MetadataOutput output;

  StateHandleWriter(MetadataOutput output) {
    this.output = output;
  }

  // ---- streams ----

  void writeStream(@Nullable StreamHandle handle) {
    if (handle == null) {
      output.writeByte(NO_HANDLE);
      return;
    }
    output.writeByte(handle.typeCode());
    if (handle instanceof StreamHandle.ByteStream inline) {
      output.writeUtf(inline.handleName());
      output.writeCountedBytes(inline.data());
    } else if (handle instanceof StreamHandle.File file) {
      output.writeLong(file.stateSize());
      output.writeUtf(file.path());
    } else if (handle instanceof StreamHandle.RelativeFile file) {
      output.writeUtf(file.relativePath());
      output.writeLong(file.stateSize());
    } else if (handle instanceof StreamHandle.KeyGroups keyGroups) {
      output.writeKeyGroupRange(keyGroups.keyGroups());
      output.writeOffsets(keyGroups.offsets());
      writeStream(keyGroups.delegate());
    } else if (handle instanceof StreamHandle.SegmentFile segment) {
      output.writeLong(segment.startPosition());
      output.writeLong(segment.stateSize());
      output.writeInt(segment.scope().ordinal());
      output.writeUtf(segment.path());
      output.writeUtf(segment.logicalFileId());
    }
  }

  // ---- operator state ----

  void writeOperatorState(OperatorStateHandle handle) {
    output.writeByte(handle.typeCode());
    output.writeList(
        handle.states(),
        state -> {
          output.writeUtf(state.name());
          output.writeByte(state.mode().ordinal());
          output.writeCountedOffsets(state.offsets());
        });
    OperatorStateHandle.FileMerging fileMerging = handle.fileMerging();
    if (fileMerging != null) {
      output.writeUtf(fileMerging.taskOwnedDirectory());
      output.writeUtf(fileMerging.sharedDirectory());
      output.writeBoolean(fileMerging.empty());
    }
    writeStream(handle.delegate());
  }

  // ---- keyed state ----

  void writeKeyedState(@Nullable KeyedStateHandle handle) {
    if (handle == null) {
      output.writeByte(NO_HANDLE);
      return;
    }
    output.writeByte(handle.typeCode());
    if (handle instanceof KeyedStateHandle.KeyGroups keyGroups) {
      output.writeKeyGroupRange(keyGroups.keyGroups());
      output.writeOffsets(keyGroups.offsets());
      writeStream(keyGroups.delegate());
      if (keyGroups.stateHandleId() != null) {
        output.writeUtf(keyGroups.stateHandleId());
      }
    } else if (handle instanceof KeyedStateHandle.KeyGroupsSavepoint keyGroups) {
      output.writeKeyGroupRange(keyGroups.keyGroups());
      output.writeOffsets(keyGroups.offsets());
      writeStream(keyGroups.delegate());
    } else if (handle instanceof KeyedStateHandle.Incremental incremental) {
      writeIncremental(incremental);
    } else if (handle instanceof KeyedStateHandle.Changelog changelog) {
      writeChangelog(changelog);
    } else if (handle instanceof KeyedStateHandle.InMemoryChangelog changelog) {
      writeInMemoryChangelog(changelog);
    } else if (handle instanceof KeyedStateHandle.ChangelogStream changelog) {
      writeChangelogStream(changelog);
    }
  }

  private void writeIncremental(KeyedStateHandle.Incremental handle) {
    output.writeLong(handle.checkpointId());
    output.writeUtf(handle.backendId());
    output.writeKeyGroupRange(handle.keyGroups());
    if (handle.stateHandleId() != null) {
      output.writeLong(handle.checkpointedSize());
    }
    writeStream(handle.metadata());
    writeLocalFiles(handle.shared());
    writeLocalFiles(handle.privateFiles());
    if (handle.stateHandleId() != null) {
      output.writeUtf(handle.stateHandleId());
    }
  }

  private void writeLocalFiles(List<LocalFile> files) {
    output.writeList(
        files,
        file -> {
          output.writeUtf(file.localPath());
          writeStream(file.handle());
        });
  }

  private void writeChangelog(KeyedStateHandle.Changelog handle) {
    output.writeKeyGroupRange(handle.keyGroups());
    output.writeLong(handle.checkpointedSize());
    output.writeList(handle.materialized(), this::writeKeyedState);
    output.<ChangelogPart>writeList(handle.nonMaterialized(), this::writeKeyedState);
    output.writeLong(handle.materializationId());
    if (handle.checkpointId() != null) {
      output.writeLong(handle.checkpointId());
    }
    output.writeUtf(handle.stateHandleId());
  }

  private void writeInMemoryChangelog(KeyedStateHandle.InMemoryChangelog handle) {
    output.writeKeyGroupRange(handle.keyGroups());
    output.writeLong(handle.from());
    output.writeLong(handle.to());
    output.writeList(
        handle.changes(),
        change -> {
          output.writeInt(change.keyGroup());
          output.writeCountedBytes(change.change());
        });
    output.writeUtf(handle.stateHandleId());
  }

  private void writeChangelogStream(KeyedStateHandle.ChangelogStream handle) {
    output.writeKeyGroupRange(handle.keyGroups());
    output.writeList(
        handle.segments(),
        segment -> {
          output.writeLong(segment.offset());
          writeStream(segment.handle());
        });
    output.writeLong(handle.stateSize());
    output.writeLong(handle.checkpointedSize());
    output.writeUtf(handle.stateHandleId());
    if (handle.storageId() != null) {
      output.writeUtf(handle.storageId());
    }
  }

  // ---- channel state ----

  /**
   * @param typed whether each handle says of which type it is, as since metadata version 6
   */
  void writeChannels(List<? extends ChannelStateHandle> handles, boolean typed) {
    output.writeInt(handles.size());
    for (ChannelStateHandle handle : handles) {
      if (typed) {
        output.writeByte(handle.typeCode());
      }
      writeChannel(handle);
    }
  }

  private void writeChannel(ChannelStateHandle handle) {
    output.writeInt(handle.subtaskIndex());
    if (handle instanceof ChannelStateHandle.InputChannel channel) {
      output.writeInt(channel.gateIndex());
      output.writeInt(channel.channelIndex());
      output.writeCountedOffsets(channel.offsets());
    } else if (handle instanceof ChannelStateHandle.ResultSubpartition channel) {
      output.writeInt(channel.partitionIndex());
      output.writeInt(channel.subpartitionIndex());
      output.writeCountedOffsets(channel.offsets());
    }
    output.writeLong(handle.stateSize());
    writeStream(handle.delegate());
    if (handle instanceof ChannelStateHandle.MergedInputChannels merged) {
      output.writeCountedBytes(merged.channelOffsets());
    } else if (handle instanceof ChannelStateHandle.MergedResultSubpartitions merged) {
      output.writeCountedBytes(merged.channelOffsets());
    }
  }
}
