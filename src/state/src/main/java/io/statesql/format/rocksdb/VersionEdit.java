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

import static java.nio.charset.StandardCharsets.UTF_8;

import io.statesql.type.MalformedValueException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One record of the log of tables: which tables of a column family there are from now on, or that
 * there is a column family (db/version_edit.h of RocksDB 8.10). RocksDB takes the levels in it for
 * places in a list.
 */
final class VersionEdit {
  private static final int COMPARATOR = 1;
  private static final int LOG_NUMBER = 2;
  private static final int NEXT_FILE_NUMBER = 3;
  private static final int LAST_SEQUENCE = 4;
  private static final int COMPACT_CURSOR = 5;
  private static final int DELETED_FILE = 6;
  private static final int NEW_FILE = 7;
  private static final int PREVIOUS_LOG_NUMBER = 9;
  private static final int MIN_LOG_NUMBER = 10;
  private static final int NEW_FILE_2 = 100;
  private static final int NEW_FILE_3 = 102;
  private static final int NEW_FILE_4 = 103;
  private static final int COLUMN_FAMILY = 200;
  private static final int COLUMN_FAMILY_ADD = 201;
  private static final int COLUMN_FAMILY_DROP = 202;
  private static final int MAX_COLUMN_FAMILY = 203;
  private static final int ATOMIC_GROUP = 300;
  private static final int BLOB_FILE = 400;
  private static final int BLOB_GARBAGE = 401;

  /** A field with this bit is a string, and whoever does not know it may pass over it. */
  private static final int IGNORABLE = 1 << 13;

  private static final int OLD_BLOB_FILE = IGNORABLE + 2;
  private static final int OLD_BLOB_GARBAGE = IGNORABLE + 3;
  private static final int OLD_WAL_ADDITION = IGNORABLE + 4;
  private static final int OLD_WAL_DELETION = IGNORABLE + 5;

  /** Ends the details of a file. */
  private static final int TERMINATE = 1;

  /** More than anybody configures; RocksDB itself wants no more than it is opened with. */
  private static final int MAX_LEVEL = 63;

  private static final long MAX_FILE_NUMBER = (1L << 62) - 1;
  private static final long MAX_SEQUENCE = (1L << 56) - 1;
  private static final String BYTEWISE = "leveldb.BytewiseComparator";

  private final RocksDbInput in;
  private final long start;
  private final List<LiveTable> added = new ArrayList<>();
  private final List<DeletedTable> deleted = new ArrayList<>();
  private long columnFamily;
  private @Nullable String columnFamilyAdded;
  private boolean dropsColumnFamily;
  private long nextFileNumber = -1;
  private long lastSequence = -1;
  private long remainingInGroup = -1;

  /** A table that is no more. */
  record DeletedTable(int level, long number) {}

  private VersionEdit(byte[] record, long start) {
    this.start = start;
    this.in =
        new RocksDbInput(
            record,
            0,
            record.length,
            (position, reason) ->
                new MalformedValueException(
                    start, "in the record there, at byte " + position + ", " + reason));
  }

  /**
   * @param start where the record begins in its file
   * @throws MalformedValueException if it holds what RocksDB does not write
   */
  static VersionEdit read(byte[] record, long start) {
    VersionEdit edit = new VersionEdit(record, start);
    while (!edit.in.isAtEnd()) {
      edit.readField();
    }
    return edit;
  }

  long columnFamily() {
    return columnFamily;
  }

  @Nullable String columnFamilyAdded() {
    return columnFamilyAdded;
  }

  boolean dropsColumnFamily() {
    return dropsColumnFamily;
  }

  List<LiveTable> added() {
    return added;
  }

  List<DeletedTable> deleted() {
    return deleted;
  }

  /** Below 0 if the record does not say. */
  long nextFileNumber() {
    return nextFileNumber;
  }

  /** Below 0 if the record does not say. */
  long lastSequence() {
    return lastSequence;
  }

  /** How many records belong to this one and follow it; below 0 if it stands alone. */
  long remainingInGroup() {
    return remainingInGroup;
  }

  MalformedValueException fault(String reason) {
    return new MalformedValueException(start, reason);
  }

  private void readField() {
    int at = in.position();
    int tag = (int) in.varint32();
    switch (tag) {
      case COMPARATOR -> requireBytewise();
      case LOG_NUMBER, PREVIOUS_LOG_NUMBER, MIN_LOG_NUMBER, OLD_WAL_DELETION -> in.varint64();
      case NEXT_FILE_NUMBER -> nextFileNumber = bounded(MAX_FILE_NUMBER, "number of a file");
      case LAST_SEQUENCE -> lastSequence = bounded(MAX_SEQUENCE, "sequence number");
      case COMPACT_CURSOR -> {
        level();
        key();
      }
      case DELETED_FILE ->
          deleted.add(new DeletedTable(level(), bounded(MAX_FILE_NUMBER, "number of a file")));
      case NEW_FILE, NEW_FILE_2, NEW_FILE_3, NEW_FILE_4 -> added.add(table(tag));
      case COLUMN_FAMILY -> columnFamily = in.varint32();
      case COLUMN_FAMILY_ADD -> columnFamilyAdded = text();
      case COLUMN_FAMILY_DROP -> dropsColumnFamily = true;
      case MAX_COLUMN_FAMILY -> in.varint32();
      case ATOMIC_GROUP -> remainingInGroup = in.varint32();
      case BLOB_FILE, OLD_BLOB_FILE -> skipBlobFile(2);
      case BLOB_GARBAGE, OLD_BLOB_GARBAGE -> skipBlobFile(0);
      case OLD_WAL_ADDITION -> skipWalAddition();
      default -> {
        if ((tag & IGNORABLE) == 0) {
          throw in.fault(at, "there is an unknown field " + tag);
        }
        in.string();
      }
    }
  }

  private LiveTable table(int tag) {
    int level = level();
    long number = bounded(MAX_FILE_NUMBER, "number of a file");
    if (tag == NEW_FILE_3) {
      in.varint32();
    }
    long size = bounded(Long.MAX_VALUE, "size of a file");
    int at = in.position();
    byte[] smallest = key();
    byte[] largest = key();
    if (InternalKey.compare(smallest, largest) > 0) {
      throw in.fault(at, "the largest key of a table is before its smallest");
    }
    long largestSequence = 0;
    if (tag != NEW_FILE) {
      at = in.position();
      long smallestSequence = bounded(MAX_SEQUENCE, "sequence number");
      largestSequence = bounded(MAX_SEQUENCE, "sequence number");
      if (smallestSequence > largestSequence) {
        throw in.fault(at, "the largest sequence number of a table is below its smallest");
      }
    }
    if (tag == NEW_FILE_4) {
      skipDetails();
    }
    return new LiveTable(start, level, number, size, smallest, largest, largestSequence);
  }

  /** What details mean RocksDB looks into, within their lengths. */
  private void skipDetails() {
    while (in.varint32() != TERMINATE) {
      in.string();
    }
  }

  private void skipBlobFile(int strings) {
    in.varint64();
    in.varint64();
    in.varint64();
    for (int i = 0; i < strings; i++) {
      in.string();
    }
    // Its details end with zero.
    while (in.varint32() != 0) {
      in.string();
    }
  }

  /** The number of the log, and its size if it is known. */
  private void skipWalAddition() {
    in.varint64();
    while (in.varint32() != TERMINATE) {
      in.varint64();
    }
  }

  private void requireBytewise() {
    int at = in.position();
    String name = text();
    if (!name.equals(BYTEWISE)) {
      throw in.fault(at, "the order of keys is that of \"" + name + "\", not byte by byte");
    }
  }

  private int level() {
    int at = in.position();
    long level = in.varint32();
    if (level > MAX_LEVEL) {
      throw in.fault(at, "there is a level " + level);
    }
    return (int) level;
  }

  private byte[] key() {
    RocksDbInput key = in.string();
    if (key.remaining() < InternalKey.TRAILER) {
      throw key.fault(key.position(), "a key is too short for a sequence number");
    }
    return key.rest();
  }

  private String text() {
    return new String(in.string().rest(), UTF_8);
  }

  private long bounded(long max, String what) {
    int at = in.position();
    long value = in.varint64();
    if (value < 0 || value > max) {
      throw in.fault(at, "the " + what + " " + Long.toUnsignedString(value) + " is too large");
    }
    return value;
  }
}
