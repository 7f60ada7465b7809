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

import java.io.Closeable;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;

/**
 * The iterators of one reader of a database, over the keys within bounds. After {@link #close}, and
 * after the database is closed, none of them may be used. Not thread-safe.
 */
final class RocksDbIterators implements Closeable {
  private final RocksDbDatabase database;
  private final NativeReferences natives = new NativeReferences();
  private final ReadOptions options;

  /**
   * @param database stays open until this is closed
   * @param from the first key to be read
   * @param to the first key not to be read; null for none
   */
  RocksDbIterators(RocksDbDatabase database, byte[] from, byte @Nullable [] to) {
    this.database = database;
    this.options =
        natives.own(
            new ReadOptions()
                .setVerifyChecksums(true)
                .setTotalOrderSeek(true)
                .setFillCache(false)
                .setIterateLowerBound(natives.own(new Slice(from))));
    if (to != null) {
      options.setIterateUpperBound(natives.own(new Slice(to)));
    }
  }

  /**
   * An iterator over a column family, on no key yet; closed with this.
   *
   * @return null if the database does not have the column family
   */
  @Nullable RocksIterator over(String columnFamily) {
    RocksIterator iterator = database.iterator(columnFamily, options);
    if (iterator != null) {
      natives.own(iterator);
    }
    return iterator;
  }

  /** Closes everything; a second time does nothing. */
  @Override
  public void close() {
    natives.close();
  }
}
