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
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.IntFunction;
import org.apache.calcite.schema.Table;

/** A table whose rows a {@link StateScan} reads. Immutable and safe for use by many threads. */
public interface RowSource extends Table {

  /**
   * Starts to read. Nothing is opened before.
   *
   * @param fields the columns wanted, by position in the table; at least one
   * @param scan whose cancellation is asked within what may take long, and by a caller between rows
   * @return rows of these columns in this order; closed by the caller
   * @throws io.statesql.StateSqlException if the state cannot be read
   */
  RowCursor open(int[] fields, ScanContext scan);

  /**
   * Starts to read rows of which only the number counts.
   *
   * @return rows of one column, whose values mean nothing
   */
  default RowCursor openRows(ScanContext scan) {
    return open(new int[] {cheapestField()}, scan);
  }

  /**
   * The same rows for one run of a statement.
   *
   * @param parameters gives the value of each of its parameters, from 0, or null for NULL
   */
  default RowSource bind(IntFunction<Object> parameters) {
    return this;
  }

  /**
   * How the rows are found, for EXPLAIN: names and texts. Two sources of a table that give other
   * rows differ in this, by {@link Object#equals} of the values.
   */
  default Map<String, Object> access() {
    return Map.of();
  }

  /**
   * What a change of these rows may write anew, for EXPLAIN: names and texts. A run of it tells
   * what it does write.
   */
  default Map<String, Object> rewrites() {
    return Map.of();
  }

  /** A guess at how many rows there are; empty to leave that to the table. */
  default OptionalDouble rowCount() {
    return OptionalDouble.empty();
  }

  /** The column that costs least to read, for queries that need rows but no values. */
  int cheapestField();
}
