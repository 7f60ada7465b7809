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
package org.apache.calcite.avatica;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.avatica.util.ArrayImpl;
import org.apache.calcite.avatica.util.Cursor;

/**
 * The cells of a result of Avatica's driver as the server sent them. A server of StateSQL sends a
 * date or time that the driver would show wrongly as its text, of which the driver itself makes an
 * error.
 */
public final class SentCells {
  private static final ColumnMetaData ANYTHING =
      ColumnMetaData.dummy(
          ColumnMetaData.scalar(Types.JAVA_OBJECT, "ANY", ColumnMetaData.Rep.OBJECT), true);

  private final List<Cursor.Accessor> cells;

  private SentCells(List<Cursor.Accessor> cells) {
    this.cells = cells;
  }

  /** Those of a result, always of its current row; empty if it is of another driver. */
  public static Optional<SentCells> of(ResultSet rows) throws SQLException {
    if (!(rows instanceof AvaticaResultSet result)) {
      return Optional.empty();
    }
    int columns = result.getMetaData().getColumnCount();
    ArrayImpl.Factory noArrays = null;
    return Optional.of(
        new SentCells(
            result.cursor.createAccessors(
                Collections.nCopies(columns, ANYTHING), result.localCalendar, noArrays)));
  }

  /**
   * The text that was sent in place of a number.
   *
   * @param column from 1
   */
  public Optional<String> text(int column) throws SQLException {
    return cells.get(column - 1).getObject() instanceof String text
        ? Optional.of(text)
        : Optional.empty();
  }
}
