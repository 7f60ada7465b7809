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

import org.rocksdb.RocksDBException;

/** Walks the entries of one column family in the order of their keys. Not thread-safe. */
public interface EntryIterator {
  /**
   * Moves to the first entry.
   *
   * @return whether there is one
   * @throws RocksDBException if what is stored is damaged
   */
  boolean seekToFirst() throws RocksDBException;

  /**
   * Moves to the first entry whose key is not before a target.
   *
   * @return whether there is one
   * @throws RocksDBException if what is stored is damaged
   */
  boolean seek(byte[] target) throws RocksDBException;

  /**
   * Moves from an entry to the next one.
   *
   * @return whether there is one
   * @throws RocksDBException if what is stored is damaged
   */
  boolean next() throws RocksDBException;

  /**
   * Copies as much of the present entry's key as there is room for.
   *
   * @return how long the whole key is
   */
  int key(byte[] target);

  /**
   * Copies as much of the present entry's value as there is room for.
   *
   * @return how long the whole value is
   */
  int value(byte[] target);
}
