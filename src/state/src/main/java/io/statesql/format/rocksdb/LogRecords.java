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
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the records of a log: blocks of 32 KB with fragments of records, each with a checksum
 * (db/log_format.h of RocksDB 8.10). Not thread-safe.
 */
final class LogRecords {
  private static final int BLOCK = 1 << 15;

  /** Checksum, length and type. */
  private static final int HEADER = 7;

  private static final int CHECKED_FROM = 6;

  /** Logs that are used again say in each fragment which log it is of. */
  private static final int LOG_NUMBER = 4;

  private static final int ZERO = 0;
  private static final int FULL = 1;
  private static final int FIRST = 2;
  private static final int LAST = 4;
  private static final int RECYCLABLE = 4;

  private final InputStream in;
  private byte[] block = new byte[0];
  private long blockStart;
  private int position;
  private long recordStart;

  LogRecords(InputStream in) {
    this.in = in;
  }

  /** Where the present record begins in the file. */
  long recordStart() {
    return recordStart;
  }

  /**
   * The next record.
   *
   * @return null at the end
   * @throws MalformedValueException if a fragment is damaged or missing
   */
  byte @Nullable [] next() throws IOException {
    ByteArrayOutputStream record = new ByteArrayOutputStream();
    boolean isOpen = false;
    while (true) {
      if (!startFragment()) {
        if (isOpen) {
          throw fault("the last record breaks off");
        }
        return null;
      }
      int type = block[position + CHECKED_FROM];
      if (type > RECYCLABLE) {
        type -= RECYCLABLE;
      }
      if (!isOpen) {
        recordStart = blockStart + position;
      }
      boolean begins = type == FULL || type == FIRST;
      if (begins == isOpen) {
        throw fault(
            isOpen ? "a record begins within another" : "the beginning of a record is missing");
      }
      isOpen = true;
      appendFragment(record);
      if (type == FULL || type == LAST) {
        return record.toByteArray();
      }
    }
  }

  /** Goes to the next fragment, in the next block if there is none in this one. */
  private boolean startFragment() throws IOException {
    while (block.length - position < HEADER) {
      // Zeros fill up a block; the last block of a file has none.
      requireZeros();
      boolean isLast = position > 0 && block.length < BLOCK;
      blockStart += block.length;
      block = isLast ? new byte[0] : in.readNBytes(BLOCK);
      position = 0;
      if (block.length == 0) {
        return false;
      }
    }
    if (block[position + CHECKED_FROM] == ZERO && length() == 0) {
      // Room that was made and never used.
      requireZeros();
      position = block.length;
      return startFragment();
    }
    return true;
  }

  private void requireZeros() {
    for (int i = position; i < block.length; i++) {
      if (block[i] != 0) {
        throw fault("the last record breaks off");
      }
    }
  }

  private void appendFragment(ByteArrayOutputStream record) {
    int type = block[position + CHECKED_FROM];
    if (type < FULL || type > LAST + RECYCLABLE) {
      throw fault("a record has the unknown type " + type);
    }
    int before = type > RECYCLABLE ? HEADER + LOG_NUMBER : HEADER;
    int length = length();
    if (block.length - position < before || length > block.length - position - before) {
      throw fault("a record reaches beyond its block");
    }
    int stored =
        (block[position] & 0xFF)
            | (block[position + 1] & 0xFF) << 8
            | (block[position + 2] & 0xFF) << 16
            | (block[position + 3] & 0xFF) << 24;
    int checked = position + CHECKED_FROM;
    if (stored != BlockChecksum.masked(block, checked, before - CHECKED_FROM + length)) {
      throw fault("the checksum of a record is wrong");
    }
    record.write(block, position + before, length);
    position += before + length;
  }

  private int length() {
    return (block[position + 4] & 0xFF) | (block[position + 5] & 0xFF) << 8;
  }

  private MalformedValueException fault(String reason) {
    return new MalformedValueException(blockStart + position, reason);
  }
}
