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

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.statesql.format.model.ElementCodecs;
import io.statesql.format.model.KeyedElement;
import io.statesql.format.model.KeyedElements;
import io.statesql.format.model.KeyedSplit;
import io.statesql.format.model.StateKind;
import io.statesql.format.split.KeyedSplits;
import io.statesql.format.split.RawTimerSplits;
import io.statesql.snapshot.OperatorState;
import io.statesql.snapshot.Snapshot;
import io.statesql.type.Codec;
import io.statesql.type.StateInput;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** Reads keyed state as StateSQL does, into the form of the golden files. */
public final class DecodedKeyedState {
  private DecodedKeyedState() {}

  /** All entries of all keyed states and timers of an operator, in the order of reading. */
  public static List<GoldenEntry> of(Snapshot snapshot, OperatorState operator) {
    List<GoldenEntry> entries = new ArrayList<>();
    for (KeyedSplit split : splits(snapshot, operator)) {
      entries.addAll(of(snapshot, split));
    }
    return entries;
  }

  /** The splits of managed keyed state, then those of timers in raw keyed state. */
  public static List<KeyedSplit> splits(Snapshot snapshot, OperatorState operator) {
    List<KeyedSplit> splits = new ArrayList<>(KeyedSplits.of(snapshot, operator));
    splits.addAll(RawTimerSplits.of(snapshot, operator));
    return splits;
  }

  /** All entries of one split, in the order of reading. */
  public static List<GoldenEntry> of(Snapshot snapshot, KeyedSplit split) {
    BitSet all = new BitSet();
    all.set(0, split.header().states().size());
    return of(snapshot, split, all);
  }

  /** The entries of some states of one split, in the order of reading. */
  public static List<GoldenEntry> of(Snapshot snapshot, KeyedSplit split, BitSet wanted) {
    List<GoldenEntry> entries = new ArrayList<>();
    try (KeyedElements elements = KeyedSplits.open(snapshot, split, wanted)) {
      while (elements.next()) {
        entries.add(entry(split.operator().id().hex(), elements.element()));
      }
    }
    return entries;
  }

  private static GoldenEntry entry(String operator, KeyedElement element) {
    ElementCodecs codecs = element.state().codecs();
    StateKind kind = element.state().kind();
    return new GoldenEntry(
        operator,
        element.state().name(),
        kind.name(),
        null,
        element.keyGroup(),
        render(codecs.key(), element.key()),
        render(codecs.namespace(), element.namespace()),
        kind == StateKind.MAP ? render(codecs.mapKey(), element.mapKey()) : null,
        kind == StateKind.LIST ? element.listIndex() : null,
        value(element));
  }

  private static JsonNode value(KeyedElement element) {
    if (element.state().kind() == StateKind.TIMER) {
      return JsonNodeFactory.instance.numberNode(element.timestamp());
    }
    if (element.valueIsNull()) {
      return JsonNodeFactory.instance.nullNode();
    }
    if (element.state().codecs().hasTtl()) {
      element.value().skip(Long.BYTES);
    }
    return render(element.state().codecs().value(), element.value());
  }

  private static JsonNode render(Codec codec, StateInput in) {
    JsonNode value = GoldenValues.render(codec.type(), codec.read(in));
    in.requireEnd();
    return value;
  }
}
