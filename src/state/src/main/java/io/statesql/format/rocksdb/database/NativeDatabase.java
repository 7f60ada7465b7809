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

import static java.nio.charset.StandardCharsets.UTF_8;

import io.statesql.Cancellation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.Cache;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/** A RocksDB database in a work folder, opened for reading by RocksDB in this process. */
public final class NativeDatabase implements Database {
  /** Flink's {@code RocksDBKeyedStateBackend.MERGE_OPERATOR_NAME}: parts joined by a comma. */
  public static final String MERGE_OPERATOR = "stringappendtest";

  /**
   * Room for indexes; data blocks are read once and pass it by. Each database has a cache of its
   * own: RocksDB finds blocks in a cache by an identity that the table file itself states, so a
   * damaged copy could yield the blocks of its original, and the other way round.
   */
  private static final long CACHE_BYTES = 8L << 20;

  /** Tables open at a time; more are open only while one iterator needs them all. */
  private static final int MAX_OPEN_FILES = 64;

  private final NativeReferences natives = new NativeReferences();
  private final Map<String, ColumnFamilyHandle> columnFamilies = new HashMap<>();
  private RocksDB database;

  private NativeDatabase() {}

  /**
   * Opens a database whose native library is loaded.
   *
   * @throws RocksDBException if it cannot be opened
   */
  public static NativeDatabase open(String folder) throws RocksDBException {
    NativeDatabase result = new NativeDatabase();
    try {
      result.openColumnFamilies(folder);
      return result;
    } catch (RocksDBException | RuntimeException e) {
      result.close();
      throw e;
    }
  }

  /** All of them: only then does RocksDB tell which tables they use. */
  private void openColumnFamilies(String folder) throws RocksDBException {
    ColumnFamilyOptions familyOptions = familyOptions();
    List<ColumnFamilyDescriptor> descriptors = new ArrayList<>();
    for (byte[] name : listColumnFamilies(folder)) {
      descriptors.add(new ColumnFamilyDescriptor(name, familyOptions));
    }
    List<ColumnFamilyHandle> handles = new ArrayList<>(descriptors.size());
    database = natives.own(RocksDB.openReadOnly(databaseOptions(), folder, descriptors, handles));
    for (int i = 0; i < handles.size(); i++) {
      natives.own(handles.get(i));
      columnFamilies.put(name(descriptors.get(i)), handles.get(i));
    }
  }

  /** The name of a column family: that of the state in it. */
  public static String name(ColumnFamilyDescriptor columnFamily) {
    return new String(columnFamily.getName(), UTF_8);
  }

  /**
   * Lists the column families of a database.
   *
   * @throws RocksDBException if its log of tables cannot be read
   */
  public static List<byte[]> listColumnFamilies(String folder) throws RocksDBException {
    try (Options options = new Options()) {
      return RocksDB.listColumnFamilies(options, folder);
    }
  }

  private ColumnFamilyOptions familyOptions() {
    Cache cache = natives.own(new LRUCache(CACHE_BYTES));
    BlockBasedTableConfig table =
        new BlockBasedTableConfig().setBlockCache(cache).setCacheIndexAndFilterBlocks(true);
    return natives.own(
        new ColumnFamilyOptions().setMergeOperatorName(MERGE_OPERATOR).setTableFormatConfig(table));
  }

  private DBOptions databaseOptions() {
    return natives.own(
        new DBOptions()
            .setParanoidChecks(true)
            .setMaxOpenFiles(MAX_OPEN_FILES)
            .setMaxFileOpeningThreads(1)
            // Statistics are for compactions, and hostile ones make RocksDB divide by zero.
            .setSkipStatsUpdateOnDbOpen(true)
            .setStatsDumpPeriodSec(0)
            .setStatsPersistPeriodSec(0));
  }

  @Override
  public Set<String> tables() {
    return tables(database);
  }

  /** The names of the table files that make up an open database. */
  public static Set<String> tables(RocksDB database) {
    return database.getLiveFilesMetaData().stream()
        .map(table -> table.fileName().replaceFirst("^/", ""))
        .collect(Collectors.toSet());
  }

  @Override
  public DatabaseReader read(byte[] from, byte @Nullable [] to, Cancellation cancellation) {
    return new NativeReader(this, from, to);
  }

  /**
   * An iterator over a column family, on no key yet; to be closed by the caller.
   *
   * @return null if the database does not have the column family
   */
  @Nullable RocksIterator iterator(String columnFamily, ReadOptions options) {
    ColumnFamilyHandle handle = columnFamilies.get(columnFamily);
    return handle == null ? null : database.newIterator(handle, options);
  }

  @Override
  public void close() {
    natives.close();
  }
}
