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
package io.statesql.golden;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.statesql.format.model.KeyedElement;
import io.statesql.format.model.KeyedElements;
import io.statesql.format.model.KeyedSplit;
import io.statesql.format.model.KeyedStateMeta;
import io.statesql.format.model.StateKind;
import io.statesql.format.split.KeyedSplits;
import io.statesql.snapshot.Snapshot;
import io.statesql.type.Codec;
import io.statesql.type.SqlType;
import io.statesql.type.StateInput;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What StateSQL reads of keyed splits, in the form of a golden file's lines. */
final class RocksDbEntries {
  private static final ObjectMapper JSON = new ObjectMapper();

  private RocksDbEntries() {}

  /** All elements of a split's states, in the order in which they are read. */
  static List<GoldenEntry> of(Snapshot snapshot, KeyedSplit split) {
    BitSet all = new BitSet();
    all.set(0, split.header().states().size());
    List<GoldenEntry> entries = new ArrayList<>();
    try (KeyedElements elements = KeyedSplits.open(snapshot, split, all)) {
      while (elements.next()) {
        entries.add(entry(split.operator().id().hex(), elements.element()));
      }
    }
    return entries;
  }

  private static GoldenEntry entry(String operator, KeyedElement element) {
    KeyedStateMeta state = element.state();
    StateKind kind = state.kind();
    return new GoldenEntry(
        operator,
        state.name(),
        kind.name(),
        null,
        element.keyGroup(),
        json(state.codecs().key(), element.key()),
        state.codecs().isUnwindowed()
            ? JSON.nullNode()
            : json(state.codecs().namespace(), element.namespace()),
        kind == StateKind.MAP ? json(state.codecs().mapKey(), element.mapKey()) : null,
        kind == StateKind.LIST ? (Integer) element.listIndex() : null,
        value(state, element));
  }

  private static JsonNode value(KeyedStateMeta state, KeyedElement element) {
    if (state.kind() == StateKind.TIMER) {
      return parsed(element.timestamp());
    }
    return element.valueIsNull() ? JSON.nullNode() : json(state.codecs().value(), element.value());
  }

  private static JsonNode json(Codec codec, StateInput in) {
    Object value = codec.read(in);
    in.requireEnd();
    return parsed(plain(codec.type(), value));
  }

  /** Through text, so that numbers are of the same node class as a golden file's. */
  private static JsonNode parsed(Object value) {
    try {
      return JSON.readTree(JSON.writeValueAsString(value));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Object plain(SqlType type, Object value) {
    if (type instanceof SqlType.Row row && value != null) {
      Map<String, Object> fields = new LinkedHashMap<>();
      for (int i = 0; i < row.fields().size(); i++) {
        SqlType.Field field = row.fields().get(i);
        fields.put(field.name(), plain(field.type(), ((Object[]) value)[i]));
      }
      return fields;
    }
    return value;
  }
}
