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
package io.statesql.format.rocksdb;

import io.statesql.type.MalformedValueException;
import java.util.Arrays;

/**
 * Reads numbers and byte strings as RocksDB encodes them (util/coding.h), within bounds. Not
 * thread-safe.
 */
final class RocksDbInput {
  private static final int VARINT_BITS = 7;
  private static final long MAX_32 = 0xFFFFFFFFL;

  private final byte[] bytes;
  private final int limit;
  private final Faults faults;
  private int position;

  /** Says where a fault is that was seen at a position of the bytes. */
  interface Faults {
    MalformedValueException at(int position, String reason);
  }

  RocksDbInput(byte[] bytes, int start, int limit, Faults faults) {
    this.bytes = bytes;
    this.position = start;
    this.limit = limit;
    this.faults = faults;
  }

  byte[] bytes() {
    return bytes;
  }

  int position() {
    return position;
  }

  int remaining() {
    return limit - position;
  }

  boolean isAtEnd() {
    return position == limit;
  }

  MalformedValueException fault(int at, String reason) {
    return faults.at(at, reason);
  }

  long varint64() {
    int start = position;
    long value = 0;
    for (int shift = 0; shift < Long.SIZE; shift += VARINT_BITS) {
      if (position == limit) {
        throw fault(start, "a number reaches beyond the end");
      }
      byte next = bytes[position++];
      value |= (next & 0x7FL) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw fault(start, "a number never ends");
  }

  /** Without sign. */
  long varint32() {
    int start = position;
    long value = varint64();
    if (value < 0 || value > MAX_32) {
      throw fault(start, "a number is too large");
    }
    return value;
  }

  /** A number with a sign: {@code PutVarsignedint64}. */
  long signedVarint64() {
    long zigzag = varint64();
    return (zigzag >>> 1) ^ -(zigzag & 1);
  }

  int unsignedByte() {
    return bytes[skip(1)] & 0xFF;
  }

  /** Goes back to where this has been. */
  void back(int earlier) {
    position = earlier;
  }

  /** Passes over bytes, and tells where they begin. */
  int skip(long length) {
    if (length > remaining()) {
      throw fault(position, "a length of " + length + " reaches beyond the end");
    }
    int start = position;
    position += (int) length;
    return start;
  }

  /** The bytes of a string with its length before it, as an input of its own. */
  RocksDbInput string() {
    long length = varint32();
    int start = skip(length);
    return new RocksDbInput(bytes, start, position, faults);
  }

  byte[] rest() {
    byte[] result = Arrays.copyOfRange(bytes, position, limit);
    position = limit;
    return result;
  }

  void requireEnd() {
    if (position != limit) {
      throw fault(position, "bytes are left over");
    }
  }
}
