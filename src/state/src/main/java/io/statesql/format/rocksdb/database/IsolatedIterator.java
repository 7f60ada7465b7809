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

import io.statesql.Cancellation;
import io.statesql.format.bytes.ValueTooLargeException;
import java.nio.BufferUnderflowException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;

/**
 * An iterator of another process, of whose entries some are fetched at a time: few after it was
 * told where to go, then more and more. Not thread-safe.
 */
final class IsolatedIterator implements EntryIterator {
  private static final int FIRST_ENTRIES = 64;

  /** Who seeks mostly wants one entry, and sees by the next that it is the last. */
  private static final int SOUGHT_ENTRIES = 4;

  private final ReadingProcess process;
  private final int number;
  private final byte[] from;
  private final byte @Nullable [] to;
  private final int maxBytes;
  private final Cancellation cancellation;
  private int entries = FIRST_ENTRIES;
  private FrameInput answer;
  private int key;
  private int keyLength;
  private int value;
  private int valueLength;

  IsolatedIterator(
      ReadingProcess process,
      int number,
      byte[] from,
      byte @Nullable [] to,
      int maxBytes,
      Cancellation cancellation) {
    this.process = process;
    this.number = number;
    this.from = from;
    this.to = to;
    this.maxBytes = maxBytes;
    this.cancellation = cancellation;
  }

  @Override
  public boolean seekToFirst() throws RocksDBException {
    entries = FIRST_ENTRIES;
    return fetch(request(ReaderProtocol.FIRST));
  }

  @Override
  public boolean seek(byte[] target) throws RocksDBException {
    entries = SOUGHT_ENTRIES;
    return fetch(request(ReaderProtocol.SEEK).string(target));
  }

  @Override
  public boolean next() throws RocksDBException {
    if (take()) {
      return true;
    }
    if (!hasMore()) {
      return false;
    }
    entries = Math.min(2 * entries, ReaderProtocol.BATCH_ENTRIES);
    return fetch(request(ReaderProtocol.NEXT));
  }

  private FrameOutput request(byte kind) {
    return new FrameOutput(kind).number(number).number(entries);
  }

  private boolean fetch(FrameOutput request) throws RocksDBException {
    answer = process.ask(request, cancellation);
    if (take()) {
      return true;
    }
    if (hasMore()) {
      throw process.broken();
    }
    return false;
  }

  private boolean hasMore() throws RocksDBException {
    try {
      return answer.flag();
    } catch (BufferUnderflowException e) {
      throw process.broken();
    }
  }

  /** Goes to the next entry of the answer; false if it has no more. */
  private boolean take() throws RocksDBException {
    try {
      if (!answer.flag()) {
        return false;
      }
      keyLength = answer.count();
      valueLength = answer.count();
      key = answer.skip(keyLength);
      value = isTold() ? answer.skip(valueLength) : -1;
    } catch (BufferUnderflowException e) {
      throw process.broken();
    }
    if (keyLength > maxBytes || !isWithinBounds()) {
      throw process.broken();
    }
    return true;
  }

  private boolean isWithinBounds() {
    byte[] bytes = answer.bytes();
    int end = key + keyLength;
    return Arrays.compareUnsigned(bytes, key, end, from, 0, from.length) >= 0
        && (to == null || Arrays.compareUnsigned(bytes, key, end, to, 0, to.length) < 0);
  }

  /** Whether the value was short enough to be sent. */
  private boolean isTold() {
    return valueLength <= maxBytes;
  }

  @Override
  public int key(byte[] target) {
    System.arraycopy(answer.bytes(), key, target, 0, Math.min(keyLength, target.length));
    return keyLength;
  }

  @Override
  public int value(byte[] target) {
    if (!isTold()) {
      throw new ValueTooLargeException(0, maxBytes);
    }
    System.arraycopy(answer.bytes(), value, target, 0, Math.min(valueLength, target.length));
    return valueLength;
  }
}
