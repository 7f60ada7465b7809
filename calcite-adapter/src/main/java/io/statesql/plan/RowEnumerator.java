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
import java.lang.ref.Cleaner;
import java.util.Collections;
import java.util.Iterator;
import java.util.function.Function;
import org.apache.calcite.linq4j.Enumerator;
import org.jspecify.annotations.Nullable;

/**
 * A scan as an enumerator, which one thread moves and any thread may close.
 *
 * <p>Where nobody knows which scans a statement has open, as on a plain {@code jdbc:calcite:}
 * connection, one that a failed expression left behind is closed when the garbage collector finds
 * it.
 */
final class RowEnumerator implements Enumerator<Object[]> {
  private final RunningScan scan;
  private Object @Nullable [] row;

  /** Rows that the scan has passed already. */
  private Iterator<Object[]> ready = Collections.emptyIterator();

  RowEnumerator(
      Function<ScanContext, RowCursor> opener, ScanContext context, @Nullable OpenScans statement) {
    this.scan = new RunningScan(opener, context, statement);
    if (statement == null) {
      Abandoned.CLEANER.register(this, scan::close);
    }
  }

  /** Its thread starts when it is needed first. */
  private static final class Abandoned {
    private static final Cleaner CLEANER = Cleaner.create();
  }

  @Override
  public Object[] current() {
    return row;
  }

  @Override
  public boolean moveNext() {
    if (ready.hasNext() && !scan.isClosed()) {
      row = ready.next();
      scan.given(1);
      return true;
    }
    if (!scan.next()) {
      return false;
    }
    row = scan.row();
    ready = scan.ready().iterator();
    return true;
  }

  @Override
  public void reset() {
    ready = Collections.emptyIterator();
    scan.free();
  }

  @Override
  public void close() {
    scan.close();
  }
}
