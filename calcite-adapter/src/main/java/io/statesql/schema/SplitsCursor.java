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
package io.statesql.schema;

import io.statesql.Cancellation;
import io.statesql.format.model.RowCursor;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;

/** The rows of several splits, one split after the other, with one open at a time. */
final class SplitsCursor<S> implements RowCursor {
  private final Iterator<S> splits;
  private final Function<S, RowCursor> opener;
  private RowCursor current;

  SplitsCursor(List<S> splits, Function<S, RowCursor> opener) {
    this.splits = splits.iterator();
    this.opener = opener;
  }

  @Override
  public boolean next() {
    while (current != null || splits.hasNext()) {
      if (current == null) {
        current = opener.apply(splits.next());
      }
      if (current.next()) {
        return true;
      }
      close();
    }
    return false;
  }

  @Override
  public long passAll(Cancellation cancellation) {
    long passed = 0;
    while (current != null || splits.hasNext()) {
      if (current == null) {
        current = opener.apply(splits.next());
      }
      passed += current.passAll(cancellation);
      close();
    }
    return passed;
  }

  @Override
  public Object[] row() {
    return current.row();
  }

  @Override
  public void close() {
    if (current != null) {
      RowCursor closing = current;
      current = null;
      closing.close();
    }
  }
}
