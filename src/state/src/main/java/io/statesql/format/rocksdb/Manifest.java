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

import io.statesql.type.MalformedValueException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The log of tables (MANIFEST), and what it says there is at its end. RocksDB takes a log that is
 * too short for one that ends there, and shows no entry that is newer than the last sequence number
 * in it. Not thread-safe.
 */
final class Manifest {
  private static final String DEFAULT = "default";

  private final Map<Long, ColumnFamily> columnFamilies = new TreeMap<>();
  private long nextFileNumber = -1;
  private long lastSequence = -1;

  /** How many records the present group still lacks. */
  private long remainingInGroup;

  /**
   * A column family.
   *
   * @param tables by their numbers
   */
  record ColumnFamily(String name, Map<Long, LiveTable> tables) {}

  private Manifest() {
    columnFamilies.put(0L, new ColumnFamily(DEFAULT, new TreeMap<>()));
  }

  /**
   * @throws MalformedValueException if it is damaged, or contradicts itself
   */
  static Manifest read(InputStream in) throws IOException {
    Manifest manifest = new Manifest();
    LogRecords records = new LogRecords(in);
    byte @Nullable [] record;
    while ((record = records.next()) != null) {
      manifest.apply(VersionEdit.read(record, records.recordStart()));
    }
    manifest.requireWhole(records.recordStart());
    return manifest;
  }

  List<ColumnFamily> columnFamilies() {
    return new ArrayList<>(columnFamilies.values());
  }

  private void apply(VersionEdit edit) {
    requireInGroup(edit);
    if (edit.nextFileNumber() >= 0) {
      nextFileNumber = edit.nextFileNumber();
    }
    if (edit.lastSequence() >= 0) {
      lastSequence = edit.lastSequence();
    }
    long id = edit.columnFamily();
    if (edit.columnFamilyAdded() != null) {
      ColumnFamily added = new ColumnFamily(edit.columnFamilyAdded(), new TreeMap<>());
      ColumnFamily before = columnFamilies.putIfAbsent(id, added);
      if (before != null && !(id == 0 && added.name().equals(DEFAULT))) {
        throw edit.fault("it adds the column family " + id + ", which is there already");
      }
      return;
    }
    if (edit.dropsColumnFamily()) {
      if (columnFamilies.remove(id) == null) {
        throw edit.fault("it drops the column family " + id + ", which is not there");
      }
      return;
    }
    ColumnFamily family = columnFamilies.get(id);
    if (family == null) {
      throw edit.fault("it changes the column family " + id + ", which is not there");
    }
    applyTables(edit, family.tables());
  }

  private static void applyTables(VersionEdit edit, Map<Long, LiveTable> tables) {
    for (VersionEdit.DeletedTable deleted : edit.deleted()) {
      LiveTable before = tables.remove(deleted.number());
      if (before == null || before.level() != deleted.level()) {
        throw edit.fault(
            "it removes the table "
                + deleted.number()
                + " from level "
                + deleted.level()
                + ", where that is not");
      }
    }
    for (LiveTable added : edit.added()) {
      if (tables.put(added.number(), added) != null) {
        throw edit.fault("it adds the table " + added.number() + ", which is there already");
      }
    }
  }

  /** Records of a group count down to 0; RocksDB drops a group that is not whole. */
  private void requireInGroup(VersionEdit edit) {
    long remaining = edit.remainingInGroup();
    if (remainingInGroup > 0 && remaining != remainingInGroup - 1) {
      throw edit.fault("it is not the next of the records that belong together");
    }
    remainingInGroup = Math.max(0, remaining);
  }

  private void requireWhole(long end) {
    if (remainingInGroup > 0) {
      throw new MalformedValueException(
          end, remainingInGroup + " records that belong to the last one are missing");
    }
    if (nextFileNumber < 0 || lastSequence < 0) {
      throw new MalformedValueException(
          end, "no record says which number the next file or change has");
    }
    for (ColumnFamily family : columnFamilies.values()) {
      for (LiveTable table : family.tables().values()) {
        if (table.number() >= nextFileNumber) {
          throw fault(table, "its number is not below " + nextFileNumber + ", that of the next");
        }
        if (table.largestSequence() > lastSequence) {
          throw fault(table, "it has newer entries than the last one, " + lastSequence);
        }
      }
    }
  }

  static MalformedValueException fault(LiveTable table, String reason) {
    return new MalformedValueException(
        table.recordStart(), "of the table " + table.fileName() + ", " + reason);
  }
}
