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

import io.statesql.format.model.ElementCodecs;
import io.statesql.format.model.KeyedElement;
import io.statesql.format.model.KeyedElements;
import io.statesql.format.model.KeyedSplit;
import io.statesql.format.model.StateKind;
import io.statesql.format.split.KeyedSplits;
import io.statesql.snapshot.Snapshot;
import io.statesql.type.Codec;
import io.statesql.type.MalformedValueException;
import io.statesql.type.StateInput;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One element with all of its parts decoded; rows of a type stand as lists. */
record RocksDbRow(
    String state,
    int keyGroup,
    Object key,
    @Nullable Object namespace,
    @Nullable Object mapKey,
    int index,
    @Nullable Object value) {

  /** The elements of a split's states in the order in which they are read. */
  static List<RocksDbRow> of(Snapshot snapshot, KeyedSplit split) {
    BitSet all = new BitSet();
    all.set(0, split.header().states().size());
    try (KeyedElements elements = KeyedSplits.open(snapshot, split, all)) {
      return of(elements);
    }
  }

  static List<RocksDbRow> of(KeyedElements elements) {
    List<RocksDbRow> rows = new ArrayList<>();
    while (elements.next()) {
      try {
        rows.add(of(elements.element()));
      } catch (MalformedValueException e) {
        throw elements.malformed(e);
      }
    }
    return rows;
  }

  private static RocksDbRow of(KeyedElement element) {
    ElementCodecs codecs = element.state().codecs();
    StateKind kind = element.state().kind();
    Object value =
        kind == StateKind.TIMER
            ? (Object) element.timestamp()
            : element.valueIsNull() ? null : read(codecs.value(), element.value());
    return new RocksDbRow(
        element.state().name(),
        element.keyGroup(),
        read(codecs.key(), element.key()),
        codecs.isUnwindowed() ? null : read(codecs.namespace(), element.namespace()),
        kind == StateKind.MAP ? read(codecs.mapKey(), element.mapKey()) : null,
        element.listIndex(),
        value);
  }

  private static @Nullable Object read(Codec codec, StateInput in) {
    Object value = codec.read(in);
    in.requireEnd();
    return value instanceof Object[] fields ? List.of(fields) : value;
  }
}
