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
package io.statesql.change;

import io.statesql.format.model.EntryAddress;
import io.statesql.format.model.EntryChange;
import io.statesql.format.model.StateKind;
import io.statesql.format.model.StateMeta;
import io.statesql.format.model.StoredElement;
import io.statesql.plan.ChangeKind;
import io.statesql.snapshot.Bytes;
import io.statesql.type.Codec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a row of {@code keyed_state} makes of one state of its key. */
final class StateValues {
  private final Encoders encoders;
  private final StateMeta state;
  private final StateColumns columns;
  private final long time;

  /**
   * @param time of the statement
   */
  StateValues(Encoders encoders, StateColumns columns, long time) {
    this.encoders = encoders;
    this.state = encoders.state();
    this.columns = columns;
    this.time = time;
  }

  /**
   * The entries that change.
   *
   * @param address of the key
   * @param stored what the key has of the state; none of a key that is new or not known
   */
  Map<EntryAddress, EntryChange> entries(
      EntryAddress address, List<StoredElement> stored, Object[] row, ChangeKind kind) {
    if (columns.collected() == null) {
      EntryChange change = value(stored, row, kind);
      return change == null ? Map.of() : Map.of(address, change);
    }
    Object collected = columns.collected().valueIn(row);
    return state.kind() == StateKind.MAP
        ? mapEntries(address, stored, (Map<?, ?>) collected)
        : Map.of(address, list((List<?>) collected));
  }

  private EntryChange list(List<?> elements) {
    if (elements == null || elements.isEmpty()) {
      return EntryChange.REMOVE;
    }
    List<Bytes> all = new ArrayList<>();
    for (Object element : elements) {
      if (element == null) {
        throw new RefusedValueException(
            columns.collected().name(), "a list of Flink has no NULL elements");
      }
      all.add(Encoders.timed(state, encode(state.codecs().value(), element), time));
    }
    return new EntryChange.PutList(all);
  }

  private Map<EntryAddress, EntryChange> mapEntries(
      EntryAddress address, List<StoredElement> stored, Map<?, ?> map) {
    Map<EntryAddress, EntryChange> entries = new LinkedHashMap<>();
    stored.forEach(element -> entries.put(EntryAddress.of(element), EntryChange.REMOVE));
    if (map == null) {
      return entries;
    }
    Map<EntryAddress, StoredElement> known = new LinkedHashMap<>();
    stored.forEach(element -> known.put(EntryAddress.of(element), element));
    map.forEach(
        (key, value) -> {
          EntryAddress at =
              EntryAddress.ofMapEntry(
                  address.keyGroup(),
                  address.key(),
                  address.namespace(),
                  encode(state.codecs().mapKey(), key));
          Bytes bare = value == null ? null : encode(state.codecs().value(), value);
          if (known.containsKey(at) && Encoders.hasValue(known.get(at), bare)) {
            // As it is, with the time of its last access.
            entries.remove(at);
          } else {
            entries.put(
                at, new EntryChange.Put(bare == null ? null : Encoders.timed(state, bare, time)));
          }
        });
    return entries;
  }

  private Bytes encode(Codec codec, Object value) {
    return PartEncoder.encode(codec, columns.collected().name(), value);
  }

  /** Null if nothing changes. */
  private EntryChange value(List<StoredElement> stored, Object[] row, ChangeKind kind) {
    PartEncoder value = encoders.value();
    Boolean present = columns.presence() == null ? null : (Boolean) columns.presence().valueIn(row);
    boolean isNull = value.isNull(row);
    if (Boolean.FALSE.equals(present)) {
      if (value.isAssigned() && !isNull) {
        throw new RefusedValueException(
            columns.presence().name(), "it is FALSE, but a field of the state has a value");
      }
      return stored.isEmpty() && kind != ChangeKind.UPSERT ? null : EntryChange.REMOVE;
    }
    if (value.isWhole() && isNull) {
      return stored.isEmpty() && kind != ChangeKind.UPSERT ? null : EntryChange.REMOVE;
    }
    boolean isWanted = Boolean.TRUE.equals(present);
    if (!stored.isEmpty()) {
      if (!value.isAssigned()) {
        return null;
      }
      if (isNull && value.isComplete() && !isWanted) {
        throw allNull();
      }
      return new EntryChange.Put(encoders.replacedValue(stored.get(0).value(), row, time));
    }
    if (isNull && !isWanted) {
      if (kind == ChangeKind.UPSERT) {
        throw allNull();
      }
      return null;
    }
    return new EntryChange.Put(encoders.newValue(row, time));
  }

  private RefusedValueException allNull() {
    String name = columns.state() + "_present";
    return new RefusedValueException(
        null,
        "all fields of state \""
            + columns.state()
            + "\" are NULL; "
            + name
            + " = FALSE removes it, "
            + name
            + " = TRUE keeps it");
  }
}
