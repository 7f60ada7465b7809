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

import io.statesql.Cancellation;
import io.statesql.ErrorCode;
import io.statesql.FaultText;
import io.statesql.StateSqlException;
import io.statesql.format.model.KeyedSplit;
import io.statesql.format.model.KeyedStateMeta;
import io.statesql.format.model.SplitFault;
import io.statesql.format.rocksdb.database.NativeDatabase;
import io.statesql.format.rocksdb.database.NativeReferences;
import io.statesql.format.rocksdb.database.RocksDbLibrary;
import io.statesql.format.work.WorkFolder;
import io.statesql.snapshot.Bytes;
import io.statesql.snapshot.KeyedStateHandle;
import io.statesql.snapshot.Snapshot;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.Checkpoint;
import org.rocksdb.ChecksumType;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * Changes the RocksDB database of one handle in a work folder and makes a new set of files of it.
 * The snapshot's files are linked there, not copied, and never written to. What it writes, the
 * RocksDB of Flink 1.20 reads too. Not thread-safe; closes everything native and removes the
 * folder.
 */
final class RocksDbRewriter implements Closeable {
  /** Newer checksums and footers are refused by RocksDB 6.20, that of Flink 1.20. */
  private static final ChecksumType CHECKSUM = ChecksumType.kCRC32c;

  private static final int FORMAT_VERSION = 5;
  private static final int BATCH_BYTES = 1 << 20;

  private final KeyedSplit split;
  private final WorkFolder folder;
  private final Cancellation cancellation;
  private final NativeReferences natives = new NativeReferences();
  private final Map<String, ColumnFamilyHandle> columnFamilies = new HashMap<>();
  private RocksDbFiles files;
  private RocksDB database;
  private WriteOptions writeOptions;
  private WriteBatch batch;

  private RocksDbRewriter(KeyedSplit split, WorkFolder folder, Cancellation cancellation) {
    this.split = split;
    this.folder = folder;
    this.cancellation = cancellation;
  }

  /**
   * Lays out the files of a split and opens the database. Asks the scan of the snapshot before each
   * step whether to stop; a step of RocksDB itself ends first.
   *
   * @throws StateSqlException if a file is missing or damaged
   */
  static RocksDbRewriter open(Snapshot snapshot, KeyedSplit split) {
    if (snapshot.isIsolated()) {
      throw new StateSqlException(
          ErrorCode.UNSUPPORTED_STATEMENT,
          SplitFault.where(split, null, -1)
              + "its RocksDB files are read in a process of their own, as the option isolate wants"
              + " it, and cannot be changed like that; open the snapshot without it if you trust"
              + " the snapshot.");
    }
    RocksDbLibrary.load();
    RocksDbRewriter result =
        new RocksDbRewriter(
            split, WorkFolder.create(snapshot.host()), snapshot.scan().cancellation());
    try {
      result.files =
          RocksDbFiles.restore(
              snapshot,
              split,
              (KeyedStateHandle.Incremental) split.handle(),
              result.folder.files());
      result.cancellation.check();
      result.openDatabase();
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

  private void closeAfter(RuntimeException failure) {
    try {
      close();
    } catch (StateSqlException e) {
      failure.addSuppressed(e);
    }
  }

  private void openDatabase() throws RocksDBException {
    String path = files.folder().toString();
    BlockBasedTableConfig tables =
        new BlockBasedTableConfig().setChecksumType(CHECKSUM).setFormatVersion(FORMAT_VERSION);
    ColumnFamilyOptions familyOptions =
        natives.own(
            new ColumnFamilyOptions()
                .setMergeOperatorName(NativeDatabase.MERGE_OPERATOR)
                .setDisableAutoCompactions(true)
                .setLevelCompactionDynamicLevelBytes(false)
                .setTableFormatConfig(tables));
    DBOptions options =
        natives.own(
            new DBOptions()
                .setParanoidChecks(true)
                .setSkipStatsUpdateOnDbOpen(true)
                .setStatsDumpPeriodSec(0)
                .setStatsPersistPeriodSec(0));
    List<ColumnFamilyDescriptor> descriptors = new ArrayList<>();
    for (byte[] name : NativeDatabase.listColumnFamilies(path)) {
      descriptors.add(new ColumnFamilyDescriptor(name, familyOptions));
    }
    List<ColumnFamilyHandle> handles = new ArrayList<>(descriptors.size());
    database = natives.own(RocksDB.open(options, path, descriptors, handles));
    for (int i = 0; i < handles.size(); i++) {
      natives.own(handles.get(i));
      columnFamilies.put(NativeDatabase.name(descriptors.get(i)), handles.get(i));
    }
    files.requireAllInUse(NativeDatabase.tables(database));
    writeOptions = natives.own(new WriteOptions().setDisableWAL(true));
    batch = natives.own(new WriteBatch());
  }

  /** Puts an entry, whatever stood there. */
  void put(KeyedStateMeta state, Bytes key, byte[] value) {
    ColumnFamilyHandle family = columnFamily(state);
    write(() -> batch.put(family, key.toByteArray(), value));
  }

  /** Removes an entry, if there is one. */
  void remove(KeyedStateMeta state, Bytes key) {
    ColumnFamilyHandle family = columnFamily(state);
    write(() -> batch.delete(family, key.toByteArray()));
  }

  private ColumnFamilyHandle columnFamily(KeyedStateMeta state) {
    ColumnFamilyHandle family = columnFamilies.get(state.name());
    if (family == null) {
      throw new StateSqlException(
          ErrorCode.UNSUPPORTED_SNAPSHOT,
          SplitFault.where(split, state.name(), -1)
              + "the RocksDB files of "
              + split.file()
              + " have no place for this state, so that it cannot be changed.");
    }
    return family;
  }

  private interface Write {
    void run() throws RocksDBException;
  }

  private void write(Write write) {
    try {
      write.run();
      if (batch.getDataSize() >= BATCH_BYTES) {
        writeBatch();
      }
    } catch (RocksDBException e) {
      throw files.failure(e);
    }
  }

  private void writeBatch() throws RocksDBException {
    cancellation.check();
    database.write(writeOptions, batch);
    batch.clear();
  }

  /**
   * Makes the files of the changed database.
   *
   * @return by name; those of the split's own tables are the same files as the snapshot's
   */
  Map<String, Path> finish() {
    Path checkpoint = folder.files().resolveSibling("checkpoint");
    try {
      writeBatch();
      try (FlushOptions flush = new FlushOptions().setWaitForFlush(true)) {
        for (ColumnFamilyHandle family : columnFamilies.values()) {
          cancellation.check();
          database.flush(flush, family);
        }
      }
      cancellation.check();
      try (Checkpoint maker = Checkpoint.create(database)) {
        maker.createCheckpoint(checkpoint.toString());
      }
    } catch (RocksDBException e) {
      throw files.failure(e);
    }
    try (Stream<Path> made = Files.list(checkpoint)) {
      Map<String, Path> result = new HashMap<>();
      made.filter(file -> !RocksDbFiles.isNeedless(file.getFileName().toString()))
          .forEach(file -> result.put(file.getFileName().toString(), file));
      return result;
    } catch (IOException e) {
      throw new StateSqlException(
          ErrorCode.IO_ERROR,
          "Cannot read the work folder " + checkpoint + ": " + FaultText.of(e) + ".",
          e);
    }
  }

  /** Whether a file of this name is the same wherever it stands: a table. */
  static boolean isTable(String name) {
    return RocksDbFiles.isImmutable(name);
  }

  @Override
  public void close() {
    try (folder) {
      natives.close();
    }
  }
}
