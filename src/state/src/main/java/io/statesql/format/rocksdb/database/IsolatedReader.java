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
import io.statesql.StateSqlException;
import java.nio.BufferUnderflowException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The iterators of one reader of a database that another process reads. Not thread-safe. */
final class IsolatedReader implements DatabaseReader {
  private static final Logger LOG = LoggerFactory.getLogger(IsolatedReader.class);

  private final IsolatedDatabase database;
  private final byte[] from;
  private final byte @Nullable [] to;
  private final Cancellation cancellation;
  private final List<Integer> numbers = new ArrayList<>();
  private @Nullable ReadingProcess process;

  IsolatedReader(
      IsolatedDatabase database, byte[] from, byte @Nullable [] to, Cancellation cancellation) {
    this.database = database;
    this.from = from;
    this.to = to;
    this.cancellation = cancellation;
  }

  @Override
  public @Nullable EntryIterator over(String columnFamily) throws RocksDBException {
    if (process == null) {
      process = database.enter(cancellation);
    }
    int number = process.nextNumber();
    FrameOutput request =
        new FrameOutput(ReaderProtocol.ITERATE)
            .number(number)
            .string(columnFamily)
            .string(from)
            .flag(to != null);
    if (to != null) {
      request.string(to);
    }
    FrameInput answer = process.ask(request, cancellation);
    try {
      if (!answer.flag()) {
        return null;
      }
    } catch (BufferUnderflowException e) {
      throw process.broken();
    }
    numbers.add(number);
    return new IsolatedIterator(process, number, from, to, database.maxBytes(), cancellation);
  }

  @Override
  public void close() {
    ReadingProcess used = process;
    process = null;
    if (used == null) {
      return;
    }
    try {
      if (!numbers.isEmpty() && !used.hasEnded()) {
        FrameOutput request = new FrameOutput(ReaderProtocol.CLOSE);
        numbers.forEach(request::number);
        used.ask(request, used.notForLong());
      }
    } catch (RocksDBException | StateSqlException e) {
      LOG.debug("A process that reads RocksDB files has ended before it was told to", e);
    } finally {
      database.leave(used);
    }
  }
}
