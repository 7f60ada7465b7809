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
import io.statesql.snapshot.KeyedStateHandle.ChangelogPart;
import io.statesql.snapshot.KeyedStateHandle.ChangelogSegment;
import io.statesql.snapshot.KeyedStateHandle.LocalFile;
import io.statesql.snapshot.KeyedStateHandle.StateChange;
import io.statesql.snapshot.OperatorStateHandle.FileMerging;
import io.statesql.snapshot.OperatorStateHandle.Mode;
import io.statesql.snapshot.OperatorStateHandle.NamedState;
import io.statesql.snapshot.StreamHandle.Scope;
import io.statesql.type.MalformedValueException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads state handles: a byte that says which kind, then its fields (Flink 2.3.0, {@code
 * MetadataV2V3SerializerBase}, {@code ChannelStateHandleSerializerV1} and {@code V2}).
 */
final class StateHandleReader {
  private static final int NO_HANDLE = 0;
  private static final int MIN_HANDLE_BYTES = 1;
  private static final int MIN_CHANNEL_BYTES = 17;

  private final MetadataInput input;

  StateHandleReader(MetadataInput input) {
    this.input = input;
  }

  // ---- streams ----

  private StreamHandle readStream() {
    StreamHandle handle = readNullableStream();
    if (handle == null) {
      throw input.malformed("a stream of state is missing");
    }
    return handle;
  }

  /** Null when the file says that there is none. */
  @Nullable StreamHandle readNullableStream() {
    int type = input.readByte();
    return switch (type) {
      case NO_HANDLE -> null;
      case StreamHandle.ByteStream.TYPE_CODE ->
          new StreamHandle.ByteStream(input.readUtf(), input.readCountedBytes());
      case StreamHandle.File.TYPE_CODE -> {
        long size = input.readSize("the size of a file");
        yield new StreamHandle.File(input.readUtf(), size);
      }
      case StreamHandle.RelativeFile.TYPE_CODE ->
          new StreamHandle.RelativeFile(input.readUtf(), input.readSize("the size of a file"));
      case StreamHandle.KeyGroups.TYPE_CODE -> {
        KeyGroupRange keyGroups = input.readKeyGroupRange();
        ImmutableLongArray offsets = input.readOffsets(keyGroups.count());
        yield new StreamHandle.KeyGroups(keyGroups, offsets, input.nested(this::readStream));
      }
      case StreamHandle.SegmentFile.TYPE_CODE -> readSegment();
      case StreamHandle.EmptySegment.TYPE_CODE -> new StreamHandle.EmptySegment();
      default -> throw unknown("stream of state", type);
    };
  }

  private StreamHandle readSegment() {
    long start = input.readSize("the start of a segment");
    long size = input.readSize("the size of a segment");
    if (start > Long.MAX_VALUE - size) {
      throw input.malformed("a segment of " + size + " bytes from " + start + " cannot be right");
    }
    Scope scope = constant(Scope.values(), input.readInt(), "scope of a segment");
    return new StreamHandle.SegmentFile(input.readUtf(), start, size, scope, input.readUtf());
  }

  // ---- operator state ----

  OperatorStateHandle readOperatorState() {
    int type = input.readByte();
    return switch (type) {
      case OperatorStateHandle.TYPE_CODE ->
          new OperatorStateHandle(readNamedStates(), null, readStream());
      case OperatorStateHandle.FILE_MERGING_TYPE_CODE -> {
        List<NamedState> states = readNamedStates();
        FileMerging fileMerging =
            new FileMerging(input.readUtf(), input.readUtf(), input.readBoolean());
        StreamHandle delegate = readStream();
        if (!(delegate instanceof StreamHandle.SegmentFile)
            && !(delegate instanceof StreamHandle.EmptySegment)) {
          throw input.malformed("merged operator state is not a segment of a file");
        }
        yield new OperatorStateHandle(states, fileMerging, delegate);
      }
      default -> throw unknown("operator state", type);
    };
  }

  private List<NamedState> readNamedStates() {
    return input.readList(
        Short.BYTES + Byte.BYTES + Integer.BYTES,
        () -> {
          String name = input.readUtf();
          Mode mode = constant(Mode.values(), input.readByte(), "distribution mode");
          return new NamedState(name, mode, input.readCountedOffsets());
        });
  }

  // ---- keyed state ----

  /** Null when the file says that there is none. */
  @Nullable KeyedStateHandle readNullableKeyedState() {
    int type = input.readByte();
    return switch (type) {
      case NO_HANDLE -> null;
      case KeyedStateHandle.KeyGroups.OLD_TYPE_CODE,
          KeyedStateHandle.KeyGroups.TYPE_CODE,
          KeyedStateHandle.KeyGroupsSavepoint.TYPE_CODE ->
          readKeyGroups(type);
      case KeyedStateHandle.Incremental.OLD_TYPE_CODE, KeyedStateHandle.Incremental.TYPE_CODE ->
          readIncremental(type == KeyedStateHandle.Incremental.TYPE_CODE);
      case KeyedStateHandle.Changelog.OLD_TYPE_CODE, KeyedStateHandle.Changelog.TYPE_CODE ->
          input.nested(() -> readChangelog(type == KeyedStateHandle.Changelog.TYPE_CODE));
      case KeyedStateHandle.InMemoryChangelog.TYPE_CODE -> readInMemoryChangelog();
      case KeyedStateHandle.ChangelogStream.OLD_TYPE_CODE,
          KeyedStateHandle.ChangelogStream.TYPE_CODE ->
          readChangelogStream(type == KeyedStateHandle.ChangelogStream.TYPE_CODE);
      default -> throw unknown("keyed state", type);
    };
  }

  private KeyedStateHandle readKeyGroups(int type) {
    KeyGroupRange keyGroups = input.readKeyGroupRange();
    ImmutableLongArray offsets = input.readOffsets(keyGroups.count());
    StreamHandle delegate = readStream();
    if (type == KeyedStateHandle.KeyGroupsSavepoint.TYPE_CODE) {
      return new KeyedStateHandle.KeyGroupsSavepoint(keyGroups, offsets, delegate);
    }
    String id = type == KeyedStateHandle.KeyGroups.TYPE_CODE ? input.readUtf() : null;
    return new KeyedStateHandle.KeyGroups(keyGroups, offsets, delegate, id);
  }

  private KeyedStateHandle readIncremental(boolean withSizeAndId) {
    long checkpointId = input.readLong();
    String backendId = input.readUtf();
    KeyGroupRange keyGroups = input.readKeyGroupRange();
    return new KeyedStateHandle.Incremental(
        checkpointId,
        backendId,
        keyGroups,
        withSizeAndId ? input.readLong() : KeyedStateHandle.Incremental.UNKNOWN_SIZE,
        readStream(),
        readLocalFiles(),
        readLocalFiles(),
        withSizeAndId ? input.readUtf() : null);
  }

  private List<LocalFile> readLocalFiles() {
    return input.readList(
        Short.BYTES + MIN_HANDLE_BYTES, () -> new LocalFile(input.readUtf(), readStream()));
  }

  private KeyedStateHandle readChangelog(boolean withCheckpointId) {
    KeyGroupRange keyGroups = input.readKeyGroupRange();
    long checkpointedSize = input.readLong();
    // Flink passes over missing materialized parts, so they are no fault
    List<KeyedStateHandle> materialized =
        input.readList(MIN_HANDLE_BYTES, this::readNullableKeyedState).stream()
            .filter(Objects::nonNull)
            .toList();
    List<ChangelogPart> nonMaterialized = input.readList(MIN_HANDLE_BYTES, this::readChangelogPart);
    long materializationId = input.readLong();
    return new KeyedStateHandle.Changelog(
        keyGroups,
        checkpointedSize,
        materialized,
        nonMaterialized,
        materializationId,
        withCheckpointId ? input.readLong() : null,
        input.readUtf());
  }

  private ChangelogPart readChangelogPart() {
    if (readNullableKeyedState() instanceof ChangelogPart part) {
      return part;
    }
    throw input.malformed("a part of a changelog is no changelog");
  }

  private KeyedStateHandle readInMemoryChangelog() {
    return new KeyedStateHandle.InMemoryChangelog(
        input.readKeyGroupRange(),
        input.readLong(),
        input.readLong(),
        input.readList(Integer.BYTES + Integer.BYTES, this::readStateChange),
        input.readUtf());
  }

  private StateChange readStateChange() {
    int keyGroup = input.readInt();
    if (keyGroup < StateChange.METADATA || keyGroup >= KeyGroupRange.MAX_KEY_GROUPS) {
      throw input.malformed("a change of key group " + keyGroup + " cannot be right");
    }
    return new StateChange(keyGroup, input.readCountedBytes());
  }

  private KeyedStateHandle readChangelogStream(boolean withStorageId) {
    return new KeyedStateHandle.ChangelogStream(
        input.readKeyGroupRange(),
        input.readList(
            Long.BYTES + MIN_HANDLE_BYTES,
            () -> new ChangelogSegment(input.readSize("an offset"), readStream())),
        input.readSize("the size of a changelog"),
        input.readLong(),
        input.readUtf(),
        withStorageId ? input.readUtf() : null);
  }

  // ---- channel state ----

  /** What stands before an operator; each with its type since metadata version 6. */
  List<ChannelStateHandle.Input> readInputChannels(boolean typed) {
    return input.readList(MIN_CHANNEL_BYTES, () -> readInputChannel(typed));
  }

  private ChannelStateHandle.Input readInputChannel(boolean typed) {
    int type = typed ? input.readByte() : ChannelStateHandle.InputChannel.TYPE_CODE;
    return switch (type) {
      case ChannelStateHandle.InputChannel.TYPE_CODE ->
          readChannel(ChannelStateHandle.InputChannel::new);
      case ChannelStateHandle.MergedInputChannels.TYPE_CODE ->
          readMerged(ChannelStateHandle.MergedInputChannels::new);
      default -> throw unknown("input channel state", type);
    };
  }

  /** What stands behind an operator; each with its type since metadata version 6. */
  List<ChannelStateHandle.Output> readResultSubpartitions(boolean typed) {
    return input.readList(MIN_CHANNEL_BYTES, () -> readResultSubpartition(typed));
  }

  private ChannelStateHandle.Output readResultSubpartition(boolean typed) {
    int type = typed ? input.readByte() : ChannelStateHandle.ResultSubpartition.TYPE_CODE;
    return switch (type) {
      case ChannelStateHandle.ResultSubpartition.TYPE_CODE ->
          readChannel(ChannelStateHandle.ResultSubpartition::new);
      case ChannelStateHandle.MergedResultSubpartitions.TYPE_CODE ->
          readMerged(ChannelStateHandle.MergedResultSubpartitions::new);
      default -> throw unknown("result subpartition state", type);
    };
  }

  private interface ChannelFactory<T> {
    T create(
        int subtask,
        int group,
        int member,
        ImmutableLongArray offsets,
        long size,
        StreamHandle delegate);
  }

  private <T> T readChannel(ChannelFactory<T> factory) {
    return factory.create(
        input.readIndex("a subtask"),
        input.readInt(),
        input.readInt(),
        input.readCountedOffsets(),
        input.readSize("the size of channel state"),
        readStream());
  }

  private interface MergedFactory<T> {
    T create(int subtask, long size, StreamHandle delegate, Bytes offsets);
  }

  private <T> T readMerged(MergedFactory<T> factory) {
    return factory.create(
        input.readIndex("a subtask"),
        input.readSize("the size of channel state"),
        readStream(),
        input.readCountedBytes());
  }

  // ---- shared ----

  private <E> E constant(E[] constants, int ordinal, String what) {
    if (ordinal < 0 || ordinal >= constants.length) {
      throw unknown(what, ordinal);
    }
    return constants[ordinal];
  }

  private MalformedValueException unknown(String what, int code) {
    return input.malformed(
        "there is no " + what + " of type " + code + " that this version of StateSQL knows");
  }
}
