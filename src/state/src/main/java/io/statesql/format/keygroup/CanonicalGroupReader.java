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

import io.statesql.format.bytes.BlockInput;
import io.statesql.format.bytes.SnappyFrames;
import io.statesql.format.bytes.StateNumbers;
import io.statesql.snapshot.Bytes;
import io.statesql.type.MalformedValueException;
import io.statesql.type.StateInput;
import java.io.IOException;

/**
 * Walks the entries of one key group in canonical form without looking into them; see {@link
 * CanonicalElements} for the form. Not thread-safe.
 */
final class CanonicalGroupReader {
  private final StateNumbers numbers;
  private final BlockInput in = new BlockInput(KeyGroupFile.maxEntryBytes());
  private final StateInput window = new StateInput();
  private int nextState;
  private int state;
  private Bytes key = Bytes.EMPTY;
  private int valueStart;
  private int valueLength;

  /**
   * @param index of a key group that is not empty
   */
  CanonicalGroupReader(KeyGroupFile file, int index) throws IOException {
    this.numbers = new StateNumbers(file.split().header().states().size());
    if (file.split().header().compressed()) {
      in.reset(new SnappyFrames(file.bytes(index), file.start(index)), 0);
    } else {
      in.reset(file.bytes(index), file.start(index));
    }
    in.mark();
    this.nextState = in.readUnsignedShort();
    requireState();
  }

  private void requireState() throws IOException {
    if (nextState == StateNumbers.END_OF_KEY_GROUP) {
      in.requireEnd();
    } else {
      numbers.next(nextState, in.offset() - Short.BYTES);
    }
  }

  /**
   * Moves to the next entry.
   *
   * @return false after the last one
   * @throws MalformedValueException if the bytes are not of this form
   */
  boolean next() throws IOException {
    if (nextState == StateNumbers.END_OF_KEY_GROUP) {
      return false;
    }
    state = nextState;
    in.mark();
    int keyLength = in.readInt();
    if (keyLength < 1) {
      throw new MalformedValueException(
          in.offset() - Integer.BYTES, "a key cannot have the length " + keyLength);
    }
    int keyStart = in.readBlock(keyLength);
    valueLength = in.readInt();
    valueStart = in.readBlock(valueLength);
    if ((in.byteAt(keyStart) & CanonicalElements.LAST_OF_STATE) != 0) {
      in.clearBits(keyStart, CanonicalElements.LAST_OF_STATE);
      nextState = in.readUnsignedShort();
      requireState();
    }
    key = Bytes.rest(in.window(window, keyStart, keyLength));
    return true;
  }

  /** The number of the present entry's state in the header. */
  int state() {
    return state;
  }

  /** The composite key of the present entry. */
  Bytes key() {
    return key;
  }

  /** The value of the present entry; valid until the next call of {@link #next}. */
  StateInput value() {
    return in.window(window, valueStart, valueLength);
  }
}
