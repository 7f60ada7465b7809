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
import org.rocksdb.RocksIterator;

/** An iterator of RocksDB itself, which others close. */
final class NativeIterator implements EntryIterator {
  private final RocksIterator iterator;

  NativeIterator(RocksIterator iterator) {
    this.iterator = iterator;
  }

  @Override
  public boolean seekToFirst() throws RocksDBException {
    iterator.seekToFirst();
    return isValid();
  }

  @Override
  public boolean seek(byte[] target) throws RocksDBException {
    iterator.seek(target);
    return isValid();
  }

  @Override
  public boolean next() throws RocksDBException {
    iterator.next();
    return isValid();
  }

  private boolean isValid() throws RocksDBException {
    if (iterator.isValid()) {
      return true;
    }
    // Not valid means either the end or a fault, which status() throws.
    iterator.status();
    return false;
  }

  @Override
  public int key(byte[] target) {
    return iterator.key(target, 0, target.length);
  }

  @Override
  public int value(byte[] target) {
    return iterator.value(target, 0, target.length);
  }
}
