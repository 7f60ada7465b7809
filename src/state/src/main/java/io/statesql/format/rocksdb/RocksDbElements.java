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
import io.statesql.SharedResources;
import io.statesql.StateSqlException;
import io.statesql.format.bytes.ValueTooLargeException;
import io.statesql.format.key.CompositeEntry;
import io.statesql.format.key.CompositeKey;
import io.statesql.format.model.KeyedElement;
import io.statesql.format.model.KeyedElements;
import io.statesql.format.model.KeyedSplit;
import io.statesql.format.model.KeyedStateMeta;
import io.statesql.format.model.SplitFault;
import io.statesql.format.rocksdb.database.DatabaseReader;
import io.statesql.format.rocksdb.database.EntryIterator;
import io.statesql.format.scan.ElementMatcher;
import io.statesql.format.scan.SplitScan;
import io.statesql.snapshot.KeyGroupRange;
import io.statesql.snapshot.KeyedStateHandle;
import io.statesql.snapshot.Snapshot;
import io.statesql.type.MalformedValueException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.rocksdb.RocksDBException;

/**
 * Reads the RocksDB files of native savepoints and incremental checkpoints. Flink keeps each state
 * in a column family of its name, under keys that start with their key group ({@code
 * org.apache.flink.state.rocksdb.RocksDBOperationUtils} and {@code RocksDBKeyedStateBackend}, 2.3).
 * A rescaled job's files may hold key groups beyond the handle's; they are not shown. Neither is a
 * column family that the header does not know, and a state without one has no elements.
 */
public final class RocksDbElements implements KeyedElements {
  /** How much of a key a message shows. */
  private static final int SHOWN_KEY_BYTES = 32;

  private final SplitScan scan;

  /** In which order elements of a key group are shown. */
  public enum Order {
    /** State by state, as other forms store them. */
    BY_STATE,
    /** Key by key in the order of their bytes; of states without namespaces alone. */
    BY_KEY
  }

  private final KeyedSplit split;
  private final SharedResources.Lease<RestoredRocksDb> restored;
  private final DatabaseReader reader;
  private final Order order;
  private final CompositeEntry entry;
  private final List<RocksDbCursor> cursors = new ArrayList<>();
  private int keyGroup = -1;

  /** Which cursor stands on the next or present entry. */
  private int index;

  /** The bytes before the namespace in the entries of the present key; for {@link Order#BY_KEY}. */
  private byte[] presentKey = new byte[0];

  /** Whether the present cursor's entry was shown, so that it must move. */
  private boolean shown;

  private boolean closed;

  /** Entries passed so far. */
  private long entries;

  private RocksDbElements(
      SplitScan scan,
      SharedResources.Lease<RestoredRocksDb> restored,
      Order order,
      Cancellation cancellation) {
    this.scan = scan;
    this.split = scan.split();
    this.restored = restored;
    this.order = order;
    this.entry = new CompositeEntry(new KeyedElement(), split);
    KeyGroupRange range = split.keyGroups();
    int prefixBytes = CompositeKey.prefixBytes(split.operator().maxParallelism());
    boolean reachesTop = range.end() + 1 == 1 << (prefixBytes * Byte.SIZE);
    this.reader =
        restored
            .thing()
            .database()
            .read(
                CompositeKey.prefix(range.start(), prefixBytes),
                reachesTop ? null : CompositeKey.prefix(range.end() + 1, prefixBytes),
                cancellation);
  }

  /**
   * Opens the database of a handle, unless another reader of the same scan has done so.
   *
   * @param scan what is wanted of the split
   * @throws StateSqlException if a file is missing or damaged
   */
  public static RocksDbElements open(
      Snapshot snapshot, SplitScan scan, KeyedStateHandle.Incremental handle, Order order) {
    RocksDbElements result =
        new RocksDbElements(
            scan,
            snapshot
                .scan()
                .shared()
                .acquire(
                    handle,
                    RestoredRocksDb.class,
                    () -> RestoredRocksDb.open(snapshot, scan.split(), handle)),
            order,
            snapshot.scan().cancellation());
    try {
      result.openCursors(snapshot.scan().limits().valueBytes());
      return result;
    } catch (RocksDBException e) {
      StateSqlException failure = result.restored.thing().failure(e);
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

  private void openCursors(int maxValueBytes) throws RocksDBException {
    int prefixBytes = CompositeKey.prefixBytes(split.operator().maxParallelism());
    for (KeyedStateMeta state : split.header().states()) {
      if (scan.wantsState(state.id())) {
        EntryIterator iterator = reader.over(state.name());
        if (iterator != null) {
          List<byte[]> prefixes = RocksDbPrefixes.of(scan, state, prefixBytes);
          cursors.add(new RocksDbCursor(state, iterator, prefixBytes, maxValueBytes, prefixes));
        }
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
    } catch (ValueTooLargeException e) {
      throw tooLarge(e);
    } catch (RocksDBException e) {
      throw restored.thing().failure(e);
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
      while (index == cursors.size() || !isNext(cursors.get(index))) {
        if (index < cursors.size()) {
          index++;
        } else if (order == Order.BY_STATE ? !startKeyGroup() : !startKey()) {
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

  private boolean isNext(RocksDbCursor cursor) {
    return order == Order.BY_STATE ? cursor.keyGroup() == keyGroup : cursor.isOn(presentKey);
  }

  /** Goes to the lowest key group that any cursor stands on; all below it are done. */
  private boolean startKeyGroup() {
    int lowest = RocksDbCursor.END;
    for (RocksDbCursor cursor : cursors) {
      lowest = Math.min(lowest, cursor.keyGroup());
    }
    return start(lowest);
  }

  /**
   * Goes to the smallest key that any cursor stands on; all before it are done. Since no key is the
   * beginning of another, the smallest entry has the smallest key.
   */
  private boolean startKey() {
    RocksDbCursor smallest = null;
    for (RocksDbCursor cursor : cursors) {
      if (smallest == null || cursor.compareTo(smallest) < 0) {
        smallest = cursor;
      }
    }
    if (smallest == null || !start(smallest.keyGroup())) {
      return false;
    }
    index = cursors.indexOf(smallest);
    smallest.show(entry);
    entry.split(smallest.state());
    presentKey = smallest.key(entry.element().key().limit());
    index = 0;
    return true;
  }

  /** Begins a key group, or goes on in it; false at the end. */
  private boolean start(int next) {
    if (next == RocksDbCursor.END) {
      return false;
    }
    if (next != keyGroup) {
      keyGroup = next;
      entry.startKeyGroup(keyGroup);
      scan.counters().addKeyGroup();
    }
    index = 0;
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

  private StateSqlException tooLarge(ValueTooLargeException fault) {
    return new StateSqlException(
        ErrorCode.MEMORY_LIMIT,
        SplitFault.where(split, cursors.get(index).state().name(), keyGroup)
            + "the entry with the key "
            + shownKey()
            + " in the RocksDB files of "
            + split.file()
            + fault.advice(),
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
    try (restored) {
      reader.close();
    }
  }
}
