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

import java.io.Closeable;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;

/**
 * One reader of a database, over the keys within its bounds. After {@link #close}, and after the
 * database is closed, none of its iterators may be used. Not thread-safe.
 */
public interface DatabaseReader extends Closeable {
  /**
   * An iterator over a column family, on no entry yet; closed with this.
   *
   * @return null if the database does not have the column family
   * @throws RocksDBException if the database cannot be read
   */
  @Nullable EntryIterator over(String columnFamily) throws RocksDBException;

  /** Closes everything; a second time does nothing. */
  @Override
  void close();
}
