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

import io.statesql.SharedResources;
import io.statesql.StateSqlException;
import io.statesql.format.model.KeyedSplit;
import io.statesql.format.rocksdb.database.Database;
import io.statesql.format.rocksdb.database.IsolatedDatabase;
import io.statesql.format.rocksdb.database.NativeDatabase;
import io.statesql.format.rocksdb.database.RocksDbLibrary;
import io.statesql.format.work.WorkFolder;
import io.statesql.snapshot.KeyedStateHandle;
import io.statesql.snapshot.Snapshot;
import java.nio.file.Path;
import org.rocksdb.RocksDBException;

/**
 * The RocksDB files of one handle, laid out in a work folder, and the database in them. Many
 * threads may read; closed when none of them does any more.
 */
final class RestoredRocksDb implements SharedResources.Resource {
  private final WorkFolder folder;
  private RocksDbFiles files;
  private Database database;

  private RestoredRocksDb(WorkFolder folder) {
    this.folder = folder;
  }

  /**
   * Lays out the files of a handle and opens the database.
   *
   * @throws StateSqlException if a file is missing or damaged
   */
  static RestoredRocksDb open(
      Snapshot snapshot, KeyedSplit split, KeyedStateHandle.Incremental handle) {
    RestoredRocksDb result = new RestoredRocksDb(WorkFolder.create(snapshot.host()));
    try {
      result.files = RocksDbFiles.restore(snapshot, split, handle, result.folder.files());
      result.database = open(result.files.folder(), snapshot);
      result.files.requireAllInUse(result.database.tables());
      return result;
    } catch (RocksDBException e) {
      StateSqlException failure = result.files.failure(e);
      result.closeAfter(failure);
      throw failure;
    } catch (RuntimeException e) {
      result.closeAfter(e);
      throw e;
    }
  }

  private static Database open(Path folder, Snapshot snapshot) throws RocksDBException {
    if (snapshot.isIsolated()) {
      return IsolatedDatabase.open(
          folder,
          snapshot.host(),
          snapshot.scan().limits().valueBytes(),
          snapshot.scan().cancellation());
    }
    RocksDbLibrary.load();
    return NativeDatabase.open(folder.toString());
  }

  private void closeAfter(RuntimeException failure) {
    try {
      close();
    } catch (StateSqlException e) {
      failure.addSuppressed(e);
    }
  }

  Database database() {
    return database;
  }

  /** What RocksDB found wrong, in terms of the snapshot's files. */
  StateSqlException failure(RocksDBException fault) {
    return files.failure(fault);
  }

  @Override
  public void close() {
    try (folder) {
      if (database != null) {
        database.close();
      }
    }
  }
}
