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

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.Closeable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.rocksdb.AbstractNativeReference;
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
import org.rocksdb.Slice;

/**
 * A RocksDB database in a work folder, open for reading within bounds of keys. Owns everything
 * native: after {@link #close} nothing that it gave out may be used. Not thread-safe.
 */
final class RocksDbDatabase implements Closeable {
  /** Flink's {@code RocksDBKeyedStateBackend.MERGE_OPERATOR_NAME}: parts joined by a comma. */
  static final String MERGE_OPERATOR = "stringappendtest";

  /**
   * Room for indexes; data blocks are read once and pass it by. Each database has a cache of its
   * own: RocksDB finds blocks in a cache by an identity that the table file itself states, so a
   * damaged copy could yield the blocks of its original, and the other way round.
   */
  private static final long CACHE_BYTES = 8L << 20;

  /** Tables open at a time; more are open only while one iterator needs them all. */
  private static final int MAX_OPEN_FILES = 64;

  /** What was made, to be closed from the last to the first. */
  private final Deque<AbstractNativeReference> natives = new ArrayDeque<>();

  private final Map<String, ColumnFamilyHandle> columnFamilies = new HashMap<>();
  private RocksDB database;
  private ReadOptions readOptions;

  private RocksDbDatabase() {}

  /**
   * Opens a database whose native library is loaded.
   *
   * @param from the first key to be read
   * @param to the first key not to be read; null for none
   */
  static RocksDbDatabase open(String folder, byte[] from, byte @Nullable [] to)
      throws RocksDBException {
    RocksDbDatabase result = new RocksDbDatabase();
    try {
      result.openColumnFamilies(folder);
      result.prepareReads(from, to);
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
    database = own(RocksDB.openReadOnly(databaseOptions(), folder, descriptors, handles));
    for (int i = 0; i < handles.size(); i++) {
      own(handles.get(i));
      columnFamilies.put(name(descriptors.get(i)), handles.get(i));
    }
  }

  /** The name of a column family: that of the state in it. */
  static String name(ColumnFamilyDescriptor columnFamily) {
    return new String(columnFamily.getName(), UTF_8);
  }

  static List<byte[]> listColumnFamilies(String folder) throws RocksDBException {
    try (Options options = new Options()) {
      return RocksDB.listColumnFamilies(options, folder);
    }
  }

  private ColumnFamilyOptions familyOptions() {
    Cache cache = own(new LRUCache(CACHE_BYTES));
    BlockBasedTableConfig table =
        new BlockBasedTableConfig().setBlockCache(cache).setCacheIndexAndFilterBlocks(true);
    return own(
        new ColumnFamilyOptions().setMergeOperatorName(MERGE_OPERATOR).setTableFormatConfig(table));
  }

  private DBOptions databaseOptions() {
    return own(
        new DBOptions()
            .setParanoidChecks(true)
            .setMaxOpenFiles(MAX_OPEN_FILES)
            .setMaxFileOpeningThreads(1)
            // Statistics are for compactions, and hostile ones make RocksDB divide by zero.
            .setSkipStatsUpdateOnDbOpen(true)
            .setStatsDumpPeriodSec(0)
            .setStatsPersistPeriodSec(0));
  }

  private void prepareReads(byte[] from, byte @Nullable [] to) {
    readOptions =
        own(
            new ReadOptions()
                .setVerifyChecksums(true)
                .setTotalOrderSeek(true)
                .setFillCache(false)
                .setIterateLowerBound(own(new Slice(from))));
    if (to != null) {
      readOptions.setIterateUpperBound(own(new Slice(to)));
    }
  }

  private <T extends AbstractNativeReference> T own(T made) {
    natives.push(made);
    return made;
  }

  /** The names of the table files that make up the database. */
  Set<String> tables() {
    return tables(database);
  }

  static Set<String> tables(RocksDB database) {
    return database.getLiveFilesMetaData().stream()
        .map(table -> table.fileName().replaceFirst("^/", ""))
        .collect(Collectors.toSet());
  }

  /**
   * An iterator over a column family, on its first key; closed with the database.
   *
   * @return null if the database does not have the column family
   */
  @Nullable RocksIterator iterator(String columnFamily) {
    ColumnFamilyHandle handle = columnFamilies.get(columnFamily);
    if (handle == null) {
      return null;
    }
    RocksIterator iterator = own(database.newIterator(handle, readOptions));
    iterator.seekToFirst();
    return iterator;
  }

  /** Closes everything; a second time does nothing. */
  @Override
  public void close() {
    while (!natives.isEmpty()) {
      natives.pop().close();
    }
  }
}
