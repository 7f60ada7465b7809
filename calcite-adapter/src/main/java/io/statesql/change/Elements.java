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

import io.statesql.ScanContext;
import io.statesql.format.model.ColumnSource.Derived;
import io.statesql.format.model.KeyedElement;
import io.statesql.format.model.KeyedElements;
import io.statesql.format.model.KeyedSplit;
import io.statesql.format.model.OperatorSplit;
import io.statesql.format.model.RowCursor;
import io.statesql.format.model.StoredElement;
import io.statesql.format.rows.SplitContent;
import io.statesql.format.rows.SplitHost;
import io.statesql.format.rows.SplitSpec;
import io.statesql.format.scan.ElementCondition;
import io.statesql.format.split.KeyedSplits;
import io.statesql.snapshot.Snapshot;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** Reads state as it is now, with what the transaction staged. */
final class Elements {
  private Elements() {}

  /**
   * Walks over the elements of some keyed states.
   *
   * @param keys whose elements are wanted; others may come too
   */
  static void forEach(
      ChangedOperator operator,
      Set<String> states,
      AskedKeys keys,
      ScanContext scan,
      Consumer<KeyedElement> action) {
    Snapshot snapshot = operator.snapshot().base().within(scan);
    ElementCondition condition = keys.condition();
    for (KeyedSplit split : operator.keyed()) {
      if (!keys.isIn(split)) {
        continue;
      }
      BitSet wanted = new BitSet();
      split.header().states().stream()
          .filter(state -> states.contains(state.name()))
          .forEach(state -> wanted.set(state.id()));
      try (KeyedElements elements = KeyedSplits.open(snapshot, split, wanted, condition)) {
        while (elements.next()) {
          action.accept(elements.element());
        }
      }
    }
  }

  /** The elements that a subtask holds of an operator state. */
  static List<StoredElement> of(
      ChangedOperator operator, OperatorSplit split, String state, ScanContext scan) {
    List<StoredElement> elements = new ArrayList<>();
    Snapshot snapshot = operator.snapshot().base().within(scan);
    SplitContent.OperatorElements content =
        new SplitContent.OperatorElements(state, List.of(Derived.STORED));
    try (RowCursor rows =
        SplitSpec.of(snapshot, split, content).open(SplitHost.of(snapshot, split))) {
      while (rows.next()) {
        elements.add((StoredElement) rows.row()[0]);
      }
    }
    return elements;
  }
}
