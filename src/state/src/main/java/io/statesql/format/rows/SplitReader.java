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

import io.statesql.format.model.RowCursor;

/**
 * Gives the rows of a {@link SplitSpec} and can be left after any of them: {@link #rest} is the
 * spec of the others. Not thread-safe.
 */
public final class SplitReader implements RowCursor {
  private final SplitSpec spec;
  private final long gatheredBytes;

  /** From the start of the key groups of the spec on. */
  private final RowCursor all;

  private long skipped;
  private long given;
  private int keyGroup = -1;

  /** How many rows came of the present key group, or at all where rows are of none. */
  private long passed;

  /**
   * @param gatheredBytes what {@code all} may gather
   */
  SplitReader(SplitSpec spec, long gatheredBytes, RowCursor all) {
    this.spec = spec;
    this.gatheredBytes = gatheredBytes;
    this.all = all;
  }

  @Override
  public boolean next() {
    while (skipped < spec.offset()) {
      if (!advance()) {
        return false;
      }
      skipped++;
    }
    if (given == spec.limit() || !advance()) {
      return false;
    }
    given++;
    return true;
  }

  private boolean advance() {
    if (!all.next()) {
      return false;
    }
    passed = all.keyGroup() == keyGroup ? passed + 1 : 1;
    keyGroup = all.keyGroup();
    return true;
  }

  /** The rows behind the present one: of its key group those that are left, and later ones. */
  public SplitSpec rest() {
    return passed == 0 ? spec : spec.from(keyGroup, passed, given, gatheredBytes);
  }

  @Override
  public Object[] row() {
    return all.row();
  }

  @Override
  public int keyGroup() {
    return keyGroup;
  }

  @Override
  public long tableRows() {
    return all.tableRows();
  }

  @Override
  public void close() {
    all.close();
  }
}
