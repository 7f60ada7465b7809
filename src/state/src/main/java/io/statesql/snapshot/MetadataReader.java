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

import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import io.statesql.type.MalformedValueException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code _metadata} files of versions {@value #MIN_VERSION} to {@value #MAX_VERSION}, those
 * of Flink 1.3 to 2.3 (Flink 2.3.0, {@code Checkpoints.loadCheckpointMetadata} and the {@code
 * MetadataV*Serializer} classes). Counts are checked against what is left of the file before
 * anything is allocated by them, and no Java object in the file is deserialized.
 */
final class MetadataReader {
  static final int MAGIC = 0x4960672D;
  static final int MIN_VERSION = 2;
  static final int MAX_VERSION = 6;

  static final int COORDINATORS_SINCE = 3;
  private static final int PROPERTIES_SINCE = 4;
  static final int NAMES_SINCE = 5;
  static final int TYPED_CHANNELS_SINCE = 6;

  static final int MASTER_STATE_MAGIC = 0xC96B1696;

  /** Stands for the count of the subtasks of an operator all of which had finished. */
  static final int FULLY_FINISHED = -1;

  private static final int MIN_MASTER_STATE_BYTES = 18;
  private static final int MIN_OPERATOR_BYTES = 28;
  private static final int MIN_SUBTASK_BYTES = 4;

  private final String location;
  private final MetadataInput input;
  private final StateHandleReader handles;
  private int version;

  /** What is being read, for error messages; empty at the start. */
  private String where = "";

  private MetadataReader(String location, MetadataInput input) {
    this.location = location;
    this.input = input;
    this.handles = new StateHandleReader(input);
  }

  /**
   * @param file all bytes of the file; the result keeps windows of it, so leave it unchanged
   * @param location the path or URI of the file, for error messages
   * @throws StateSqlException when the bytes are not a snapshot's metadata, or of a version that we
   *     do not read, or damaged
   */
  static SnapshotMetadata read(byte[] file, String location) {
    return read(file, location, Runtime.getRuntime().maxMemory() / 2);
  }

  /**
   * @param memoryLimit how many bytes the file and the model may take, by a generous estimate
   */
  static SnapshotMetadata read(byte[] file, String location, long memoryLimit) {
    try {
      MetadataInput input = new MetadataInput(file, memoryLimit);
      return new MetadataReader(location, input).readFile();
    } catch (MetadataTooLargeException e) {
      throw new StateSqlException(
          ErrorCode.UNSUPPORTED_SNAPSHOT, "The metadata " + location + " " + e.getMessage(), e);
    }
  }

  /**
   * Reads what stands at the start of a file.
   *
   * @param start at least {@link SnapshotHeader#BYTES} bytes, unless the file is shorter
   * @throws StateSqlException as {@link #read(byte[], String)}
   */
  static SnapshotHeader readHeader(byte[] start, String location) {
    MetadataReader reader = new MetadataReader(location, new MetadataInput(start, start.length));
    return reader.explainingDamage(reader::readHeader);
  }

  private SnapshotMetadata readFile() {
    return explainingDamage(
        () -> {
          SnapshotHeader header = readHeader();
          List<MasterState> masterStates =
              input.readList(MIN_MASTER_STATE_BYTES, this::readMasterState);
          List<OperatorState> operators = readOperators();
          where = "";
          SnapshotProperties properties = readProperties();
          return new SnapshotMetadata(
              location,
              header.version(),
              header.checkpointId(),
              masterStates,
              operators,
              properties);
        });
  }

  private <T> T explainingDamage(Supplier<T> reading) {
    try {
      return reading.get();
    } catch (MalformedValueException e) {
      throw new StateSqlException(
          ErrorCode.MALFORMED_SNAPSHOT,
          "The metadata "
              + location
              + " is damaged or truncated: at byte "
              + e.offset()
              + where
              + ", "
              + e.getMessage()
              + ".",
          e);
    }
  }

  private SnapshotHeader readHeader() {
    if (input.readInt() != MAGIC) {
      throw new StateSqlException(
          ErrorCode.NOT_A_SNAPSHOT,
          location + " is not a snapshot: it does not start as Flink's metadata does.");
    }
    version = input.readInt();
    if (version > MAX_VERSION) {
      throw unsupported(
          "newer metadata version "
              + version
              + ": written by a newer Flink than this StateSQL knows (it reads versions "
              + MIN_VERSION
              + " to "
              + MAX_VERSION
              + ").");
    }
    if (version < MIN_VERSION) {
      throw unsupported(
          "metadata version "
              + version
              + ", which no Flink since 1.3 writes (StateSQL reads versions "
              + MIN_VERSION
              + " to "
              + MAX_VERSION
              + ").");
    }
    return new SnapshotHeader(version, input.readSize("the checkpoint id"));
  }

  private StateSqlException unsupported(String reason) {
    return new StateSqlException(
        ErrorCode.UNSUPPORTED_SNAPSHOT, "The snapshot " + location + " has the " + reason);
  }

  private MasterState readMasterState() {
    if (input.readInt() != MASTER_STATE_MAGIC) {
      throw input.malformed("a master state does not start as it should");
    }
    return input.readFramed(
        () -> new MasterState(input.readInt(), input.readUtf(), input.readCountedBytes()));
  }

  private List<OperatorState> readOperators() {
    Set<OperatorId> seen = new HashSet<>();
    return input.readList(
        MIN_OPERATOR_BYTES,
        () -> {
          where = " (operator " + (seen.size() + 1) + ")";
          OperatorState operator = readOperator();
          if (!seen.add(operator.id())) {
            throw input.malformed("the operator " + operator.id() + " stands there twice");
          }
          return operator;
        });
  }

  private OperatorState readOperator() {
    String name = version >= NAMES_SINCE ? emptyToNull(input.readUtf()) : null;
    String uid = version >= NAMES_SINCE ? emptyToNull(input.readUtf()) : null;
    OperatorId id = new OperatorId(input.readLong(), input.readLong());
    where = " (operator " + (uid == null ? id.hex() : uid) + ")";
    int parallelism = input.readIndex("a parallelism");
    int maxParallelism = input.readInt();
    if (parallelism > maxParallelism || maxParallelism > KeyGroupRange.MAX_KEY_GROUPS) {
      throw input.malformed(
          "a parallelism of " + parallelism + " of at most " + maxParallelism + " cannot be right");
    }
    StreamHandle.ByteStream coordinatorState = null;
    if (version >= COORDINATORS_SINCE) {
      coordinatorState = readCoordinatorState();
    } else {
      // the length of the chain before Flink 1.3, unused since
      input.readInt();
    }
    int subtaskCount = input.readInt();
    if (subtaskCount < 0) {
      if (version < COORDINATORS_SINCE
          || subtaskCount != FULLY_FINISHED
          || coordinatorState != null) {
        throw input.malformed("a count of " + subtaskCount + " subtasks cannot be right");
      }
      return new OperatorState(id, name, uid, parallelism, maxParallelism, null, true, List.of());
    }
    return new OperatorState(
        id,
        name,
        uid,
        parallelism,
        maxParallelism,
        coordinatorState,
        false,
        readSubtasks(subtaskCount, parallelism));
  }

  private StreamHandle.@Nullable ByteStream readCoordinatorState() {
    StreamHandle handle = handles.readNullableStream();
    if (handle == null || handle instanceof StreamHandle.ByteStream) {
      return (StreamHandle.ByteStream) handle;
    }
    throw input.malformed("the state of an operator coordinator must stand in the metadata");
  }

  private List<SubtaskState> readSubtasks(int count, int parallelism) {
    Set<Integer> seen = new HashSet<>();
    return input.readList(
        count,
        MIN_SUBTASK_BYTES,
        () -> {
          int stored = input.readInt();
          boolean finished = stored < 0 && version >= COORDINATORS_SINCE;
          int index = finished ? -(stored + 1) : stored;
          if (index < 0 || index >= parallelism || !seen.add(index)) {
            throw input.malformed(
                "a state of subtask " + index + " of " + parallelism + " cannot be right");
          }
          return finished ? SubtaskState.finished(index) : readSubtask(index);
        });
  }

  private SubtaskState readSubtask(int index) {
    if (version < COORDINATORS_SINCE) {
      // a duration, unused
      input.readLong();
      if (input.readInt() != 0) {
        throw input.malformed("state of Flink 1.1 or before is not supported");
      }
    }
    boolean channels = version >= COORDINATORS_SINCE;
    boolean typedChannels = version >= TYPED_CHANNELS_SINCE;
    return new SubtaskState(
        index,
        false,
        input.readIntFlag() ? handles.readOperatorState() : null,
        input.readIntFlag() ? handles.readOperatorState() : null,
        handles.readNullableKeyedState(),
        handles.readNullableKeyedState(),
        channels ? handles.readInputChannels(typedChannels) : List.of(),
        channels ? handles.readResultSubpartitions(typedChannels) : List.of());
  }

  private SnapshotProperties readProperties() {
    if (version < PROPERTIES_SINCE) {
      input.requireEnd();
      return SnapshotProperties.NONE;
    }
    long offset = input.offset();
    return SnapshotProperties.parse(input.readRest(), offset);
  }

  private static @Nullable String emptyToNull(String text) {
    return text.isEmpty() ? null : text;
  }
}
