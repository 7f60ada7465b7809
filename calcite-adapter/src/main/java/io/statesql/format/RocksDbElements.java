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
import io.statesql.snapshot.KeyGroupRange;
import io.statesql.snapshot.KeyedStateHandle;
import io.statesql.snapshot.Snapshot;
import io.statesql.type.MalformedValueException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.List;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/**
 * Reads the RocksDB files of native savepoints and incremental checkpoints. Flink keeps each state
 * in a column family of its name, under keys that start with their key group ({@code
 * org.apache.flink.state.rocksdb.RocksDBOperationUtils} and {@code RocksDBKeyedStateBackend}, 2.3).
 * A rescaled job's files may hold key groups beyond the handle's; they are not shown. Neither is a
 * column family that the header does not know, and a state without one has no elements.
 */
final class RocksDbElements implements KeyedElements {
  /** How much of a key a message shows. */
  private static final int SHOWN_KEY_BYTES = 32;

  private final SplitScan scan;
  private final KeyedSplit split;
  private final RocksDbWorkFolder folder;
  private final CompositeEntry entry;
  private final List<RocksDbCursor> cursors = new ArrayList<>();
  private RocksDbFiles files;
  private RocksDbDatabase database;

  /** Key group and index of the cursor that stands on the next or present entry. */
  private int keyGroup = -1;

  private int index;

  /** Whether the present cursor's entry was shown, so that it must move. */
  private boolean shown;

  private boolean closed;

  /** Entries passed so far. */
  private long entries;

  private RocksDbElements(SplitScan scan, RocksDbWorkFolder folder) {
    this.scan = scan;
    this.split = scan.split();
    this.folder = folder;
    this.entry =
        new CompositeEntry(
            new KeyedElement(), split.operator().maxParallelism(), split.header().states().size());
  }

  /**
   * Lays out the files in a work folder and opens the database there.
   *
   * @param scan what is wanted of the split
   * @throws StateSqlException if a file is missing or damaged
   */
  static RocksDbElements open(
      Snapshot snapshot, SplitScan scan, KeyedStateHandle.Incremental handle) {
    RocksDbLibrary.load();
    RocksDbElements result = new RocksDbElements(scan, RocksDbWorkFolder.create());
    try {
      result.files = RocksDbFiles.restore(snapshot, scan.split(), handle, result.folder.files());
      result.openCursors(handle.keyGroups());
      return result;
    } catch (RocksDBException e) {
      StateSqlException failure = result.files.failure(e);
      result.closeAfter(failure);
      throw failure;
    } catch (MalformedValueException e) {
      StateSqlException failure = result.malformed(e);
      result.closeAfter(failure);
      throw failure;
    } catch (RuntimeException e) {
      result.closeAfter(e);
      throw e;
    }
  }

  private void openCursors(KeyGroupRange range) throws RocksDBException {
    if (range.count() == 0) {
      return;
    }
    List<KeyedStateMeta> states =
        split.header().states().stream().filter(state -> scan.wantsState(state.id())).toList();
    int prefixBytes = CompositeKey.prefixBytes(split.operator().maxParallelism());
    boolean reachesTop = range.end() + 1 == 1 << (prefixBytes * Byte.SIZE);
    database =
        RocksDbDatabase.open(
            files.folder().toString(),
            CompositeKey.prefix(range.start(), prefixBytes),
            reachesTop ? null : CompositeKey.prefix(range.end() + 1, prefixBytes));
    files.requireAllInUse(database.tables());
    for (KeyedStateMeta state : states) {
      RocksIterator iterator = database.iterator(state.name());
      if (iterator != null) {
        List<byte[]> prefixes = RocksDbPrefixes.of(scan, state, range, prefixBytes);
        cursors.add(new RocksDbCursor(state, iterator, prefixBytes, prefixes));
      }
    }
    index = cursors.size();
  }

  @Override
  public boolean next() {
    if (closed) {
      throw new IllegalStateException("These elements are closed");
    }
    try {
      return advance();
    } catch (MalformedValueException e) {
      throw malformed(e);
    } catch (RocksDBException e) {
      throw files.failure(e);
    }
  }

  private boolean advance() throws RocksDBException {
    if (entry.hasMoreElements()) {
      entry.nextElement();
      return true;
    }
    while (true) {
      if (shown) {
        shown = false;
        cursors.get(index).advance();
      }
      while (index == cursors.size() || cursors.get(index).keyGroup() != keyGroup) {
        if (index < cursors.size()) {
          index++;
        } else if (!startKeyGroup()) {
          return false;
        }
      }
      shown = true;
      entries++;
      if (show(cursors.get(index))) {
        return true;
      }
    }
  }

  /** Shows an entry unless it does not match. */
  private boolean show(RocksDbCursor cursor) {
    ElementMatcher matcher = scan.matcher(cursor.state().id());
    if (matcher != null) {
      cursor.showKey(entry);
      if (!entry.matches(cursor.state(), matcher)) {
        return false;
      }
    }
    cursor.show(entry);
    entry.split(cursor.state());
    return true;
  }

  /** Goes to the lowest key group that any cursor stands on; all below it are done. */
  private boolean startKeyGroup() {
    int lowest = RocksDbCursor.END;
    for (RocksDbCursor cursor : cursors) {
      lowest = Math.min(lowest, cursor.keyGroup());
    }
    if (lowest == RocksDbCursor.END) {
      return false;
    }
    keyGroup = lowest;
    index = 0;
    entry.startKeyGroup(keyGroup);
    scan.counters().addKeyGroup();
    return true;
  }

  @Override
  public KeyedElement element() {
    return entry.element();
  }

  @Override
  public StateSqlException malformed(MalformedValueException fault) {
    KeyedElement element = entry.element();
    String state = element.state == null ? null : element.state.name();
    return new StateSqlException(
        ErrorCode.MALFORMED_SNAPSHOT,
        SplitFault.where(split, state, keyGroup)
            + "an entry in the RocksDB files of "
            + split.file()
            + (shown ? ", with the key " + shownKey() + "," : "")
            + " is damaged at its byte "
            + fault.offset()
            + ": "
            + fault.getMessage()
            + ".",
        fault);
  }

  private String shownKey() {
    byte[] key = cursors.get(index).key();
    int length = Math.min(key.length, SHOWN_KEY_BYTES);
    return "0x" + HexFormat.of().formatHex(key, 0, length) + (length < key.length ? "..." : "");
  }

  private void closeAfter(RuntimeException failure) {
    try {
      close();
    } catch (StateSqlException e) {
      failure.addSuppressed(e);
    }
  }

  @Override
  public void close() {
    if (!closed) {
      scan.counters().addEntries(entries);
      scan.counters().addBytes(cursors.stream().mapToLong(RocksDbCursor::bytes).sum());
    }
    closed = true;
    try (folder) {
      if (database != null) {
        database.close();
      }
    }
  }
}
