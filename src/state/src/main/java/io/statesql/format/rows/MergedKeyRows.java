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
import io.statesql.format.model.KeyedElements;
import io.statesql.format.model.RowCursor;
import io.statesql.format.rows.KeyRowReader.KeyRow;
import io.statesql.type.StateInput;
import java.util.Arrays;

/**
 * The keys of a split whose elements come key by key, a row each. Takes memory for the row of one
 * key.
 */
final class MergedKeyRows implements RowCursor {
  private final KeyedElements elements;
  private final SharedResources.Lease<OpenSplits.Closing> closing;
  private final KeyRowReader reader;
  private final Cancellation cancellation;
  private byte[] key = new byte[0];
  private Object[] row;
  private int keyGroup = -1;

  /** Whether the present element belongs to a key that has no row yet. */
  private boolean ahead;

  private boolean ended;

  /**
   * @param elements closed with this cursor
   * @param cancellation is asked for each element
   */
  MergedKeyRows(
      KeyedElements elements,
      SharedResources.Lease<OpenSplits.Closing> closing,
      KeyRowReader reader,
      Cancellation cancellation) {
    this.elements = elements;
    this.closing = closing;
    this.reader = reader;
    this.cancellation = cancellation;
  }

  @Override
  public boolean next() {
    if (!ahead && !advance()) {
      return false;
    }
    StateInput first = elements.element().key();
    key = Arrays.copyOfRange(first.array(), first.position(), first.limit());
    keyGroup = elements.element().keyGroup();
    KeyRow gathered = reader.newRow(elements);
    do {
      reader.add(elements, gathered);
    } while (advance() && isSameKey(elements.element().key()));
    row = gathered.values();
    return true;
  }

  private boolean advance() {
    if (ended) {
      return false;
    }
    cancellation.check();
    ahead = elements.next();
    ended = !ahead;
    return ahead;
  }

  private boolean isSameKey(StateInput other) {
    return Arrays.equals(key, 0, key.length, other.array(), other.position(), other.limit());
  }

  @Override
  public Object[] row() {
    return row;
  }

  @Override
  public int keyGroup() {
    return keyGroup;
  }

  @Override
  public void close() {
    try (closing) {
      elements.close();
    }
  }
}
