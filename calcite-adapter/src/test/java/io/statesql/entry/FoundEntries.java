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

import static org.assertj.core.api.Assertions.assertThat;

import io.statesql.ScanContext;
import io.statesql.format.model.EntryAddress;
import io.statesql.format.model.KeyedElement;
import io.statesql.format.model.KeyedElements;
import io.statesql.format.model.KeyedSplit;
import io.statesql.format.model.StagedState;
import io.statesql.format.model.StateKind;
import io.statesql.format.model.StoredElement;
import io.statesql.format.split.KeyedSplits;
import io.statesql.schema.SqlTypes;
import io.statesql.snapshot.OperatorState;
import io.statesql.snapshot.Snapshot;
import io.statesql.type.Codec;
import io.statesql.type.SqlType;
import io.statesql.value.ValueText;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Looks entries up by the texts of their keys, and compares them with what a scan sees. */
public final class FoundEntries {
  /** How many keys of each split are looked up. */
  public static final int MOST_KEYS = 10;

  private FoundEntries() {}

  /**
   * Looks up the first entries of each un-windowed state.
   *
   * @return how many were found
   */
  public static int findAll(Snapshot snapshot) {
    int found = 0;
    try (EntryStore store = new EntryStore(snapshot)) {
      for (OperatorState operator : snapshot.metadata().operators()) {
        for (KeyedSplit split : KeyedSplits.of(snapshot, operator)) {
          for (var state : split.header().states()) {
            boolean hasEntries =
                state.kind() != StateKind.TIMER
                    && state.codecs().isUnwindowed()
                    && !(state.codecs().key().type() instanceof SqlType.Opaque);
            if (hasEntries) {
              found += findAll(store, operator, split, state.id());
            }
          }
        }
      }
    }
    return found;
  }

  private static int findAll(EntryStore store, OperatorState operator, KeyedSplit split, int id) {
    var state = split.header().states().get(id);
    EntryState entries = store.findState(operator, state.name()).orElseThrow();
    int found = 0;
    for (Map.Entry<String, List<StoredElement>> scanned : scan(store, split, id).entrySet()) {
      StoredEntry entry =
          entries
              .read(entries.key(scanned.getKey()), StagedState.NONE, ScanContext.unattended())
              .orElseThrow(() -> new AssertionError(state.name() + " " + scanned.getKey()));
      assertThat(contents(entry.elements()))
          .containsExactlyInAnyOrderElementsOf(contents(scanned.getValue()));
      found++;
    }
    return found;
  }

  /** What is stored where. */
  private static List<List<Object>> contents(List<StoredElement> elements) {
    return elements.stream()
        .map(
            element ->
                List.<Object>of(
                    EntryAddress.of(element),
                    element.listIndex(),
                    Optional.ofNullable(element.value())))
        .toList();
  }

  private static Map<String, List<StoredElement>> scan(EntryStore store, KeyedSplit split, int id) {
    Map<String, List<StoredElement>> byKey = new LinkedHashMap<>();
    BitSet wanted = new BitSet();
    wanted.set(id);
    try (KeyedElements elements = KeyedSplits.open(store.snapshot(), split, wanted)) {
      while (elements.next()) {
        KeyedElement element = elements.element();
        Codec codec = element.state().codecs().key();
        StoredElement stored = StoredElement.of(element.state(), element);
        String key =
            ValueText.of(
                codec.readLast(stored.key().input()),
                SqlTypes.relType(codec.type(), EntryCodec.TYPES));
        if (byKey.size() < MOST_KEYS || byKey.containsKey(key)) {
          byKey.computeIfAbsent(key, unknown -> new ArrayList<>()).add(stored);
        }
      }
    }
    return byKey;
  }
}
