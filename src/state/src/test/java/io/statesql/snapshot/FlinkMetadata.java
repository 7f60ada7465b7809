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

import com.google.common.primitives.ImmutableLongArray;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.runtime.checkpoint.CheckpointProperties;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.checkpoint.SavepointType;
import org.apache.flink.runtime.checkpoint.StateObjectCollection;
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;
import org.apache.flink.runtime.state.IncrementalRemoteKeyedStateHandle;
import org.apache.flink.runtime.state.InputChannelStateHandle;
import org.apache.flink.runtime.state.InputStateHandle;
import org.apache.flink.runtime.state.KeyGroupRangeOffsets;
import org.apache.flink.runtime.state.KeyGroupsSavepointStateHandle;
import org.apache.flink.runtime.state.KeyGroupsStateHandle;
import org.apache.flink.runtime.state.MergedInputChannelStateHandle;
import org.apache.flink.runtime.state.MergedResultSubpartitionStateHandle;
import org.apache.flink.runtime.state.OutputStateHandle;
import org.apache.flink.runtime.state.ResultSubpartitionStateHandle;
import org.apache.flink.runtime.state.StateObject;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.apache.flink.runtime.state.changelog.ChangelogStateBackendHandle;
import org.apache.flink.runtime.state.changelog.ChangelogStateHandleStreamImpl;
import org.apache.flink.runtime.state.changelog.inmemory.InMemoryChangelogStateHandle;
import org.apache.flink.runtime.state.filemerging.EmptyFileMergingOperatorStreamStateHandle;
import org.apache.flink.runtime.state.filemerging.EmptySegmentFileStateHandle;
import org.apache.flink.runtime.state.filemerging.FileMergingOperatorStreamStateHandle;
import org.apache.flink.runtime.state.filemerging.SegmentFileStateHandle;
import org.apache.flink.runtime.state.filesystem.FileStateHandle;
import org.apache.flink.runtime.state.filesystem.RelativeFileStateHandle;
import org.apache.flink.runtime.state.memory.ByteStreamStateHandle;
import org.jspecify.annotations.Nullable;

/**
 * Metadata as Flink's own loader reads it, put into our model so that the two can be compared by
 * equality. What Flink's model drops (which of two forms a handle had, the order of subtasks and of
 * named states, the bytes of the properties) is taken from ours.
 */
final class FlinkMetadata {
  private FlinkMetadata() {}

  static SnapshotMetadata load(Path file, SnapshotMetadata ours) throws IOException {
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
      return load(in, file.toAbsolutePath().getParent().toString(), ours);
    }
  }

  static SnapshotMetadata load(InputStream in, String folder, SnapshotMetadata ours)
      throws IOException {
    ClassLoader loader = FlinkMetadata.class.getClassLoader();
    CheckpointMetadata flink =
        Checkpoints.loadCheckpointMetadata(new DataInputStream(in), loader, folder);
    List<OperatorState> operators = new ArrayList<>();
    for (var operator : flink.getOperatorStates()) {
      operators.add(operator(operator, ours.operators().get(operators.size())));
    }
    return new SnapshotMetadata(
        ours.location(),
        ours.version(),
        flink.getCheckpointId(),
        flink.getMasterStates().stream()
            .map(s -> new MasterState(s.version(), s.name(), Bytes.copyOf(s.bytes())))
            .toList(),
        operators,
        properties(flink.getCheckpointProperties(), ours.properties().stored()));
  }

  /** Our model with what Flink keeps in hash maps in a fixed order. */
  static SnapshotMetadata sorted(SnapshotMetadata metadata) {
    return new SnapshotMetadata(
        metadata.location(),
        metadata.version(),
        metadata.checkpointId(),
        metadata.masterStates(),
        metadata.operators().stream().map(FlinkMetadata::sorted).toList(),
        metadata.properties());
  }

  private static OperatorState sorted(OperatorState operator) {
    return new OperatorState(
        operator.id(),
        operator.name(),
        operator.uid(),
        operator.parallelism(),
        operator.maxParallelism(),
        operator.coordinatorState(),
        operator.fullyFinished(),
        operator.subtasks().stream()
            .sorted(Comparator.comparingInt(SubtaskState::index))
            .map(FlinkMetadata::sorted)
            .toList());
  }

  private static SubtaskState sorted(SubtaskState subtask) {
    return new SubtaskState(
        subtask.index(),
        subtask.finished(),
        sorted(subtask.managedOperatorState()),
        sorted(subtask.rawOperatorState()),
        subtask.managedKeyedState(),
        subtask.rawKeyedState(),
        subtask.inputChannelState(),
        subtask.resultSubpartitionState());
  }

  private static @Nullable OperatorStateHandle sorted(@Nullable OperatorStateHandle handle) {
    if (handle == null) {
      return null;
    }
    return new OperatorStateHandle(
        handle.states().stream()
            .sorted(Comparator.comparing(OperatorStateHandle.NamedState::name))
            .toList(),
        handle.fileMerging(),
        handle.delegate());
  }

  private static SnapshotProperties properties(
      @Nullable CheckpointProperties properties, Bytes stored) {
    if (properties == null) {
      return new SnapshotProperties(stored, null, null);
    }
    if (!(properties.getCheckpointType() instanceof SavepointType savepoint)) {
      return new SnapshotProperties(stored, SnapshotProperties.Kind.CHECKPOINT, null);
    }
    return new SnapshotProperties(
        stored,
        SnapshotProperties.Kind.SAVEPOINT,
        SnapshotProperties.SavepointFormat.valueOf(savepoint.getFormatType().name()));
  }

  private static OperatorState operator(
      org.apache.flink.runtime.checkpoint.OperatorState flink, OperatorState ours) {
    List<SubtaskState> subtasks = new ArrayList<>();
    if (!flink.isFullyFinished()) {
      flink.getSubtaskStates().keySet().stream()
          .sorted()
          .forEach(
              index ->
                  subtasks.add(
                      subtask(index, flink.getSubtaskStates().get(index), subtask(ours, index))));
    }
    StreamHandle coordinator =
        flink.getCoordinatorState() == null ? null : stream(flink.getCoordinatorState());
    return requireSize(
        flink.getStateSize(),
        new OperatorState(
            OperatorId.ofHex(flink.getOperatorID().toHexString()).orElseThrow(),
            flink.getOperatorName().orElse(null),
            flink.getOperatorUid().orElse(null),
            flink.getParallelism(),
            flink.getMaxParallelism(),
            (StreamHandle.ByteStream) coordinator,
            flink.isFullyFinished(),
            subtasks));
  }

  private static OperatorState requireSize(long size, OperatorState operator) {
    if (operator.stateSize() != size) {
      throw new AssertionError(
          operator.id() + " has the size " + operator.stateSize() + ", in Flink " + size);
    }
    return operator;
  }

  private static SubtaskState subtask(OperatorState operator, int index) {
    return operator.subtasks().stream()
        .filter(subtask -> subtask.index() == index)
        .findFirst()
        .orElseThrow();
  }

  private static SubtaskState subtask(int index, OperatorSubtaskState flink, SubtaskState ours) {
    List<ChannelStateHandle.Input> inputs = new ArrayList<>();
    flink.getInputChannelState().forEach(handle -> inputs.add(input(handle)));
    List<ChannelStateHandle.Output> outputs = new ArrayList<>();
    flink.getResultSubpartitionState().forEach(handle -> outputs.add(output(handle)));
    return new SubtaskState(
        index,
        flink.isFinished(),
        operatorState(flink.getManagedOperatorState()),
        operatorState(flink.getRawOperatorState()),
        keyedState(single(flink.getManagedKeyedState()), ours.managedKeyedState()),
        keyedState(single(flink.getRawKeyedState()), ours.rawKeyedState()),
        inputs,
        outputs);
  }

  private static <T extends StateObject> @Nullable T single(StateObjectCollection<T> handles) {
    return handles.isEmpty() ? null : handles.iterator().next();
  }

  private static @Nullable OperatorStateHandle operatorState(
      StateObjectCollection<org.apache.flink.runtime.state.OperatorStateHandle> handles) {
    var flink = single(handles);
    if (flink == null) {
      return null;
    }
    List<OperatorStateHandle.NamedState> states =
        flink.getStateNameToPartitionOffsets().entrySet().stream()
            .map(
                entry ->
                    new OperatorStateHandle.NamedState(
                        entry.getKey(),
                        OperatorStateHandle.Mode.valueOf(
                            entry.getValue().getDistributionMode().name()),
                        ImmutableLongArray.copyOf(entry.getValue().getOffsets())))
            .sorted(Comparator.comparing(OperatorStateHandle.NamedState::name))
            .toList();
    OperatorStateHandle.FileMerging merging = null;
    if (flink instanceof FileMergingOperatorStreamStateHandle merged) {
      merging =
          new OperatorStateHandle.FileMerging(
              merged.getTaskOwnedDirHandle().getDirectory().toString(),
              merged.getSharedDirHandle().getDirectory().toString(),
              merged instanceof EmptyFileMergingOperatorStreamStateHandle);
    }
    return new OperatorStateHandle(states, merging, stream(flink.getDelegateStateHandle()));
  }

  private static @Nullable KeyedStateHandle keyedState(
      org.apache.flink.runtime.state.@Nullable KeyedStateHandle flink,
      @Nullable KeyedStateHandle ours) {
    if (flink == null) {
      return null;
    }
    KeyedStateHandle converted = convert(flink, ours);
    if (converted.stateSize() != flink.getStateSize()) {
      throw new AssertionError(converted + " differs in size: " + flink.getStateSize());
    }
    return converted;
  }

  private static KeyedStateHandle convert(
      org.apache.flink.runtime.state.KeyedStateHandle flink, @Nullable KeyedStateHandle ours) {
    KeyGroupRange range = range(flink.getKeyGroupRange());
    String id = flink.getStateHandleId().getKeyString();
    if (flink instanceof KeyGroupsSavepointStateHandle handle) {
      return new KeyedStateHandle.KeyGroupsSavepoint(
          range, offsets(handle.getGroupRangeOffsets()), stream(handle.getDelegateStateHandle()));
    }
    if (flink instanceof KeyGroupsStateHandle handle) {
      boolean old = ours != null && ours.typeCode() == 3;
      return new KeyedStateHandle.KeyGroups(
          range,
          offsets(handle.getGroupRangeOffsets()),
          stream(handle.getDelegateStateHandle()),
          old ? null : id);
    }
    if (flink instanceof IncrementalRemoteKeyedStateHandle handle) {
      boolean old = ours != null && ours.typeCode() == 5;
      return new KeyedStateHandle.Incremental(
          handle.getCheckpointId(),
          handle.getBackendIdentifier().toString(),
          range,
          // Flink replaces an unknown size by the size of the state
          old ? -1 : handle.getCheckpointedSize(),
          stream(handle.getMetaDataStateHandle()),
          localFiles(handle.getSharedState()),
          localFiles(handle.getPrivateState()),
          old ? null : id);
    }
    if (flink instanceof ChangelogStateBackendHandle handle) {
      KeyedStateHandle.Changelog changelog = (KeyedStateHandle.Changelog) ours;
      return new KeyedStateHandle.Changelog(
          range,
          handle.getCheckpointedSize(),
          pairs(handle.getMaterializedStateHandles(), changelog.materialized()),
          pairs(handle.getNonMaterializedStateHandles(), changelog.nonMaterialized()).stream()
              .map(KeyedStateHandle.ChangelogPart.class::cast)
              .toList(),
          handle.getMaterializationID(),
          changelog.typeCode() == 8 ? null : (Long) handle.getCheckpointId(),
          id);
    }
    if (flink instanceof InMemoryChangelogStateHandle handle) {
      return new KeyedStateHandle.InMemoryChangelog(
          range,
          handle.getFrom(),
          handle.getTo(),
          handle.getChanges().stream()
              .map(
                  change ->
                      new KeyedStateHandle.StateChange(
                          change.getKeyGroup(), Bytes.copyOf(change.getChange())))
              .toList(),
          id);
    }
    ChangelogStateHandleStreamImpl handle = (ChangelogStateHandleStreamImpl) flink;
    boolean old = ours != null && ours.typeCode() == 10;
    List<KeyedStateHandle.ChangelogSegment> segments = new ArrayList<>();
    for (Tuple2<StreamStateHandle, Long> segment : handle.getHandlesAndOffsets()) {
      segments.add(new KeyedStateHandle.ChangelogSegment(segment.f1, stream(segment.f0)));
    }
    return new KeyedStateHandle.ChangelogStream(
        range,
        segments,
        handle.getStateSize(),
        handle.getCheckpointedSize(),
        id,
        old ? null : handle.getStorageIdentifier());
  }

  private static List<KeyedStateHandle> pairs(
      List<? extends org.apache.flink.runtime.state.KeyedStateHandle> flink,
      List<? extends KeyedStateHandle> ours) {
    return IntStream.range(0, flink.size())
        .mapToObj(i -> keyedState(flink.get(i), ours.get(i)))
        .toList();
  }

  private static List<KeyedStateHandle.LocalFile> localFiles(
      Collection<org.apache.flink.runtime.state.IncrementalKeyedStateHandle.HandleAndLocalPath>
          files) {
    return files.stream()
        .map(f -> new KeyedStateHandle.LocalFile(f.getLocalPath(), stream(f.getHandle())))
        .toList();
  }

  private static ChannelStateHandle.Input input(InputStateHandle flink) {
    if (flink instanceof MergedInputChannelStateHandle handle) {
      return new ChannelStateHandle.MergedInputChannels(
          handle.getSubtaskIndex(),
          handle.getStateSize(),
          stream(handle.getDelegate()),
          Bytes.copyOf(handle.getSerializedChannelOffsets()));
    }
    InputChannelStateHandle handle = (InputChannelStateHandle) flink;
    return new ChannelStateHandle.InputChannel(
        handle.getSubtaskIndex(),
        handle.getInfo().getGateIdx(),
        handle.getInfo().getInputChannelIdx(),
        ImmutableLongArray.copyOf(handle.getOffsets()),
        handle.getStateSize(),
        stream(handle.getDelegate()));
  }

  private static ChannelStateHandle.Output output(OutputStateHandle flink) {
    if (flink instanceof MergedResultSubpartitionStateHandle handle) {
      return new ChannelStateHandle.MergedResultSubpartitions(
          handle.getSubtaskIndex(),
          handle.getStateSize(),
          stream(handle.getDelegate()),
          Bytes.copyOf(handle.getSerializedChannelOffsets()));
    }
    ResultSubpartitionStateHandle handle = (ResultSubpartitionStateHandle) flink;
    return new ChannelStateHandle.ResultSubpartition(
        handle.getSubtaskIndex(),
        handle.getInfo().getPartitionIdx(),
        handle.getInfo().getSubPartitionIdx(),
        ImmutableLongArray.copyOf(handle.getOffsets()),
        handle.getStateSize(),
        stream(handle.getDelegate()));
  }

  private static KeyGroupRange range(org.apache.flink.runtime.state.KeyGroupRange range) {
    return new KeyGroupRange(range.getStartKeyGroup(), range.getNumberOfKeyGroups());
  }

  private static ImmutableLongArray offsets(KeyGroupRangeOffsets offsets) {
    ImmutableLongArray.Builder builder = ImmutableLongArray.builder();
    offsets.forEach(keyGroupAndOffset -> builder.add(keyGroupAndOffset.f1));
    return builder.build();
  }

  private static StreamHandle stream(StreamStateHandle flink) {
    StreamHandle converted = convert(flink);
    if (converted.stateSize() != flink.getStateSize()) {
      throw new AssertionError(converted + " differs in size: " + flink.getStateSize());
    }
    return converted;
  }

  private static StreamHandle convert(StreamStateHandle flink) {
    if (flink instanceof ByteStreamStateHandle handle) {
      return new StreamHandle.ByteStream(handle.getHandleName(), Bytes.copyOf(handle.getData()));
    }
    if (flink instanceof RelativeFileStateHandle handle) {
      return new StreamHandle.RelativeFile(handle.getRelativePath(), handle.getStateSize());
    }
    if (flink instanceof EmptySegmentFileStateHandle) {
      return new StreamHandle.EmptySegment();
    }
    if (flink instanceof SegmentFileStateHandle handle) {
      return new StreamHandle.SegmentFile(
          handle.getFilePath().toString(),
          handle.getStartPos(),
          handle.getStateSize(),
          StreamHandle.Scope.valueOf(handle.getScope().name()),
          handle.getLogicalFileId().getKeyString());
    }
    if (flink instanceof KeyGroupsStateHandle handle) {
      return new StreamHandle.KeyGroups(
          range(handle.getKeyGroupRange()),
          offsets(handle.getGroupRangeOffsets()),
          stream(handle.getDelegateStateHandle()));
    }
    FileStateHandle handle = (FileStateHandle) flink;
    return new StreamHandle.File(handle.getFilePath().toString(), handle.getStateSize());
  }
}
