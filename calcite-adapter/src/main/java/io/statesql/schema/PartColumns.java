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

import io.statesql.format.model.ColumnSource;
import io.statesql.format.model.ColumnSource.Part;
import io.statesql.type.SqlType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The columns that show one part of a state's elements: one column for a scalar, one for each field
 * of a row. The handles of a state may store different rows (a subclass that only one subtask met);
 * the columns are then those of all, and a handle without a field has nulls in it.
 *
 * @param isRow whether the part is a row of its own, not a scalar with a companion
 * @param columns names are suffixes: what is to be said after the name of the part
 */
record PartColumns(boolean isRow, List<PartColumn> columns) {
  PartColumns {
    columns = List.copyOf(columns);
  }

  /**
   * @param suffix empty for a scalar; the name of the field for a row; what follows the name of an
   *     enclosing column for an inline row
   */
  record PartColumn(String suffix, SqlType type, ColumnSource source) {}

  /**
   * @param types of the part in each handle that has it
   * @throws TypeConflictException if they cannot be shown in the same columns
   */
  static PartColumns of(Part part, List<SqlType> types) throws TypeConflictException {
    SqlType first = types.get(0);
    if (first instanceof SqlType.Row row) {
      return new PartColumns(!row.inline(), rowColumns(part, row, types));
    }
    for (SqlType type : types) {
      requireSame(first, type);
    }
    return new PartColumns(false, List.of(new PartColumn("", first, new ColumnSource.Whole(part))));
  }

  private static List<PartColumn> rowColumns(Part part, SqlType.Row first, List<SqlType> types)
      throws TypeConflictException {
    Map<ColumnSource.FieldOf, SqlType> fields = new LinkedHashMap<>();
    for (SqlType type : types) {
      if (!(type instanceof SqlType.Row row) || row.inline() != first.inline()) {
        throw conflict(first, type);
      }
      addFields(part, row, fields);
    }
    List<PartColumn> columns = new ArrayList<>();
    fields.forEach((source, type) -> columns.add(new PartColumn(source.name(), type, source)));
    return columns;
  }

  private static void addFields(
      Part part, SqlType.Row row, Map<ColumnSource.FieldOf, SqlType> fields)
      throws TypeConflictException {
    Map<String, Integer> occurrences = new HashMap<>();
    for (SqlType.Field field : row.fields()) {
      int occurrence = occurrences.merge(field.name(), 1, Integer::sum) - 1;
      ColumnSource.FieldOf source = new ColumnSource.FieldOf(part, field.name(), occurrence);
      SqlType known = fields.putIfAbsent(source, field.type());
      if (known != null) {
        requireSame(known, field.type());
      }
    }
  }

  private static void requireSame(SqlType one, SqlType other) throws TypeConflictException {
    // They differ by their reasons only, and are bytes or text all the same.
    boolean isOpaque = one instanceof SqlType.Opaque && other instanceof SqlType.Opaque;
    boolean isText = one instanceof SqlType.ObjectText && other instanceof SqlType.ObjectText;
    if (!one.equals(other) && !isOpaque && !isText) {
      throw conflict(one, other);
    }
  }

  private static TypeConflictException conflict(SqlType one, SqlType other) {
    return new TypeConflictException(
        "one handle stores it as "
            + SqlTypes.text(one)
            + " and another as "
            + SqlTypes.text(other));
  }
}
