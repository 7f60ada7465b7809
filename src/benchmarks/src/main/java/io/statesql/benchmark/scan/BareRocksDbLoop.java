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
package io.statesql.benchmark.scan;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/** Opens a RocksDB database as it comes, and fetches every key and value. */
final class BareRocksDbLoop implements Callable<BareSums> {
  private static final int MAX_ENTRY = 1 << 12;

  private final String folder;

  BareRocksDbLoop(Path folder) {
    this.folder = folder.toString();
  }

  @Override
  public BareSums call() throws RocksDBException {
    BareSums sums = new BareSums();
    try (ColumnFamilyOptions familyOptions =
            new ColumnFamilyOptions().setMergeOperatorName("stringappendtest");
        DBOptions databaseOptions = new DBOptions();
        Options options = new Options()) {
      List<ColumnFamilyDescriptor> descriptors = new ArrayList<>();
      for (byte[] name : RocksDB.listColumnFamilies(options, folder)) {
        descriptors.add(new ColumnFamilyDescriptor(name, familyOptions));
      }
      List<ColumnFamilyHandle> families = new ArrayList<>();
      try (RocksDB database =
          RocksDB.openReadOnly(databaseOptions, folder, descriptors, families)) {
        for (ColumnFamilyHandle family : families) {
          iterate(database, family, sums);
          family.close();
        }
      }
    }
    return sums;
  }

  private static void iterate(RocksDB database, ColumnFamilyHandle family, BareSums sums)
      throws RocksDBException {
    ByteBuffer buffer = ByteBuffer.allocateDirect(MAX_ENTRY);
    try (RocksIterator iterator = database.newIterator(family)) {
      for (iterator.seekToFirst(); iterator.isValid(); iterator.next()) {
        sums.entries++;
        buffer.clear();
        sums.bytes += iterator.key(buffer);
        buffer.clear();
        sums.bytes += iterator.value(buffer);
      }
      iterator.status();
    }
  }
}
