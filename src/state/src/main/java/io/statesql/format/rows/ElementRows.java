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
package io.statesql.format.rows;

import io.statesql.Cancellation;
import io.statesql.OpenSplits;
import io.statesql.SharedResources;
import io.statesql.StateSqlException;
import io.statesql.format.model.ColumnSource;
import io.statesql.format.model.KeyedElement;
import io.statesql.format.model.KeyedElements;
import io.statesql.format.model.KeyedSplit;
import io.statesql.format.model.KeyedStateMeta;
import io.statesql.format.model.RowCursor;
import io.statesql.format.model.SplitFault;
import io.statesql.format.scan.ElementCondition;
import io.statesql.format.scan.ElementReader;
import io.statesql.format.split.KeyedSplits;
import io.statesql.snapshot.Snapshot;
import io.statesql.type.MalformedValueException;
import java.util.BitSet;
import java.util.List;
import java.util.Set;

/** The elements of some states of one split, a row each. */
public final class ElementRows implements RowCursor {
  private final KeyedSplit split;
  private final KeyedElements elements;
  private final SharedResources.Lease<OpenSplits.Closing> closing;

  /** By number of the state in the split's header; null for a state that is not wanted. */
  private final ElementReader[] readers;

  private final int width;
  private Object[] row;

  private ElementRows(
      KeyedSplit split,
      KeyedElements elements,
      SharedResources.Lease<OpenSplits.Closing> closing,
      ElementReader[] readers,
      int width) {
    this.split = split;
    this.elements = elements;
    this.closing = closing;
    this.readers = readers;
    this.width = width;
  }

  /**
   * Opens a split.
   *
   * @param states names of the states wanted; those that the split does not know have no rows
   * @param condition what is wanted of their elements; others may have rows too
   * @throws StateSqlException if the file cannot be had or its form is not read
   */
  public static RowCursor open(
      Snapshot snapshot,
      KeyedSplit split,
      Set<String> states,
      ElementCondition condition,
      List<ColumnSource> columns) {
    ElementReader[] readers = new ElementReader[split.header().states().size()];
    BitSet wanted = new BitSet();
    for (KeyedStateMeta state : split.header().states()) {
      if (states.contains(state.name())) {
        wanted.set(state.id());
        readers[state.id()] =
            ElementReader.ofElements(state, columns, split.operator().maxParallelism());
      }
    }
    return new ElementRows(
        split,
        KeyedSplits.open(snapshot, split, wanted, condition),
        SplitsInUse.keyed(snapshot, split),
        readers,
        columns.size());
  }

  @Override
  public boolean next() {
    if (!elements.next()) {
      return false;
    }
    KeyedElement element = elements.element();
    row = new Object[width];
    try {
      readers[element.state().id()].read(element, row, 0);
    } catch (MalformedValueException e) {
      throw elements.malformed(e);
    } catch (StateSqlException e) {
      throw SplitFault.located(split, element, e);
    }
    return true;
  }

  @Override
  public Object[] row() {
    return row;
  }

  @Override
  public int keyGroup() {
    return elements.element().keyGroup();
  }

  @Override
  public long passAll(Cancellation cancellation) {
    return elements.passAll(cancellation);
  }

  @Override
  public void close() {
    try (closing) {
      elements.close();
    }
  }
}
