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

import io.statesql.StateSqlException;
import io.statesql.format.work.NativeLibrary;
import org.rocksdb.NativeLibraryLoader;
import org.rocksdb.RocksDB;

/** RocksDB's native library, that of {@code java.library.path} if it is there. */
public final class RocksDbLibrary {
  private static final NativeLibrary LIBRARY =
      new NativeLibrary(
          "RocksDB",
          "reading RocksDB files",
          folder -> {
            NativeLibraryLoader.getInstance().loadLibrary(folder.toString());
            RocksDB.loadLibrary();
          });

  private RocksDbLibrary() {}

  /**
   * Must be called before any other class of RocksDB is used.
   *
   * @throws StateSqlException if there is none for this machine, or it cannot be loaded
   */
  public static void load() {
    LIBRARY.load();
  }
}
