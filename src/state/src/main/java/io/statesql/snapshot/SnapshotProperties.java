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

import io.statesql.type.MalformedValueException;
import io.statesql.type.StateInput;
import io.statesql.type.objectstream.ObjectStreamReader;
import io.statesql.type.objectstream.StreamContent.JavaEnum;
import io.statesql.type.objectstream.StreamContent.JavaObject;
import io.statesql.type.objectstream.StreamContent.UnknownContentException;
import org.jspecify.annotations.Nullable;

/**
 * What stands behind the operators in {@code _metadata} since version 4: Flink's {@code
 * CheckpointProperties} as one Java object stream. It is parsed, never deserialized.
 *
 * @param stored the stream as it stands in the file; empty before version 4
 * @param kind null when the stream does not say
 * @param savepointFormat null when the stream does not say, and for checkpoints
 */
public record SnapshotProperties(
    Bytes stored, @Nullable Kind kind, @Nullable SavepointFormat savepointFormat) {
  /** Of snapshots before metadata version 4. */
  public static final SnapshotProperties NONE = new SnapshotProperties(Bytes.EMPTY, null, null);

  /** Who asked for a snapshot. */
  public enum Kind {
    CHECKPOINT,
    SAVEPOINT
  }

  /** The form of a savepoint's state: Flink's {@code SavepointFormatType}. */
  public enum SavepointFormat {
    CANONICAL,
    NATIVE
  }

  private static final String CHECKPOINTS = "org.apache.flink.runtime.checkpoint.";

  /** Real streams take about 1 KB; a far longer one is kept but not parsed. */
  private static final int MAX_PARSED_BYTES = 1 << 16;

  /**
   * @param stored everything behind the operators
   * @param offset where it stands in the file, for error messages
   * @throws MalformedValueException when it is no object stream, or cut off
   */
  static SnapshotProperties parse(Bytes stored, long offset) {
    if (stored.length() > MAX_PARSED_BYTES) {
      return new SnapshotProperties(stored, null, null);
    }
    try {
      byte[] bytes = stored.toByteArray();
      StateInput in = new StateInput().reset(bytes, 0, bytes.length, offset);
      Object root = ObjectStreamReader.read(in);
      in.requireEnd();
      return of(stored, root);
    } catch (UnknownContentException e) {
      // another Flink may write other properties; they do not matter for reading the state
      return new SnapshotProperties(stored, null, null);
    }
  }

  /** Takes the fields of Flink's CheckpointProperties and its SnapshotType. */
  private static SnapshotProperties of(Bytes stored, @Nullable Object root) {
    Kind kind = null;
    SavepointFormat format = null;
    if (root instanceof JavaObject properties
        && properties.className().equals(CHECKPOINTS + "CheckpointProperties")
        && properties.fields().get("checkpointType") instanceof JavaObject type) {
      if (type.className().equals(CHECKPOINTS + "CheckpointType")) {
        kind = Kind.CHECKPOINT;
      } else if (type.className().equals(CHECKPOINTS + "SavepointType")) {
        kind = Kind.SAVEPOINT;
        format = savepointFormat(type.fields().get("formatType"));
      }
    }
    return new SnapshotProperties(stored, kind, format);
  }

  private static @Nullable SavepointFormat savepointFormat(@Nullable Object formatType) {
    if (formatType instanceof JavaEnum constant) {
      for (SavepointFormat format : SavepointFormat.values()) {
        if (format.name().equals(constant.constant())) {
          return format;
        }
      }
    }
    return null;
  }
}
