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

import io.statesql.format.model.ColumnSource.Derived;
import io.statesql.format.model.ColumnSource.Part;
import io.statesql.format.model.EntryAddress;
import io.statesql.format.model.StateKind;
import io.statesql.format.model.StateMeta;
import io.statesql.format.model.StoredElement;
import io.statesql.snapshot.Bytes;
import io.statesql.type.StateOutput;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Makes the entries of one state from the columns that a statement assigns. */
final class Encoders {
  private final StateMeta state;
  private final PartEncoder key;
  private final PartEncoder namespace;
  private final PartEncoder mapKey;
  private final PartEncoder value;
  private final Optional<ChangedColumn> lastAccess;

  /**
   * @param state whose serializers write the entries
   */
  Encoders(StateMeta state, List<ChangedColumn> columns) {
    this.state = state;
    this.key = encoder(Part.KEY, columns);
    this.namespace = encoder(Part.NAMESPACE, columns);
    this.mapKey = encoder(Part.MAP_KEY, columns);
    this.value = encoder(Part.VALUE, columns);
    this.lastAccess =
        columns.stream().filter(column -> column.source() == Derived.LAST_ACCESS).findFirst();
  }

  private PartEncoder encoder(Part part, List<ChangedColumn> columns) {
    return state.codec(part) == null ? null : new PartEncoder(state, part, columns);
  }

  StateMeta state() {
    return state;
  }

  PartEncoder key() {
    return key;
  }

  PartEncoder value() {
    return value;
  }

  /** Whether the statement assigns any part of what tells entries apart. */
  boolean movesEntries() {
    return isAssigned(key) || isAssigned(namespace) || isAssigned(mapKey);
  }

  private static boolean isAssigned(PartEncoder part) {
    return part != null && part.isAssigned();
  }

  /** The key of a new entry in a map or broadcast state. */
  Bytes newMapKey(Object[] row) {
    return mapKey.encode(row);
  }

  /** The key of an entry of which the assigned fields are replaced. */
  Bytes replacedMapKey(StoredElement old, Object[] row) {
    return mapKey.replace(old.mapKey(), row);
  }

  /** Where a new entry goes. */
  EntryAddress newAddress(int keyGroup, Object[] row, long timestamp) {
    return new EntryAddress(
        keyGroup,
        key.encode(row),
        namespace.encode(row),
        state.kind() == StateKind.MAP ? mapKey.encode(row) : null,
        timestamp);
  }

  /** Where a new value or list of a key goes in an un-windowed state. */
  EntryAddress newAddressOfKey(int keyGroup, Object[] row) {
    return EntryAddress.of(keyGroup, key.encode(row), unwindowedNamespace());
  }

  /** The namespace of a state that is scoped to its key alone. */
  Bytes unwindowedNamespace() {
    return PartEncoder.encode(state.codecs().namespace(), null, null);
  }

  /** Whether an element has a value, whatever the time of its last access. */
  static boolean hasValue(StoredElement element, @Nullable Bytes bare) {
    if (element.value() == null || bare == null) {
      return element.value() == null && bare == null;
    }
    boolean timed = element.state().codecs().hasTtl();
    return bare.equals(timed ? withoutTime(element.value()) : element.value());
  }

  /** Where an entry goes of whose address the assigned columns are replaced. */
  EntryAddress movedAddress(StoredElement old, int keyGroup, Object[] row, long timestamp) {
    return new EntryAddress(
        keyGroup,
        key.replace(old.key(), row),
        namespace.replace(old.namespace(), row),
        state.kind() == StateKind.MAP ? mapKey.replace(old.mapKey(), row) : null,
        timestamp);
  }

  /**
   * A new value with the time of its last access.
   *
   * @param time of the statement
   */
  Bytes newValue(Object[] row, long time) {
    return timed(value.encode(row), row, time);
  }

  /** A value of which the assigned columns are replaced, with the time of its last access. */
  Bytes replacedValue(Bytes old, Object[] row, long time) {
    Bytes bare = state.codecs().hasTtl() ? withoutTime(old) : old;
    return timed(value.replace(bare, row), row, time);
  }

  private static Bytes withoutTime(Bytes value) {
    var in = value.input();
    in.skip(Long.BYTES);
    return Bytes.rest(in);
  }

  private Bytes timed(Bytes bare, Object[] row, long time) {
    Object assigned = lastAccess.map(column -> column.valueIn(row)).orElse(null);
    return timed(state, bare, assigned == null ? time : (Long) assigned);
  }

  /** A value with the time of its last access, where the state keeps that. */
  static Bytes timed(StateMeta state, Bytes bare, long time) {
    if (!state.codecs().hasTtl()) {
      return bare;
    }
    StateOutput out = new StateOutput();
    out.writeLong(time);
    out.writeBytes(bare.toByteArray());
    return Bytes.copyOf(out.toByteArray());
  }
}
