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

import io.statesql.format.split.KeyedForms;
import io.statesql.snapshot.ChannelStateHandle;
import io.statesql.snapshot.KeyedStateHandle;
import io.statesql.snapshot.OperatorStateHandle;
import io.statesql.snapshot.Snapshot;
import io.statesql.snapshot.StateFile;
import io.statesql.snapshot.StreamHandle;
import io.statesql.snapshot.SubtaskState;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Takes state over as it is: its files become files of the new savepoint, links where the disk
 * allows that, which handles name relative to its folder. What stands in the metadata stays there.
 * Streams may be carried by several threads; all else is for one.
 */
final class HandleCarrier {
  private final Snapshot base;
  private final SavepointFolder folder;
  private final EditTally tally;

  /** Channel state of many channels lies in one file. */
  private final Map<StreamHandle, StreamHandle> channels = new HashMap<>();

  HandleCarrier(Snapshot base, SavepointFolder folder, EditTally tally) {
    this.base = base;
    this.folder = folder;
    this.tally = tally;
  }

  StreamHandle carry(StreamHandle handle) {
    if (handle instanceof StreamHandle.KeyGroups keyGroups) {
      return new StreamHandle.KeyGroups(
          keyGroups.keyGroups(), keyGroups.offsets(), carry(keyGroups.delegate()));
    }
    tally.copied(handle.stateSize());
    if (handle instanceof StreamHandle.ByteStream || handle instanceof StreamHandle.EmptySegment) {
      return handle;
    }
    Path file = folder.newFile();
    try {
      Optional<Path> local = base.localFile(handle);
      if (local.isPresent()) {
        folder.linkOrCopy(local.get(), file);
      } else {
        try (StateFile content = base.open(handle)) {
          folder.write(file, content);
        }
      }
    } catch (IOException e) {
      throw folder.failure(e);
    }
    tally.carriedFile();
    return new StreamHandle.RelativeFile(file.getFileName().toString(), handle.stateSize());
  }

  /**
   * The managed or raw operator state of a subtask. The folders of file merging are not carried:
   * its segments become files.
   */
  @Nullable OperatorStateHandle carry(@Nullable OperatorStateHandle handle) {
    if (handle == null || (handle.fileMerging() != null && handle.fileMerging().empty())) {
      return null;
    }
    return new OperatorStateHandle(handle.states(), null, carry(handle.delegate()));
  }

  /** The managed or raw keyed state of a subtask, of any form but a changelog. */
  @Nullable KeyedStateHandle carry(@Nullable KeyedStateHandle handle) {
    return handle == null ? null : KeyedForms.of(handle).carry(handle, this::carry);
  }

  /** The same subtask with other managed state and raw keyed state, and all else carried. */
  SubtaskState carry(
      SubtaskState subtask,
      @Nullable OperatorStateHandle operatorState,
      @Nullable KeyedStateHandle keyedState,
      @Nullable KeyedStateHandle rawKeyedState) {
    return new SubtaskState(
        subtask.index(),
        subtask.finished(),
        operatorState,
        carry(subtask.rawOperatorState()),
        keyedState,
        rawKeyedState,
        subtask.inputChannelState().stream().map(this::carry).toList(),
        subtask.resultSubpartitionState().stream().map(this::carry).toList());
  }

  private StreamHandle carryChannel(ChannelStateHandle handle) {
    StreamHandle carried = channels.get(handle.delegate());
    if (carried == null) {
      carried = carry(handle.delegate());
      channels.put(handle.delegate(), carried);
    }
    return carried;
  }

  private ChannelStateHandle.Input carry(ChannelStateHandle.Input handle) {
    if (handle instanceof ChannelStateHandle.InputChannel channel) {
      return new ChannelStateHandle.InputChannel(
          channel.subtaskIndex(),
          channel.gateIndex(),
          channel.channelIndex(),
          channel.offsets(),
          channel.stateSize(),
          carryChannel(channel));
    }
    ChannelStateHandle.MergedInputChannels merged = (ChannelStateHandle.MergedInputChannels) handle;
    return new ChannelStateHandle.MergedInputChannels(
        merged.subtaskIndex(), merged.stateSize(), carryChannel(merged), merged.channelOffsets());
  }

  private ChannelStateHandle.Output carry(ChannelStateHandle.Output handle) {
    if (handle instanceof ChannelStateHandle.ResultSubpartition channel) {
      return new ChannelStateHandle.ResultSubpartition(
          channel.subtaskIndex(),
          channel.partitionIndex(),
          channel.subpartitionIndex(),
          channel.offsets(),
          channel.stateSize(),
          carryChannel(channel));
    }
    ChannelStateHandle.MergedResultSubpartitions merged =
        (ChannelStateHandle.MergedResultSubpartitions) handle;
    return new ChannelStateHandle.MergedResultSubpartitions(
        merged.subtaskIndex(), merged.stateSize(), carryChannel(merged), merged.channelOffsets());
  }
}
