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

import io.statesql.Cancellation;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/** The database of this process, which reads it for another one. Not thread-safe. */
final class ServedDatabase {
  private static final int INITIAL_BUFFER = 1 << 10;

  private final Map<Integer, Iteration> iterations = new HashMap<>();
  private NativeDatabase database;
  private int maxBytes;
  private byte[] key = new byte[INITIAL_BUFFER];
  private byte[] value = new byte[INITIAL_BUFFER];

  /** One iterator, and the fault that it met behind what was answered last. */
  private static final class Iteration {
    private final DatabaseReader reader;
    private final EntryIterator iterator;
    private @Nullable RocksDBException fault;

    Iteration(DatabaseReader reader, EntryIterator iterator) {
      this.reader = reader;
      this.iterator = iterator;
    }
  }

  /** Does what a request says, and makes the answer. */
  FrameOutput answer(FrameInput request) {
    try {
      byte kind = request.kind();
      return switch (kind) {
        case ReaderProtocol.OPEN -> open(request);
        case ReaderProtocol.ITERATE -> iterate(request);
        case ReaderProtocol.CLOSE -> close(request);
        default -> entries(kind, request);
      };
    } catch (RocksDBException e) {
      Status status = e.getStatus();
      return new FrameOutput(ReaderProtocol.FAULT)
          .number(status == null ? Status.Code.Undefined.getValue() : status.getCode().getValue())
          .string(String.valueOf(e.getMessage()));
    }
  }

  private FrameOutput open(FrameInput request) throws RocksDBException {
    String folder = request.text();
    maxBytes = request.count();
    database = NativeDatabase.open(folder);
    Set<String> tables = database.tables();
    FrameOutput answer = new FrameOutput(ReaderProtocol.DONE).number(tables.size());
    tables.forEach(answer::string);
    return answer;
  }

  private FrameOutput iterate(FrameInput request) throws RocksDBException {
    int number = request.number();
    String columnFamily = new String(request.string(), UTF_8);
    byte[] from = request.string();
    byte[] to = request.flag() ? request.string() : null;
    DatabaseReader reader = database.read(from, to, Cancellation.NEVER);
    EntryIterator iterator = reader.over(columnFamily);
    if (iterator == null) {
      reader.close();
    } else {
      iterations.put(number, new Iteration(reader, iterator));
    }
    return new FrameOutput(ReaderProtocol.DONE).flag(iterator != null);
  }

  private FrameOutput close(FrameInput request) {
    while (!request.isAtEnd()) {
      Iteration closed = iterations.remove(request.number());
      if (closed != null) {
        closed.reader.close();
      }
    }
    return new FrameOutput(ReaderProtocol.DONE);
  }

  private FrameOutput entries(byte kind, FrameInput request) throws RocksDBException {
    Iteration iteration = iterations.get(request.number());
    int most = Math.min(request.count(), ReaderProtocol.BATCH_ENTRIES);
    FrameOutput entries = new FrameOutput(ReaderProtocol.DONE);
    boolean isOnEntry = move(kind, iteration, request);
    int count = 0;
    while (isOnEntry) {
      entries.flag(true);
      write(iteration.iterator, entries);
      count++;
      if (count >= most || entries.length() >= ReaderProtocol.BATCH_BYTES) {
        return entries.flag(false).flag(true);
      }
      try {
        isOnEntry = iteration.iterator.next();
      } catch (RocksDBException e) {
        // The entries before it are sound.
        iteration.fault = e;
        return entries.flag(false).flag(true);
      }
    }
    return entries.flag(false).flag(false);
  }

  private static boolean move(byte kind, Iteration iteration, FrameInput request)
      throws RocksDBException {
    RocksDBException met = iteration.fault;
    iteration.fault = null;
    return switch (kind) {
      case ReaderProtocol.FIRST -> iteration.iterator.seekToFirst();
      case ReaderProtocol.SEEK -> iteration.iterator.seek(request.string());
      default -> {
        if (met != null) {
          throw met;
        }
        yield iteration.iterator.next();
      }
    };
  }

  private void write(EntryIterator iterator, FrameOutput entries) throws RocksDBException {
    int keyLength = iterator.key(key);
    if (keyLength > maxBytes) {
      throw new RocksDBException(
          "a key has " + keyLength + " bytes",
          new Status(Status.Code.Aborted, Status.SubCode.None, null));
    }
    if (keyLength > key.length) {
      key = new byte[grown(keyLength)];
      iterator.key(key);
    }
    int valueLength = iterator.value(value);
    if (valueLength > value.length && valueLength <= maxBytes) {
      value = new byte[grown(valueLength)];
      iterator.value(value);
    }
    entries.number(keyLength).number(valueLength).raw(key, keyLength);
    if (valueLength <= maxBytes) {
      entries.raw(value, valueLength);
    }
  }

  /** Room for a length and some more, but not beyond what there may be. */
  private int grown(int length) {
    return (int) Math.min(maxBytes, length + length / 2L);
  }
}
