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
package io.statesql.format.keygroup;

import io.statesql.format.bytes.SnappyOutput;
import io.statesql.format.bytes.StateNumbers;
import io.statesql.snapshot.Bytes;
import io.statesql.type.StateInput;
import io.statesql.type.StateOutput;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Writes the entries of one key group in canonical form ({@code FullSnapshotAsyncWriter},
 * flink-runtime 2.3). All entries of a state must come one after the other. A key group without
 * entries takes no bytes. Not thread-safe.
 */
final class CanonicalGroupWriter implements Closeable {
  private final OutputStream target;
  private final boolean compressed;

  /** The newest entry, which is written once it is known whether it is the last of its state. */
  private final StateOutput entry = new StateOutput();

  private @Nullable OutputStream out;
  private int state = StateNumbers.END_OF_KEY_GROUP;

  /**
   * @param target stays open
   */
  CanonicalGroupWriter(OutputStream target, boolean compressed) {
    this.target = target;
    this.compressed = compressed;
  }

  /** Writes an entry behind those before. */
  void write(int entryState, Bytes key, StateInput value) throws IOException {
    writePrevious(entryState);
    entry.reset();
    entry.writeInt(key.length());
    entry.writeBytes(key.toByteArray());
    entry.writeInt(value.remaining());
    entry.writeRest(value);
  }

  private void writePrevious(int nextState) throws IOException {
    if (out == null) {
      out = compressed ? SnappyOutput.stream(target) : target;
      writeState(nextState);
      return;
    }
    if (nextState != state) {
      entry.array()[Integer.BYTES] |= (byte) CanonicalElements.LAST_OF_STATE;
    }
    out.write(entry.array(), 0, entry.length());
    if (nextState != state) {
      writeState(nextState);
    }
  }

  private void writeState(int nextState) throws IOException {
    out.write(nextState >>> Byte.SIZE);
    out.write(nextState);
    state = nextState;
  }

  /** Whether no entry was written. */
  boolean isEmpty() {
    return out == null;
  }

  /** Ends the key group. */
  @Override
  public void close() throws IOException {
    if (out != null) {
      writePrevious(StateNumbers.END_OF_KEY_GROUP);
      out.flush();
      if (compressed) {
        out.close();
      }
    }
  }
}
