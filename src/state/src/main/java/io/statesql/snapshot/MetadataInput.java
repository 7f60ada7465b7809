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
import io.statesql.type.MalformedValueException;
import io.statesql.type.StateInput;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * The bytes of one {@code _metadata} file as its parts are built from: scalars, counted lists,
 * windows of bytes. Keeps account of the memory that the model takes, so that small bytes cannot
 * become a large model, and of how deep handles nest.
 */
final class MetadataInput {
  /** A generous estimate of what one element of a list takes in memory. */
  private static final int BYTES_PER_ELEMENT = 256;

  /** Handles nest three deep at most in what Flink writes. */
  private static final int MAX_DEPTH = 8;

  private final StateInput input;
  private final long memoryLimit;
  private long memory;
  private int depth;

  MetadataInput(byte[] file, long memoryLimit) {
    this.input = new StateInput(file);
    this.memoryLimit = memoryLimit;
    charge(file.length);
  }

  byte readByte() {
    return input.readByte();
  }

  int readInt() {
    return input.readInt();
  }

  long readLong() {
    return input.readLong();
  }

  String readUtf() {
    return input.readUtf();
  }

  boolean readBoolean() {
    return input.readBoolean();
  }

  /** Four bytes that stand for a boolean. */
  boolean readIntFlag() {
    int value = input.readInt();
    if (value != 0 && value != 1) {
      throw malformed("expected a flag (0 or 1) but found " + value);
    }
    return value == 1;
  }

  /** A number that cannot be negative, such as a size or a position in a file. */
  long readSize(String what) {
    long value = input.readLong();
    if (value < 0) {
      throw malformed(what + " is negative (" + value + ")");
    }
    return value;
  }

  /** As {@link #readSize}, of four bytes. */
  int readIndex(String what) {
    int value = input.readInt();
    if (value < 0) {
      throw malformed(what + " is negative (" + value + ")");
    }
    return value;
  }

  KeyGroupRange readKeyGroupRange() {
    int start = input.readInt();
    int count = input.readInt();
    if (start < 0 || count < 0 || start > KeyGroupRange.MAX_KEY_GROUPS - count) {
      throw malformed("a range of " + count + " key groups from " + start + " cannot be right");
    }
    return new KeyGroupRange(start, count);
  }

  /** A number of offsets that is known already. */
  ImmutableLongArray readOffsets(int count) {
    if ((long) count * Long.BYTES > input.remaining()) {
      throw malformed(count + " offsets are needed but only " + input.remaining() + " bytes left");
    }
    charge((long) count * Long.BYTES);
    ImmutableLongArray.Builder offsets = ImmutableLongArray.builder(count);
    for (int i = 0; i < count; i++) {
      offsets.add(input.readLong());
    }
    return offsets.build();
  }

  /** A count, then as many offsets. */
  ImmutableLongArray readCountedOffsets() {
    return readOffsets(input.readCount(Long.BYTES));
  }

  /** A length, then as many bytes, not copied. */
  Bytes readCountedBytes() {
    return readWindow(input.readCount(1));
  }

  /** Everything that is left, not copied. */
  Bytes readRest() {
    return readWindow(input.remaining());
  }

  private Bytes readWindow(int length) {
    Bytes window = Bytes.window(input.array(), input.position(), length);
    input.skip(length);
    return window;
  }

  /** A length, then that many bytes which the reader must consume wholly. */
  <T> T readFramed(Supplier<T> reader) {
    int length = input.readCount(1);
    int end = input.position() + length;
    T value = reader.get();
    if (input.position() != end) {
      throw malformed(
          "a part of "
              + length
              + " bytes ends at offset "
              + end
              + " but its content ends at "
              + input.position());
    }
    return value;
  }

  /** A count, then as many elements. */
  <T> List<T> readList(int minimumBytes, Supplier<T> element) {
    return readList(input.readCount(minimumBytes), minimumBytes, element);
  }

  /** A number of elements that is known already. */
  <T> List<T> readList(int count, int minimumBytes, Supplier<T> element) {
    if ((long) count * minimumBytes > input.remaining()) {
      throw malformed(
          "a count of "
              + count
              + " cannot be right: only "
              + input.remaining()
              + " bytes are left");
    }
    charge((long) count * BYTES_PER_ELEMENT);
    List<T> list = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      list.add(element.get());
    }
    return list;
  }

  /** Reads something that may contain its own kind. */
  <T> T nested(Supplier<T> reader) {
    if (++depth > MAX_DEPTH) {
      throw malformed("state handles are nested more than " + MAX_DEPTH + " deep");
    }
    T value = reader.get();
    depth--;
    return value;
  }

  /** Where the next byte stands in the file. */
  long offset() {
    return input.offset();
  }

  void requireEnd() {
    input.requireEnd();
  }

  MalformedValueException malformed(String reason) {
    return new MalformedValueException(input.offset(), reason);
  }

  private void charge(long bytes) {
    memory += bytes;
    if (memory > memoryLimit) {
      throw new MetadataTooLargeException(memoryLimit);
    }
  }
}
