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

/** Makes few rows of the many that a piece of a table has, on the thread that reads the piece. */
@FunctionalInterface
public interface PieceFold {

  /**
   * Nothing is read before the first row is asked for.
   *
   * @param piece the rows of the piece; closed with the result
   * @param scan what the piece is read within
   */
  RowCursor of(RowCursor piece, ScanContext scan);
}
