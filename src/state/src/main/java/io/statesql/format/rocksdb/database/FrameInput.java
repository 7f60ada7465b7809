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
package io.statesql.format.rocksdb.database;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;

/**
 * A frame of {@link ReaderProtocol}, of a process that is not trusted: whoever reads beyond its end
 * gets a {@link BufferUnderflowException}. Not thread-safe.
 */
final class FrameInput {
  private final ByteBuffer bytes;

  private FrameInput(byte[] bytes) {
    this.bytes = ByteBuffer.wrap(bytes);
  }

  /**
   * Reads a frame with its length before it.
   *
   * @param limit how long it may be
   * @throws StreamCorruptedException if it says that it is longer
   */
  static FrameInput read(DataInputStream in, int limit) throws IOException {
    int length = in.readInt();
    if (length < 1 || length > limit) {
      throw new StreamCorruptedException("a frame of " + length + " bytes");
    }
    byte[] bytes = new byte[length];
    in.readFully(bytes);
    return new FrameInput(bytes);
  }

  byte kind() {
    return bytes.get();
  }

  int number() {
    return bytes.getInt();
  }

  /** A length or count, which is at least 0. */
  int count() {
    int count = bytes.getInt();
    if (count < 0) {
      throw new BufferUnderflowException();
    }
    return count;
  }

  boolean flag() {
    return bytes.get() != 0;
  }

  /** Passes over bytes, and tells where in {@link #bytes()} they begin. */
  int skip(int length) {
    if (length < 0 || length > bytes.remaining()) {
      throw new BufferUnderflowException();
    }
    int start = bytes.position();
    bytes.position(start + length);
    return start;
  }

  byte[] string() {
    int length = count();
    if (length > bytes.remaining()) {
      throw new BufferUnderflowException();
    }
    byte[] result = new byte[length];
    bytes.get(result);
    return result;
  }

  String text() {
    return new String(string(), UTF_8);
  }

  boolean isAtEnd() {
    return !bytes.hasRemaining();
  }

  /** All of the frame. */
  byte[] bytes() {
    return bytes.array();
  }
}
