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

import io.statesql.OpenSplits;
import io.statesql.StateSqlException;
import io.statesql.format.model.ColumnSource;
import io.statesql.format.model.KeyedElements;
import io.statesql.format.model.OperatorSplit;
import io.statesql.format.model.OperatorStateMeta;
import io.statesql.format.model.RowCursor;
import io.statesql.format.model.StateKind;
import io.statesql.format.operator.OperatorElements;
import io.statesql.format.operator.StagedOperatorElements;
import io.statesql.format.scan.ElementReader;
import io.statesql.snapshot.Snapshot;
import io.statesql.type.MalformedValueException;
import java.util.List;

/** The elements of one operator state in one split, a row each. */
public final class OperatorRows implements RowCursor {
  private final OperatorSplit split;
  private final OperatorStateMeta state;
  private final KeyedElements elements;
  private final OpenSplits.Closing closing;
  private final ElementReader reader;
  private final int width;
  private Object[] row;

  private OperatorRows(
      OperatorSplit split,
      OperatorStateMeta state,
      KeyedElements elements,
      OpenSplits.Closing closing,
      ElementReader reader,
      int width) {
    this.split = split;
    this.state = state;
    this.elements = elements;
    this.closing = closing;
    this.reader = reader;
    this.width = width;
  }

  /**
   * Opens a state of a split. Of a list whose values no column needs nothing is read.
   *
   * @param state one of the split's header, {@linkplain OperatorStateMeta#isSeparable separable}
   * @throws StateSqlException if the file cannot be had
   */
  public static RowCursor open(
      Snapshot snapshot, OperatorSplit split, OperatorStateMeta state, List<ColumnSource> columns) {
    ElementReader reader = new ElementReader(state, columns);
    boolean withBytes = state.kind() == StateKind.BROADCAST || reader.readsValue();
    return new OperatorRows(
        split,
        state,
        StagedOperatorElements.over(
            OperatorElements.open(snapshot, split, state, withBytes), split, state),
        SplitsInUse.operator(snapshot, split),
        reader,
        columns.size());
  }

  @Override
  public boolean next() {
    if (!elements.next()) {
      return false;
    }
    row = new Object[width];
    try {
      reader.read(elements.element(), row, 0);
    } catch (MalformedValueException e) {
      throw elements.malformed(e);
    } catch (StateSqlException e) {
      throw split.located(state.name(), e);
    }
    return true;
  }

  @Override
  public Object[] row() {
    return row;
  }

  @Override
  public void close() {
    try (closing) {
      elements.close();
    }
  }
}
