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
package io.statesql.entry;

import io.statesql.ErrorCode;
import io.statesql.ScanContext;
import io.statesql.StateSqlException;
import io.statesql.change.ValueEncoder;
import io.statesql.format.model.KeyedElements;
import io.statesql.format.model.KeyedSplit;
import io.statesql.format.model.KeyedStateMeta;
import io.statesql.format.model.StagedState;
import io.statesql.format.model.StateKind;
import io.statesql.format.model.StoredElement;
import io.statesql.format.scan.ElementCondition;
import io.statesql.format.split.KeyedSplits;
import io.statesql.schema.SqlTypes;
import io.statesql.snapshot.Bytes;
import io.statesql.snapshot.OperatorState;
import io.statesql.snapshot.Snapshot;
import io.statesql.type.Codec;
import io.statesql.type.KeyGroups;
import io.statesql.type.KeyHash;
import io.statesql.type.SqlType;
import io.statesql.value.ValueText;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * One keyed state of an operator, of which every key has one entry: a value, a list or a map. Safe
 * for use by many threads.
 */
public final class EntryState {
  private final EntryStore store;
  private final OperatorState operator;
  private final String name;
  private final List<KeyedSplit> splits;
  private final KeyedStateMeta first;

  /**
   * @param splits those that have the state, one at least
   */
  EntryState(EntryStore store, OperatorState operator, String name, List<KeyedSplit> splits) {
    this.store = store;
    this.operator = operator;
    this.name = name;
    this.splits = splits;
    this.first = EntryStore.meta(splits.get(0), name).orElseThrow();
  }

  public OperatorState operator() {
    return operator;
  }

  public String name() {
    return name;
  }

  /** Timers have no entries of this kind. */
  public boolean isTimer() {
    return first.kind() == StateKind.TIMER;
  }

  /** Whether a key has one entry; else it has one for each window or other namespace. */
  public boolean isUnwindowed() {
    return first.codecs().isUnwindowed();
  }

  /**
   * Reads the text of a key: of a scalar its bare text, of a composite its JSON.
   *
   * @throws StateSqlException with {@link ErrorCode#INVALID_ARGUMENT}, {@link
   *     ErrorCode#INVALID_VALUE} or {@link ErrorCode#UNWRITABLE_VALUE} if it is no text of a key
   */
  public EntryKey key(String text) {
    Codec codec = first.codecs().key();
    String reason = null;
    if (codec.type() instanceof SqlType.Opaque opaque) {
      reason = opaque.reason();
    } else if (codec.type() instanceof SqlType.ObjectText object) {
      reason = object.note();
    }
    if (reason != null) {
      throw new StateSqlException(
          ErrorCode.UNWRITABLE_VALUE,
          "The keys of operator \""
              + operator.uidOrId()
              + "\" cannot be written as text: "
              + reason
              + ".");
    }
    Object value = ValueText.read(text, SqlTypes.relType(codec.type(), EntryCodec.TYPES));
    if (value == null) {
      throw new StateSqlException(ErrorCode.UNWRITABLE_VALUE, "A key cannot be NULL.");
    }
    Object converted = ValueEncoder.convert("the key", codec, value);
    return new EntryKey(text, converted, ValueEncoder.encode("the key", codec, converted));
  }

  /**
   * The entry of a key.
   *
   * @param staged changes that the reader shall see
   * @return empty if the key has none
   * @throws StateSqlException if it cannot be read, or takes more memory than the scan may
   */
  public Optional<StoredEntry> read(EntryKey key, StagedState staged, ScanContext scan) {
    Snapshot snapshot = store.within(scan);
    for (KeyedSplit split : splits) {
      Optional<StoredEntry> found =
          read(snapshot, split.withStaged(staged), key, scan.limits().rowBytes());
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  private Optional<StoredEntry> read(
      Snapshot snapshot, KeyedSplit split, EntryKey key, long maxBytes) {
    KeyedStateMeta state = EntryStore.meta(split, name).orElseThrow();
    Codec codec = state.codecs().key();
    Bytes stored =
        codec.equals(first.codecs().key())
            ? key.bytes()
            : ValueEncoder.encode("the key", codec, key.value());
    ElementCondition condition = condition(codec, key.value(), stored);
    BitSet wanted = new BitSet();
    for (KeyedStateMeta each : split.header().states()) {
      wanted.set(each.id(), each.name().equals(name));
    }
    List<StoredElement> found = new ArrayList<>();
    long bytes = 0;
    try (KeyedElements elements = KeyedSplits.open(snapshot, split, wanted, condition)) {
      while (elements.next()) {
        if (!stored.equals(Bytes.rest(elements.element().key()))) {
          continue;
        }
        KeyedStateMeta storedAs = elements.element().state();
        if (!found.isEmpty() && storedAs.id() != state.id()) {
          throw changedMeanwhile(key);
        }
        state = storedAs;
        StoredElement element = StoredElement.of(state, elements.element());
        bytes += size(element);
        if (bytes > maxBytes) {
          throw tooLarge(key, maxBytes);
        }
        found.add(element);
      }
    }
    return found.isEmpty() ? Optional.empty() : Optional.of(new StoredEntry(state, found));
  }

  private ElementCondition condition(Codec codec, Object key, Bytes stored) {
    KeyHash hash = codec.keyHash();
    return hash == null
        ? ElementCondition.ofStoredKey(stored)
        : ElementCondition.ofStoredKeys(
            Map.of(KeyGroups.of(hash.of(key), operator.maxParallelism()), Set.of(stored)));
  }

  private static long size(StoredElement element) {
    return (element.value() == null ? 0L : element.value().length())
        + (element.mapKey() == null ? 0 : element.mapKey().length());
  }

  private StateSqlException tooLarge(EntryKey key, long maxBytes) {
    return new StateSqlException(
        ErrorCode.MEMORY_LIMIT,
        "The entry of state \""
            + name
            + "\" under the key "
            + key.text()
            + " has more than the "
            + maxBytes
            + " bytes that one read may take; read it with SQL.");
  }

  private StateSqlException changedMeanwhile(EntryKey key) {
    return new StateSqlException(
        ErrorCode.UNDECODABLE_STATE,
        "The elements of state \""
            + name
            + "\" under the key "
            + key.text()
            + " are stored in several ways, as its serializer changed since the base of the"
            + " changelog was written; read them with SQL.");
  }

  /**
   * What the header says of the state that holds a key group.
   *
   * @throws StateSqlException with {@link ErrorCode#UNWRITABLE_VALUE} if no subtask has the state
   *     there
   */
  KeyedStateMeta stateAt(int keyGroup) {
    return splits.stream()
        .filter(split -> split.handle().keyGroups().contains(keyGroup))
        .findFirst()
        .flatMap(split -> EntryStore.meta(split, name))
        .orElseThrow(
            () ->
                new StateSqlException(
                    ErrorCode.UNWRITABLE_VALUE,
                    "Key group "
                        + keyGroup
                        + " belongs to a subtask that has not stored state \""
                        + name
                        + "\" yet, so the snapshot has no serializer for it there."));
  }

  List<KeyedSplit> splits() {
    return splits;
  }

  KeyedStateMeta first() {
    return first;
  }
}
