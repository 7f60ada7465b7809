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
package io.statesql.format.split;

import com.google.common.primitives.ImmutableLongArray;
import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import io.statesql.format.bytes.KeyGroupExtents;
import io.statesql.format.changelog.BaseReader;
import io.statesql.format.changelog.ChangelogSplits;
import io.statesql.format.header.GuessedHeaders;
import io.statesql.format.header.KeyedHeaderReader;
import io.statesql.format.keygroup.BaseFile;
import io.statesql.format.keygroup.CanonicalElements;
import io.statesql.format.keygroup.HeapElements;
import io.statesql.format.keygroup.RawTimerElements;
import io.statesql.format.model.KeyedElements;
import io.statesql.format.model.KeyedHeader;
import io.statesql.format.model.KeyedLayout;
import io.statesql.format.model.KeyedSplit;
import io.statesql.format.model.NoElements;
import io.statesql.format.model.SplitFault;
import io.statesql.format.model.SubtaskFile;
import io.statesql.format.rocksdb.RocksDbElements;
import io.statesql.format.scan.ElementCondition;
import io.statesql.format.scan.MatchingElements;
import io.statesql.format.scan.SplitScan;
import io.statesql.snapshot.KeyGroupRange;
import io.statesql.snapshot.KeyedStateHandle;
import io.statesql.snapshot.OperatorState;
import io.statesql.snapshot.Snapshot;
import io.statesql.snapshot.StateFile;
import io.statesql.snapshot.StreamHandle;
import io.statesql.snapshot.SubtaskState;
import io.statesql.type.MalformedValueException;
import io.statesql.type.serializer.SerializerContext;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The keyed splits of one operator, and the way to open each by its form. */
public final class KeyedSplits {
  /** Bases of a changelog are read as any other split. */
  private static final BaseReader BASES =
      new BaseReader() {
        @Override
        public KeyedSplit read(
            Snapshot snapshot, OperatorState operator, int subtask, KeyedStateHandle base) {
          return readSplit(snapshot, operator, subtask, base, new HashMap<>());
        }

        @Override
        public KeyedElements open(
            Snapshot snapshot, KeyedSplit base, BitSet wanted, ElementCondition condition) {
          return openForm(snapshot, base, wanted, condition);
        }
      };

  private KeyedSplits() {}

  /**
   * Reads the headers of all managed keyed state of an operator. Where there are POJOs, or values
   * without a known end, looks at the first values, too.
   *
   * @return one split for each subtask with keyed state
   * @throws StateSqlException if a header is damaged, missing or of a form that is not read
   */
  public static List<KeyedSplit> of(Snapshot snapshot, OperatorState operator) {
    return HeaderRounds.read(
        snapshot,
        knowing -> read(knowing, operator),
        split -> split.header().pojos(),
        FirstValues::ofKeyed);
  }

  private static List<KeyedSplit> read(Snapshot snapshot, OperatorState operator) {
    List<KeyedSplit> splits = new ArrayList<>();
    // The subtasks of an operator nearly always have the same header, so it is parsed once.
    Map<ByteBuffer, KeyedHeader> headers = new HashMap<>();
    for (SubtaskState subtask : operator.subtasks()) {
      requireOwnKeyGroups(snapshot, operator, subtask.index(), subtask.managedKeyedState());
      if (subtask.managedKeyedState() instanceof KeyedStateHandle.Changelog) {
        continue;
      }
      if (subtask.managedKeyedState() != null) {
        splits.add(
            readSplit(snapshot, operator, subtask.index(), subtask.managedKeyedState(), headers));
      }
    }
    GuessedHeaders.confirmKeyed(splits);
    splits.addAll(ChangelogSplits.of(snapshot, operator, splits, BASES));
    return splits;
  }

  /** Flink gives a subtask the same key groups always; others would hide what is stored. */
  static void requireOwnKeyGroups(
      Snapshot snapshot, OperatorState operator, int subtask, KeyedStateHandle handle) {
    KeyGroupRange own =
        KeyGroupRange.ofSubtask(subtask, operator.parallelism(), operator.maxParallelism());
    if (handle != null && !handle.keyGroups().equals(own)) {
      throw new StateSqlException(
          ErrorCode.MALFORMED_SNAPSHOT,
          "Operator \""
              + operator.uidOrId()
              + "\", subtask "
              + subtask
              + ": the metadata "
              + snapshot.metadata().location()
              + " is damaged: it says that the subtask has "
              + handle.keyGroups()
              + ", but one of "
              + operator.parallelism()
              + " has "
              + own
              + ".");
    }
  }

  static KeyedSplit readSplit(
      Snapshot snapshot,
      OperatorState operator,
      int subtask,
      KeyedStateHandle handle,
      Map<ByteBuffer, KeyedHeader> headers) {
    StreamHandle stream = headerStream(operator, subtask, handle);
    SerializerContext serializers = snapshot.serializers();
    try (StateFile file = SubtaskFile.open(snapshot, operator, subtask, stream)) {
      KeyedSplit split =
          new KeyedSplit(operator, subtask, handle, null, file.name(), serializers, layout(handle));
      split = split.withHeader(readHeader(split, file, headers));
      return probe(split, handle, file);
    } catch (MalformedValueException e) {
      throw SplitFault.malformed(
          new KeyedSplit(
              operator,
              subtask,
              handle,
              null,
              describe(stream, snapshot),
              serializers,
              layout(handle)),
          null,
          -1,
          false,
          e);
    }
  }

  private static KeyedHeader readHeader(
      KeyedSplit split, StateFile file, Map<ByteBuffer, KeyedHeader> headers) {
    long length = headerLength(split.handle(), file.length());
    if (length <= file.length() && split.isBase() && offsets(split.handle()) != null) {
      return BaseFile.readHeader(split, file, length);
    }
    if (length > KeyedHeaderReader.MAX_HEADER || length > file.length()) {
      throw new MalformedValueException(
          0, "its header cannot take " + length + " of " + file.length() + " bytes");
    }
    byte[] bytes = new byte[(int) length];
    file.readFully(bytes, 0, bytes.length);
    return headers.computeIfAbsent(
        ByteBuffer.wrap(bytes), key -> KeyedHeaderReader.read(bytes, split.serializers()));
  }

  /** The layout by the kind of handle; of plain key groups only the bytes tell. */
  private static KeyedLayout layout(KeyedStateHandle handle) {
    if (handle instanceof KeyedStateHandle.Incremental) {
      return KeyedLayout.ROCKSDB;
    }
    return handle instanceof KeyedStateHandle.Changelog
        ? KeyedLayout.CHANGELOG
        : KeyedLayout.CANONICAL;
  }

  /** Finds the layout where the handle does not say it, and tests a guess by what follows it. */
  private static KeyedSplit probe(KeyedSplit split, KeyedStateHandle handle, StateFile file) {
    if (handle instanceof KeyedStateHandle.KeyGroups keyGroups) {
      return split.withLayout(
          probe(split, keyGroups.keyGroups(), keyGroups.offsets(), file).find());
    }
    if (split.header().isGuess()
        && handle instanceof KeyedStateHandle.KeyGroupsSavepoint savepoint) {
      probe(split, savepoint.keyGroups(), savepoint.offsets(), file).requireCanonical();
    }
    return split;
  }

  private static LayoutProbe probe(
      KeyedSplit split, KeyGroupRange keyGroups, ImmutableLongArray offsets, StateFile file) {
    return new LayoutProbe(split, file, extents(split, keyGroups, offsets, file));
  }

  /** Where the key groups of a split lie that is no raw state. */
  private static KeyGroupExtents extents(
      KeyedSplit split, KeyGroupRange keyGroups, ImmutableLongArray offsets, StateFile file) {
    long headerLength = split.header().length();
    return split.isBase()
        ? KeyGroupExtents.ofPart(keyGroups, offsets, headerLength, file.length())
        : new KeyGroupExtents(keyGroups, offsets, headerLength, file.length());
  }

  private static String describe(StreamHandle stream, Snapshot snapshot) {
    try (StateFile file = snapshot.open(stream)) {
      return file.name();
    }
  }

  private static StreamHandle headerStream(
      OperatorState operator, int subtask, KeyedStateHandle handle) {
    if (handle instanceof KeyedStateHandle.KeyGroupsSavepoint savepoint) {
      return savepoint.delegate();
    }
    if (handle instanceof KeyedStateHandle.KeyGroups keyGroups) {
      return keyGroups.delegate();
    }
    if (handle instanceof KeyedStateHandle.Incremental incremental) {
      return incremental.metadata();
    }
    throw unsupported(operator, subtask, "a changelog within a changelog");
  }

  private static long headerLength(KeyedStateHandle handle, long fileLength) {
    ImmutableLongArray offsets = offsets(handle);
    return offsets == null ? fileLength : KeyGroupExtents.headerLength(offsets, fileLength);
  }

  /** Where the key groups start, or null for a form that has no such offsets. */
  private static ImmutableLongArray offsets(KeyedStateHandle handle) {
    if (handle instanceof KeyedStateHandle.KeyGroupsSavepoint savepoint) {
      return savepoint.offsets();
    }
    if (handle instanceof KeyedStateHandle.KeyGroups keyGroups) {
      return keyGroups.offsets();
    }
    return null;
  }

  /**
   * Opens a split to walk the elements of some of its states.
   *
   * @param wanted numbers of states in the split's header
   * @return to be closed by the caller
   * @throws StateSqlException if the file cannot be had, or its form is not read by this version
   */
  public static KeyedElements open(Snapshot snapshot, KeyedSplit split, BitSet wanted) {
    return open(snapshot, split, wanted, ElementCondition.NONE);
  }

  /**
   * As {@link #open(Snapshot, KeyedSplit, BitSet)}, for the elements that meet a condition. Others
   * may be among them.
   */
  public static KeyedElements open(
      Snapshot snapshot, KeyedSplit split, BitSet wanted, ElementCondition condition) {
    if (isNothingWanted(split, wanted, condition)) {
      return new NoElements(split);
    }
    if (!SessionWindows.isNeeded(split.header(), wanted)) {
      return openChanged(snapshot, split, wanted, condition);
    }
    // Contents are stored under other windows than those that the condition is about.
    ElementCondition onKeys = condition.onKeys();
    KeyedElements elements = openChanged(snapshot, split, wanted, onKeys);
    try {
      BitSet mergingSet = SessionWindows.mergingSet(split.header());
      return new SessionWindows(elements, openChanged(snapshot, split, mergingSet, onKeys));
    } catch (StateSqlException e) {
      elements.close();
      throw e;
    }
  }

  private static KeyedElements openChanged(
      Snapshot snapshot, KeyedSplit split, BitSet wanted, ElementCondition condition) {
    return StagedElements.over(
        openForm(snapshot, split, wanted, condition), split, wanted, condition);
  }

  /** Whether {@link #openByKey} can open a split. */
  public static boolean isSortedByKey(KeyedSplit split) {
    return split.handle() instanceof KeyedStateHandle.Incremental;
  }

  /**
   * Opens a split to walk the elements of some of its states key by key.
   *
   * @param wanted numbers of states in the split's header, none of them windowed
   * @param condition what is wanted of their elements; others may be among them
   * @return to be closed by the caller
   * @throws StateSqlException if a file cannot be had
   */
  public static KeyedElements openByKey(
      Snapshot snapshot, KeyedSplit split, BitSet wanted, ElementCondition condition) {
    if (isNothingWanted(split, wanted, condition)) {
      return new NoElements(split);
    }
    return RocksDbElements.open(
        snapshot,
        new SplitScan(split, wanted, condition, snapshot.scan().counters()),
        (KeyedStateHandle.Incremental) split.handle(),
        RocksDbElements.Order.BY_KEY);
  }

  /** A split without any key groups is opened all the same: it may be damaged. */
  private static boolean isNothingWanted(
      KeyedSplit split, BitSet wanted, ElementCondition condition) {
    return wanted.isEmpty()
        || (split.keyGroups().count() > 0 && condition.keyGroups(split, wanted).isEmpty());
  }

  public static KeyedElements openForm(
      Snapshot snapshot, KeyedSplit split, BitSet wanted, ElementCondition condition) {
    SplitScan scan = new SplitScan(split, wanted, condition, snapshot.scan().counters());
    if (split.handle() instanceof KeyedStateHandle.KeyGroupsSavepoint savepoint) {
      return openKeyGroups(
          snapshot, scan, savepoint.delegate(), savepoint.keyGroups(), savepoint.offsets());
    }
    if (split.handle() instanceof KeyedStateHandle.KeyGroups handle) {
      return openKeyGroups(snapshot, scan, handle.delegate(), handle.keyGroups(), handle.offsets());
    }
    if (split.handle() instanceof KeyedStateHandle.Incremental incremental) {
      return RocksDbElements.open(snapshot, scan, incremental, RocksDbElements.Order.BY_STATE);
    }
    if (split.handle() instanceof KeyedStateHandle.Changelog) {
      return new MatchingElements(
          ChangelogSplits.open(snapshot, scan, condition.onKeyGroups(split, wanted), BASES), scan);
    }
    throw unsupported(split.operator(), split.subtask(), "a run of changes without a changelog");
  }

  private static KeyedElements openKeyGroups(
      Snapshot snapshot,
      SplitScan scan,
      StreamHandle stream,
      KeyGroupRange keyGroups,
      ImmutableLongArray offsets) {
    KeyedSplit split = scan.split();
    StateFile file = SubtaskFile.open(snapshot, split.operator(), split.subtask(), stream);
    try {
      if (split.layout() == KeyedLayout.RAW_TIMERS) {
        KeyGroupExtents extents =
            KeyGroupExtents.ofRaw(keyGroups, offsets, file.length()).within(split.keyGroups());
        return new MatchingElements(new RawTimerElements(scan, file, extents), scan);
      }
      KeyGroupExtents extents = extents(split, keyGroups, offsets, file).within(split.keyGroups());
      return split.layout() == KeyedLayout.HEAP
          ? new HeapElements(scan, file, extents)
          : new CanonicalElements(scan, file, extents);
    } catch (MalformedValueException e) {
      file.close();
      throw SplitFault.malformed(split, null, -1, false, e);
    }
  }

  private static StateSqlException unsupported(OperatorState operator, int subtask, String form) {
    return new StateSqlException(
        ErrorCode.UNSUPPORTED_SNAPSHOT,
        "Operator \""
            + operator.uidOrId()
            + "\", subtask "
            + subtask
            + ": its keyed state is in "
            + form
            + ", which this version of StateSQL does not read; take a savepoint in canonical form"
            + " (flink savepoint --type canonical).");
  }
}
