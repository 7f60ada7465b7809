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
package io.statesql.value;

import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.apache.calcite.DataContext;
import org.apache.calcite.avatica.ColumnMetaData;
import org.apache.calcite.avatica.Meta;
import org.apache.calcite.jdbc.CalcitePrepare.CalciteSignature;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;

/**
 * Gives the ARRAY, MAP and ROW columns of a prepared statement the form that {@link Composites}
 * names.
 */
public final class CompositeColumns {
  private CompositeColumns() {}

  /** A statement like the given one, or itself when it has no column to convert. */
  public static <T> CalciteSignature<T> convert(
      CalciteSignature<T> signature, Composites composites) {
    RelDataType rowType = signature.rowType;
    if (rowType == null) {
      return signature;
    }
    boolean json = composites == Composites.JSON;
    List<RelDataTypeField> fields = rowType.getFieldList();
    var converted = new boolean[fields.size()];
    boolean any = false;
    for (int i = 0; i < converted.length; i++) {
      RelDataType type = fields.get(i).getType();
      converted[i] = json ? composites.isText(type) : EngineValues.containsMap(type);
      any |= converted[i];
    }
    if (!any) {
      return signature;
    }
    return new ConvertedSignature<>(
        signature,
        json ? textColumns(signature.columns, converted) : signature.columns,
        converted,
        json ? JsonText::of : EngineValues::withClientMaps);
  }

  private static List<ColumnMetaData> textColumns(
      List<ColumnMetaData> columns, boolean[] converted) {
    var result = new ArrayList<ColumnMetaData>();
    for (int i = 0; i < converted.length; i++) {
      result.add(converted[i] ? textColumn(columns.get(i)) : columns.get(i));
    }
    return result;
  }

  private static ColumnMetaData textColumn(ColumnMetaData column) {
    return new ColumnMetaData(
        column.ordinal,
        column.autoIncrement,
        column.caseSensitive,
        column.searchable,
        column.currency,
        column.nullable,
        column.signed,
        column.displaySize,
        column.label,
        column.columnName,
        column.schemaName,
        column.precision,
        column.scale,
        column.tableName,
        column.catalogName,
        ColumnMetaData.scalar(Types.VARCHAR, "VARCHAR", ColumnMetaData.Rep.STRING),
        column.readOnly,
        column.writable,
        column.definitelyWritable,
        String.class.getName());
  }

  /** Runs the original statement and converts its rows. */
  private static final class ConvertedSignature<T> extends CalciteSignature<T> {
    private final CalciteSignature<T> original;
    private final boolean[] converted;
    private final BiFunction<Object, RelDataType, Object> conversion;

    ConvertedSignature(
        CalciteSignature<T> original,
        List<ColumnMetaData> columns,
        boolean[] converted,
        BiFunction<Object, RelDataType, Object> conversion) {
      super(
          original.sql,
          original.parameters,
          original.internalParameters,
          original.rowType,
          columns,
          original.cursorFactory,
          original.rootSchema,
          List.of(),
          -1,
          null,
          original.statementType);
      this.original = original;
      this.converted = converted;
      this.conversion = conversion;
    }

    @Override
    public Enumerable<T> enumerable(DataContext dataContext) {
      return original.enumerable(dataContext).select(this::convertRow);
    }

    @SuppressWarnings("unchecked") // a row is an Object[], or with one column the value itself
    private T convertRow(T row) {
      if (cursorFactory.style == Meta.Style.OBJECT) {
        return (T) convertValue(row, 0);
      }
      Object[] values = ((Object[]) row).clone();
      for (int i = 0; i < values.length; i++) {
        if (converted[i]) {
          values[i] = convertValue(values[i], i);
        }
      }
      return (T) values;
    }

    private Object convertValue(Object value, int column) {
      return conversion.apply(value, rowType.getFieldList().get(column).getType());
    }
  }
}
