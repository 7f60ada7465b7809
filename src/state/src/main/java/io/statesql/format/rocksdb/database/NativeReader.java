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

import org.jspecify.annotations.Nullable;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;

/** The iterators of one reader of a database in this process. Not thread-safe. */
final class NativeReader implements DatabaseReader {
  private final NativeDatabase database;
  private final NativeReferences natives = new NativeReferences();
  private final ReadOptions options;

  /**
   * @param database stays open until this is closed
   * @param from the first key to be read
   * @param to the first key not to be read; null for none
   */
  NativeReader(NativeDatabase database, byte[] from, byte @Nullable [] to) {
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

  @Override
  public @Nullable EntryIterator over(String columnFamily) {
    RocksIterator iterator = database.iterator(columnFamily, options);
    return iterator == null ? null : new NativeIterator(natives.own(iterator));
  }

  @Override
  public void close() {
    natives.close();
  }
}
