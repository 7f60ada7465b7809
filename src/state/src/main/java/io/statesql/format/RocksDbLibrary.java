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
package io.statesql.format;

import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import java.io.IOException;
import org.rocksdb.NativeLibraryLoader;
import org.rocksdb.RocksDB;
import org.rocksdb.util.Environment;

/**
 * Loads RocksDB's native library when it is first needed: from {@code java.library.path} if it is
 * there, else from the jar by way of a work folder, so that no two processes share a copy and
 * nobody else can put one in its place.
 */
final class RocksDbLibrary {
  private static boolean loaded;

  private RocksDbLibrary() {}

  /**
   * Must be called before any other class of RocksDB is used.
   *
   * @throws StateSqlException if there is none for this machine, or it cannot be loaded
   */
  static synchronized void load() {
    if (loaded) {
      return;
    }
    RocksDbWorkFolder folder = RocksDbWorkFolder.create();
    boolean inUse = false;
    try {
      NativeLibraryLoader.getInstance().loadLibrary(folder.files().toString());
      RocksDB.loadLibrary();
      loaded = true;
      // Windows refuses to delete a library in use; it goes with the next process.
      inUse = Environment.isWindows();
    } catch (IOException | RuntimeException | LinkageError e) {
      throw new StateSqlException(
          ErrorCode.IO_ERROR,
          "Cannot load RocksDB's native library, which reading RocksDB files needs: "
              + e.getMessage()
              + "; if "
              + folder.files()
              + " is on a disk that forbids execution, name another place with -D"
              + RocksDbWorkFolder.BASE_PROPERTY
              + "=FOLDER.",
          e);
    } finally {
      if (!inUse) {
        folder.close();
      }
    }
  }
}
