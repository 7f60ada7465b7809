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
package io.statesql.format.operator;

import com.google.common.io.ByteStreams;
import io.statesql.format.bytes.SnappyOutput;
import io.statesql.format.model.KeyedElement;
import io.statesql.format.model.OperatorExtents;
import io.statesql.format.model.OperatorSplit;
import io.statesql.format.model.OperatorStateMeta;
import io.statesql.format.model.SubtaskFile;
import io.statesql.snapshot.Bytes;
import io.statesql.snapshot.Snapshot;
import io.statesql.snapshot.StateFile;
import io.statesql.type.StateOutput;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.util.LinkedHashMap;
import java.util.Map;

/** The file behind a handle of operator state, to be carried part by part. Not thread-safe. */
public final class OperatorStateFile implements Closeable {
  private final Snapshot snapshot;
  private final OperatorSplit split;
  private final StateFile file;

  private OperatorStateFile(Snapshot snapshot, OperatorSplit split, StateFile file) {
    this.snapshot = snapshot;
    this.split = split;
    this.file = file;
  }

  /**
   * Opens the file of a split.
   *
   * @return to be closed by the caller
   * @throws io.statesql.StateSqlException if the file cannot be had
   */
  public static OperatorStateFile open(Snapshot snapshot, OperatorSplit split) {
    return new OperatorStateFile(
        snapshot,
        split,
        SubtaskFile.open(snapshot, split.operator(), split.subtask(), split.handle().delegate()));
  }

  /** Copies the header, up to the first element of any state. */
  public void copyHeader(OutputStream out) throws IOException {
    file.seek(0);
    ByteStreams.limit(file, OperatorExtents.start(split.handle(), file.length())).transferTo(out);
  }

  /** Bytes of all elements of a state. */
  public long length(String state) {
    return split.extents().of(state).length();
  }

  /** Offset in the file of the first element of a state; 0 if there is none. */
  public long start(String state) {
    OperatorExtents.Extent extent = split.extents().of(state);
    return extent.count() == 0 ? 0 : extent.start(0);
  }

  /** Copies all elements of a state. */
  public void copy(String state, OutputStream out) throws IOException {
    file.seek(start(state));
    ByteStreams.limit(file, length(state)).transferTo(out);
  }

  /**
   * Writes an element, or the whole of a BROADCAST state, compressed if the handle is.
   *
   * @param bytes as its serializer writes it
   */
  public void write(byte[] bytes, OutputStream out) throws IOException {
    out.write(split.header().compressed() ? SnappyOutput.chunks(bytes) : bytes);
  }

  /**
   * The entries of a BROADCAST state, in stored order.
   *
   * @throws io.statesql.StateSqlException if the bytes are not what the format says
   */
  public Map<Bytes, Bytes> entries(OperatorStateMeta state) {
    Map<Bytes, Bytes> entries = new LinkedHashMap<>();
    try (OperatorElements elements = OperatorElements.open(snapshot, split, state, true)) {
      while (elements.next()) {
        KeyedElement element = elements.element();
        entries.put(Bytes.rest(element.mapKey), Bytes.rest(element.value));
      }
    }
    return entries;
  }

  /** The bytes of a BROADCAST state with such entries. */
  public static byte[] ofEntries(Map<Bytes, Bytes> entries) {
    StateOutput out = new StateOutput();
    out.writeInt(entries.size());
    entries.forEach(
        (key, value) -> {
          out.writeBytes(key.toByteArray());
          out.writeBytes(value.toByteArray());
        });
    return out.toByteArray();
  }

  @Override
  public void close() {
    file.close();
  }
}
