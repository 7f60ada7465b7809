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
import io.statesql.type.MalformedValueException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * Checks the files of a database: each table, and the log of tables against them. Not thread-safe.
 */
public final class DatabaseCheck {
  private final Path folder;
  private final String manifest;
  private final Map<String, TableCheck.Facts> tables = new HashMap<>();

  private DatabaseCheck(Path folder, String manifest) {
    this.folder = folder;
    this.manifest = manifest;
  }

  /**
   * Checks a database that nobody writes to.
   *
   * @param manifest the name of the log of tables
   * @param tables the names of the table files in the folder
   * @param cancellation asked before each table
   * @throws DamagedFileException if a file is not as RocksDB writes it
   * @throws IOException if a file cannot be read
   */
  public static void check(
      Path folder, String manifest, Collection<String> tables, Cancellation cancellation)
      throws IOException {
    DatabaseCheck check = new DatabaseCheck(folder, manifest);
    for (String table : tables) {
      cancellation.check();
      check.checkTable(table);
    }
    check.checkManifest();
  }

  private void checkTable(String name) throws IOException {
    try {
      tables.put(name, TableCheck.check(folder.resolve(name)));
    } catch (MalformedValueException e) {
      throw new DamagedFileException(name, e);
    }
  }

  private void checkManifest() throws IOException {
    for (Manifest.ColumnFamily family : readManifest().columnFamilies()) {
      for (LiveTable table : family.tables().values()) {
        TableCheck.Facts facts = tables.get(table.fileName());
        // A table that is missing is for RocksDB to miss.
        if (facts != null) {
          compare(family, table, facts);
        }
      }
    }
  }

  private Manifest readManifest() throws IOException {
    try (InputStream in = Files.newInputStream(folder.resolve(manifest))) {
      return Manifest.read(in);
    } catch (MalformedValueException e) {
      throw new DamagedFileException(manifest, e);
    }
  }

  private void compare(Manifest.ColumnFamily family, LiveTable table, TableCheck.Facts facts) {
    if (facts.length() != table.size()) {
      throw fault(table, "its size is " + table.size() + ", but the file has " + facts.length());
    }
    String name = facts.columnFamily();
    if (name != null && !name.isEmpty() && !name.equals(family.name())) {
      throw fault(
          table, "it is of the column family " + family.name() + ", but says itself " + name);
    }
    if (facts.smallest() != null
        && (compareToUserKey(facts.smallest(), table.smallest()) < 0
            || compareToUserKey(facts.largest(), table.largest()) > 0)) {
      throw fault(table, "it has keys before its smallest one or after its largest");
    }
  }

  private static int compareToUserKey(byte[] userKey, byte[] key) {
    return Arrays.compareUnsigned(
        userKey, 0, userKey.length, key, 0, key.length - InternalKey.TRAILER);
  }

  private DamagedFileException fault(LiveTable table, String reason) {
    return new DamagedFileException(manifest, Manifest.fault(table, reason));
  }
}
