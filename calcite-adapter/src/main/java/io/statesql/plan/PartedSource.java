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

/** A table whose rows lie in pieces that several threads may read at a time. */
public interface PartedSource extends RowSource {

  /**
   * Starts to read, piece by piece. How the rows are parted depends on the state alone, not on the
   * number of threads.
   *
   * @param fields the columns that are folded, as for {@link RowSource#open}
   * @param fold called for each piece, by several threads at a time
   * @return what the fold makes of the pieces, in their order; closed by the caller
   * @throws io.statesql.StateSqlException if the state cannot be read
   */
  RowCursor open(int[] fields, ScanContext scan, PieceFold fold);
}
