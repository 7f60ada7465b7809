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
package io.statesql.plan;

import io.statesql.ScanContext;
import io.statesql.format.model.RowCursor;
import io.statesql.format.model.RowSize;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a scan that a statement may read several times, as a join without an equality does
 * with its inner side, once for each outer row. From the second time on they are kept, if they fit.
 * Not thread-safe.
 */
final class RepeatedRows {
  private final Function<ScanContext, RowCursor> opener;
  private final long limit;
  private boolean openedBefore;
  private boolean tooLarge;
  private @Nullable List<Object[]> kept;

  /**
   * @param opener starts to read
   * @param limit of the rows that are kept, in bytes
   */
  RepeatedRows(Function<ScanContext, RowCursor> opener, long limit) {
    this.opener = opener;
    this.limit = limit;
  }

  /** All rows, to be closed by the caller. */
  RowCursor open(ScanContext scan) {
    if (openedBefore && !tooLarge && kept == null) {
      keep(scan);
    }
    openedBefore = true;
    return kept == null ? opener.apply(scan) : new KeptRows(kept.iterator());
  }

  private void keep(ScanContext scan) {
    List<Object[]> all = new ArrayList<>();
    long bytes = 0;
    try (RowCursor rows = opener.apply(scan)) {
      while (rows.next()) {
        scan.cancellation().check();
        all.add(rows.row());
        bytes += RowSize.of(rows.row());
        if (bytes > limit) {
          tooLarge = true;
          return;
        }
      }
    }
    kept = all;
  }

  /** Rows in memory. */
  private static final class KeptRows implements RowCursor {
    private final Iterator<Object[]> rows;
    private Object[] row = {};

    KeptRows(Iterator<Object[]> rows) {
      this.rows = rows;
    }

    @Override
    public boolean next() {
      if (!rows.hasNext()) {
        return false;
      }
      row = rows.next();
      return true;
    }

    @Override
    public Object[] row() {
      return row;
    }

    @Override
    public void close() {}
  }
}
