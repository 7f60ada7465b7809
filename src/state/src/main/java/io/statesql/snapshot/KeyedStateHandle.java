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
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The keyed state of one subtask, as {@code _metadata} stores it (Flink 2.3.0, {@code
 * MetadataV2V3SerializerBase.deserializeKeyedStateHandle}). Immutable. A null {@code stateHandleId}
 * means that the form is older than these ids.
 */
public sealed interface KeyedStateHandle {
  /** The byte that stands for this kind and version of handle in {@code _metadata}. */
  int typeCode();

  KeyGroupRange keyGroups();

  /** How many bytes the state takes, over all of its streams. */
  long stateSize();

  /** One stream with an offset for each key group. */
  sealed interface KeyGroupStream extends KeyedStateHandle {
    ImmutableLongArray offsets();

    StreamHandle delegate();

    /** The same state in another stream. */
    KeyGroupStream in(StreamHandle stream);

    /** Other state of the same key groups. */
    KeyGroupStream rewritten(ImmutableLongArray newOffsets, StreamHandle stream);

    @Override
    default long stateSize() {
      return delegate().stateSize();
    }
  }

  /**
   * One stream with an offset for each key group: heap state in native form, or of old RocksDB
   * snapshots the canonical form; only the bytes tell. Raw keyed state has this form too.
   */
  record KeyGroups(
      KeyGroupRange keyGroups,
      ImmutableLongArray offsets,
      StreamHandle delegate,
      @Nullable String stateHandleId)
      implements KeyGroupStream {
    static final int OLD_TYPE_CODE = 3;
    static final int TYPE_CODE = 12;

    @Override
    public int typeCode() {
      return stateHandleId == null ? OLD_TYPE_CODE : TYPE_CODE;
    }

    @Override
    public KeyGroups in(StreamHandle stream) {
      return new KeyGroups(keyGroups, offsets, stream, stateHandleId);
    }

    @Override
    public KeyGroups rewritten(ImmutableLongArray newOffsets, StreamHandle stream) {
      String newId = stateHandleId == null ? null : UUID.randomUUID().toString();
      return new KeyGroups(keyGroups, newOffsets, stream, newId);
    }
  }

  /** One stream in canonical form; an offset of 0 means that the key group is empty. */
  record KeyGroupsSavepoint(
      KeyGroupRange keyGroups, ImmutableLongArray offsets, StreamHandle delegate)
      implements KeyGroupStream {
    static final int TYPE_CODE = 7;

    @Override
    public int typeCode() {
      return TYPE_CODE;
    }

    @Override
    public KeyGroupsSavepoint in(StreamHandle stream) {
      return new KeyGroupsSavepoint(keyGroups, offsets, stream);
    }

    @Override
    public KeyGroupsSavepoint rewritten(ImmutableLongArray newOffsets, StreamHandle stream) {
      return new KeyGroupsSavepoint(keyGroups, newOffsets, stream);
    }
  }

  /**
   * The files of an embedded database such as RocksDB.
   *
   * @param backendId of the state backend that wrote it: a UUID, or an older free text
   * @param checkpointedSize bytes that this checkpoint added; {@link #UNKNOWN_SIZE} in the old form
   * @param metadata a stream with the serializers alone
   * @param shared files that several checkpoints may use
   * @param privateFiles files of this checkpoint alone
   */
  record Incremental(
      long checkpointId,
      String backendId,
      KeyGroupRange keyGroups,
      long checkpointedSize,
      StreamHandle metadata,
      List<LocalFile> shared,
      List<LocalFile> privateFiles,
      @Nullable String stateHandleId)
      implements KeyedStateHandle {
    static final int OLD_TYPE_CODE = 5;
    static final int TYPE_CODE = 11;

    /** The {@code checkpointedSize} of a form that does not store it. */
    public static final long UNKNOWN_SIZE = -1;

    public Incremental {
      shared = List.copyOf(shared);
      privateFiles = List.copyOf(privateFiles);
    }

    @Override
    public int typeCode() {
      return stateHandleId == null ? OLD_TYPE_CODE : TYPE_CODE;
    }

    @Override
    public long stateSize() {
      return StateSizes.sum(
          metadata.stateSize(),
          StateSizes.sum(shared, file -> file.handle().stateSize()),
          StateSizes.sum(privateFiles, file -> file.handle().stateSize()));
    }
  }

  /**
   * One file of an embedded database.
   *
   * @param localPath its name in the folder of the database; comes from the snapshot, so check it
   *     before a file is created by it
   */
  record LocalFile(String localPath, StreamHandle handle) {}

  /**
   * What the changelog state backend wrote: materialized state, and the changes since.
   *
   * @param checkpointId null in the old form, which Flink then takes to be the materialization id
   */
  record Changelog(
      KeyGroupRange keyGroups,
      long checkpointedSize,
      List<KeyedStateHandle> materialized,
      List<ChangelogPart> nonMaterialized,
      long materializationId,
      @Nullable Long checkpointId,
      String stateHandleId)
      implements KeyedStateHandle {
    static final int OLD_TYPE_CODE = 8;
    static final int TYPE_CODE = 14;

    public Changelog {
      materialized = List.copyOf(materialized);
      nonMaterialized = List.copyOf(nonMaterialized);
    }

    @Override
    public int typeCode() {
      return checkpointId == null ? OLD_TYPE_CODE : TYPE_CODE;
    }

    @Override
    public long stateSize() {
      return StateSizes.sum(
          StateSizes.sum(materialized, KeyedStateHandle::stateSize),
          StateSizes.sum(nonMaterialized, KeyedStateHandle::stateSize));
    }
  }

  /** A run of changes. */
  sealed interface ChangelogPart extends KeyedStateHandle {}

  /**
   * Changes inside of {@code _metadata} itself.
   *
   * @param from the first sequence number
   * @param to the sequence number after the last
   */
  record InMemoryChangelog(
      KeyGroupRange keyGroups, long from, long to, List<StateChange> changes, String stateHandleId)
      implements ChangelogPart {
    static final int TYPE_CODE = 9;

    public InMemoryChangelog {
      changes = List.copyOf(changes);
    }

    @Override
    public int typeCode() {
      return TYPE_CODE;
    }

    @Override
    public long stateSize() {
      return StateSizes.sum(changes, change -> change.change().length());
    }
  }

  /**
   * One change.
   *
   * @param keyGroup the key group of its key; {@link #METADATA} when it describes a state
   */
  record StateChange(int keyGroup, Bytes change) {
    /** The key group of changes that describe a state. */
    public static final int METADATA = -1;
  }

  /**
   * Changes in files.
   *
   * @param segments in order of time
   * @param stateSize bytes of the changes, as the writer counted them
   * @param checkpointedSize bytes that this checkpoint added
   * @param storageId names the changelog storage; null in the old form, always "filesystem"
   */
  record ChangelogStream(
      KeyGroupRange keyGroups,
      List<ChangelogSegment> segments,
      long stateSize,
      long checkpointedSize,
      String stateHandleId,
      @Nullable String storageId)
      implements ChangelogPart {
    static final int OLD_TYPE_CODE = 10;
    static final int TYPE_CODE = 13;

    public ChangelogStream {
      segments = List.copyOf(segments);
    }

    @Override
    public int typeCode() {
      return storageId == null ? OLD_TYPE_CODE : TYPE_CODE;
    }
  }

  /** Changes from an offset of a stream on. */
  record ChangelogSegment(long offset, StreamHandle handle) {}
}
