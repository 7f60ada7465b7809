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

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What stands behind the operators in {@code _metadata} since version 4: Flink's {@code
 * CheckpointProperties} as one Java object stream. It is never deserialized; a look for the names
 * of its classes says what the snapshot is.
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
  private static final byte[] HEADER = {(byte) 0xAC, (byte) 0xED, 0x00, 0x05};
  private static final char TC_CLASSDESC = 0x72;
  private static final char TC_STRING = 0x74;

  /** Real streams take about 1 KB; a longer one is not looked through. */
  private static final int MAX_LOOK = 1 << 16;

  /** Whether bytes start as each Java object stream does: a magic number and version 5. */
  static boolean isObjectStream(Bytes stored) {
    if (stored.length() <= HEADER.length) {
      return false;
    }
    byte[] start = new byte[HEADER.length];
    stored.copyTo(0, start, 0, start.length);
    return Arrays.equals(start, HEADER);
  }

  static SnapshotProperties of(Bytes stored) {
    if (stored.length() > MAX_LOOK) {
      return new SnapshotProperties(stored, null, null);
    }
    String stream = new String(stored.toByteArray(), ISO_8859_1);
    boolean checkpoint = stream.contains(named(TC_CLASSDESC, CHECKPOINTS + "CheckpointType"));
    boolean savepoint = stream.contains(named(TC_CLASSDESC, CHECKPOINTS + "SavepointType"));
    if (checkpoint == savepoint) {
      return new SnapshotProperties(stored, null, null);
    }
    return checkpoint
        ? new SnapshotProperties(stored, Kind.CHECKPOINT, null)
        : new SnapshotProperties(stored, Kind.SAVEPOINT, savepointFormat(stream));
  }

  private static @Nullable SavepointFormat savepointFormat(String stream) {
    int enumType =
        stream.indexOf(named(TC_CLASSDESC, "org.apache.flink.core.execution.SavepointFormatType"));
    if (enumType < 0) {
      return null;
    }
    boolean canonical = stream.indexOf(named(TC_STRING, "CANONICAL"), enumType) > 0;
    boolean nativeFormat = stream.indexOf(named(TC_STRING, "NATIVE"), enumType) > 0;
    if (canonical == nativeFormat) {
      return null;
    }
    return canonical ? SavepointFormat.CANONICAL : SavepointFormat.NATIVE;
  }

  /** A type code of the stream protocol, and the name that follows it with two bytes of length. */
  private static String named(char typeCode, String name) {
    return "" + typeCode + (char) (name.length() >>> 8) + (char) (name.length() & 0xFF) + name;
  }
}
