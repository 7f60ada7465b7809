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

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.core.fs.Path;
import org.apache.flink.runtime.checkpoint.CheckpointProperties;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.apache.flink.runtime.checkpoint.FinishedOperatorSubtaskState;
import org.apache.flink.runtime.checkpoint.FullyFinishedOperatorState;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.checkpoint.StateObjectCollection;
import org.apache.flink.runtime.checkpoint.channel.InputChannelInfo;
import org.apache.flink.runtime.checkpoint.channel.ResultSubpartitionInfo;
import org.apache.flink.runtime.checkpoint.filemerging.LogicalFile.LogicalFileId;
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;
import org.apache.flink.runtime.checkpoint.metadata.MetadataSerializers;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.runtime.state.CheckpointedStateScope;
import org.apache.flink.runtime.state.IncrementalKeyedStateHandle.HandleAndLocalPath;
import org.apache.flink.runtime.state.IncrementalRemoteKeyedStateHandle;
import org.apache.flink.runtime.state.InputChannelStateHandle;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupRangeOffsets;
import org.apache.flink.runtime.state.KeyGroupsSavepointStateHandle;
import org.apache.flink.runtime.state.KeyGroupsStateHandle;
import org.apache.flink.runtime.state.MergedInputChannelStateHandle;
import org.apache.flink.runtime.state.MergedResultSubpartitionStateHandle;
import org.apache.flink.runtime.state.OperatorStateHandle.Mode;
import org.apache.flink.runtime.state.OperatorStateHandle.StateMetaInfo;
import org.apache.flink.runtime.state.OperatorStreamStateHandle;
import org.apache.flink.runtime.state.ResultSubpartitionStateHandle;
import org.apache.flink.runtime.state.StateHandleID;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.apache.flink.runtime.state.changelog.ChangelogStateBackendHandle.ChangelogStateBackendHandleImpl;
import org.apache.flink.runtime.state.changelog.ChangelogStateHandle;
import org.apache.flink.runtime.state.changelog.ChangelogStateHandleStreamImpl;
import org.apache.flink.runtime.state.changelog.SequenceNumber;
import org.apache.flink.runtime.state.changelog.StateChange;
import org.apache.flink.runtime.state.changelog.inmemory.InMemoryChangelogStateHandle;
import org.apache.flink.runtime.state.filemerging.DirectoryStreamStateHandle;
import org.apache.flink.runtime.state.filemerging.EmptyFileMergingOperatorStreamStateHandle;
import org.apache.flink.runtime.state.filemerging.FileMergingOperatorStreamStateHandle;
import org.apache.flink.runtime.state.filemerging.SegmentFileStateHandle;
import org.apache.flink.runtime.state.filesystem.FileStateHandle;
import org.apache.flink.runtime.state.filesystem.RelativeFileStateHandle;
import org.apache.flink.runtime.state.memory.ByteStreamStateHandle;

/** Metadata that Flink's own writers make of every kind of handle there is. */
final class MadeMetadata {
  private static final KeyGroupRange RANGE = KeyGroupRange.of(3, 5);
  private static final KeyGroupRangeOffsets OFFSETS =
      new KeyGroupRangeOffsets(RANGE, new long[] {0, 17, 1L << 40});

  private MadeMetadata() {}

  /** All kinds of handles that a version of the format can hold, as a file. */
  static byte[] allHandles(int version) throws IOException {
    CheckpointMetadata metadata =
        new CheckpointMetadata(
            42,
            operators(version >= 5, version >= 6),
            List.of(
                new org.apache.flink.runtime.checkpoint.MasterState("hook", new byte[] {1, 2}, 7)),
            CheckpointProperties.forSavepoint(false, SavepointFormatType.NATIVE));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Checkpoints.storeCheckpointMetadata(
        metadata, new DataOutputStream(bytes), MetadataSerializers.getSerializer(version));
    return bytes.toByteArray();
  }

  private static List<org.apache.flink.runtime.checkpoint.OperatorState> operators(
      boolean names, boolean mergedChannels) {
    List<OperatorSubtaskState> subtasks = new ArrayList<>();
    for (StreamStateHandle stream : streams()) {
      subtasks.add(
          OperatorSubtaskState.builder()
              .setManagedOperatorState(
                  new OperatorStreamStateHandle(
                      Map.of(
                          "split", new StateMetaInfo(new long[] {1, 2}, Mode.SPLIT_DISTRIBUTE),
                          "union", new StateMetaInfo(new long[] {}, Mode.UNION),
                          "broadcast", new StateMetaInfo(new long[] {9}, Mode.BROADCAST)),
                      stream))
              .setRawKeyedState(new KeyGroupsStateHandle(OFFSETS, stream))
              .build());
    }
    subtasks.add(
        OperatorSubtaskState.builder()
            .setManagedOperatorState(merged(segment()))
            .setRawOperatorState(
                EmptyFileMergingOperatorStreamStateHandle.create(
                    DirectoryStreamStateHandle.of(new Path("/old/taskowned/x")),
                    DirectoryStreamStateHandle.of(new Path("/old/shared/x"))))
            .setManagedKeyedState(new KeyGroupsSavepointStateHandle(OFFSETS, file()))
            .build());
    subtasks.add(keyed(incremental()));
    subtasks.add(keyed(changelog()));
    subtasks.add(
        OperatorSubtaskState.builder()
            .setInputChannelState(
                StateObjectCollection.singleton(
                    new InputChannelStateHandle(
                        1, new InputChannelInfo(2, 3), inline(), List.of(0L, 2L), 4)))
            .setResultSubpartitionState(
                StateObjectCollection.singleton(
                    new ResultSubpartitionStateHandle(
                        1, new ResultSubpartitionInfo(5, 6), file(), List.of(7L), 8)))
            .build());
    if (mergedChannels) {
      subtasks.add(
          OperatorSubtaskState.builder()
              .setInputChannelState(
                  StateObjectCollection.singleton(
                      new MergedInputChannelStateHandle(2, inline(), 4, new byte[] {1, 2, 3})))
              .setResultSubpartitionState(
                  StateObjectCollection.singleton(
                      new MergedResultSubpartitionStateHandle(3, file(), 5, new byte[] {4})))
              .build());
    }
    var operator =
        new org.apache.flink.runtime.checkpoint.OperatorState(
            names ? "Every handle" : null,
            names ? "every-handle" : null,
            new OperatorID(-1, 1),
            subtasks.size() + 1,
            128);
    for (int i = 0; i < subtasks.size(); i++) {
      operator.putState(i, subtasks.get(i));
    }
    operator.putState(subtasks.size(), FinishedOperatorSubtaskState.INSTANCE);
    operator.setCoordinatorState(inline());
    return List.of(
        operator, new FullyFinishedOperatorState(null, null, new OperatorID(5, 6), 2, 32768));
  }

  private static OperatorSubtaskState keyed(
      org.apache.flink.runtime.state.KeyedStateHandle handle) {
    return OperatorSubtaskState.builder().setManagedKeyedState(handle).build();
  }

  private static List<StreamStateHandle> streams() {
    return List.of(
        inline(),
        file(),
        segment(),
        new RelativeFileStateHandle(new Path("/somewhere/relative"), "relative", 12),
        new KeyGroupsStateHandle(OFFSETS, inline()));
  }

  private static ByteStreamStateHandle inline() {
    return new ByteStreamStateHandle("inline-\u00e9\u4e2d", new byte[] {10, 20, 30});
  }

  private static FileStateHandle file() {
    return new FileStateHandle(new Path("hdfs://host:8020/a/b c"), 1L << 41);
  }

  private static SegmentFileStateHandle segment() {
    return new SegmentFileStateHandle(
        new Path("/old/shared/job_op/file"),
        100,
        200,
        CheckpointedStateScope.SHARED,
        new LogicalFileId("logical"));
  }

  private static FileMergingOperatorStreamStateHandle merged(StreamStateHandle delegate) {
    return new FileMergingOperatorStreamStateHandle(
        DirectoryStreamStateHandle.of(new Path("/old/taskowned/x")),
        DirectoryStreamStateHandle.of(new Path("/old/shared/x")),
        Map.of("merged", new StateMetaInfo(new long[] {3}, Mode.UNION)),
        delegate);
  }

  private static IncrementalRemoteKeyedStateHandle incremental() {
    return IncrementalRemoteKeyedStateHandle.restore(
        new UUID(1, 2),
        RANGE,
        41,
        List.of(HandleAndLocalPath.of(file(), "000012.sst")),
        List.of(
            HandleAndLocalPath.of(inline(), "CURRENT"),
            HandleAndLocalPath.of(segment(), "MANIFEST-000004")),
        inline(),
        77,
        new StateHandleID("incremental-id"));
  }

  private static ChangelogStateBackendHandleImpl changelog() {
    List<ChangelogStateHandle> changes =
        List.of(
            InMemoryChangelogStateHandle.restore(
                List.of(
                    StateChange.ofMetadataChange(new byte[] {1}),
                    StateChange.ofDataChange(4, new byte[] {2, 3})),
                SequenceNumber.of(5),
                SequenceNumber.of(6),
                RANGE,
                new StateHandleID("in-memory-id")),
            ChangelogStateHandleStreamImpl.restore(
                List.of(Tuple2.of(file(), 11L), Tuple2.of(inline(), 0L)),
                RANGE,
                1234,
                99,
                "filesystem",
                new StateHandleID("stream-id")));
    return ChangelogStateBackendHandleImpl.restore(
        List.of(incremental(), new KeyGroupsStateHandle(OFFSETS, file())),
        changes,
        RANGE,
        43,
        2,
        55,
        new StateHandleID("changelog-id"));
  }
}
