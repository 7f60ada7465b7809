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
import java.io.Closeable;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An open RocksDB database. Many threads may read, each with a {@link DatabaseReader} of its own,
 * which are to be closed before the database is.
 */
public interface Database extends Closeable {
  /** The names of the table files that make up the database. */
  Set<String> tables();

  /**
   * Begins to read the keys within bounds.
   *
   * @param from the first key to be read
   * @param to the first key not to be read; null for none
   * @param cancellation tells the reader when to stop waiting
   */
  DatabaseReader read(byte[] from, byte @Nullable [] to, Cancellation cancellation);

  /** Closes everything; a second time does nothing. */
  @Override
  void close();
}
