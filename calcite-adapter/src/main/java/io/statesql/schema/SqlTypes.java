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

import io.statesql.type.SqlType;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeSystem;
import org.apache.calcite.sql.type.SqlTypeName;

/** The one translation from stored types to Calcite's. */
public final class SqlTypes {
  private static final int MILLISECONDS = 3;

  private SqlTypes() {}

  /** The nullable Calcite type of a stored one. */
  public static RelDataType relType(SqlType type, RelDataTypeFactory factory) {
    return factory.createTypeWithNullability(notNull(type, factory), true);
  }

  private static RelDataType notNull(SqlType type, RelDataTypeFactory factory) {
    if (type instanceof SqlType.Scalar scalar) {
      return scalar(scalar, factory);
    }
    if (type instanceof SqlType.Decimal decimal) {
      return factory.createSqlType(SqlTypeName.DECIMAL, decimal.precision(), decimal.scale());
    }
    if (type instanceof SqlType.Row row) {
      return row(row, factory);
    }
    if (type instanceof SqlType.Array array) {
      return factory.createArrayType(relType(array.element(), factory), -1);
    }
    if (type instanceof SqlType.MapOf map) {
      return factory.createMapType(relType(map.key(), factory), relType(map.value(), factory));
    }
    return factory.createSqlType(
        type instanceof SqlType.ObjectText ? SqlTypeName.VARCHAR : SqlTypeName.VARBINARY);
  }

  private static RelDataType scalar(SqlType.Scalar scalar, RelDataTypeFactory factory) {
    return switch (scalar) {
      case BOOLEAN -> factory.createSqlType(SqlTypeName.BOOLEAN);
      case TINYINT -> factory.createSqlType(SqlTypeName.TINYINT);
      case SMALLINT -> factory.createSqlType(SqlTypeName.SMALLINT);
      case INTEGER -> factory.createSqlType(SqlTypeName.INTEGER);
      case BIGINT -> factory.createSqlType(SqlTypeName.BIGINT);
      case REAL -> factory.createSqlType(SqlTypeName.REAL);
      case DOUBLE -> factory.createSqlType(SqlTypeName.DOUBLE);
      case DECIMAL -> unboundedDecimal(factory);
      case VARCHAR -> factory.createSqlType(SqlTypeName.VARCHAR);
      case VARBINARY -> factory.createSqlType(SqlTypeName.VARBINARY);
      case DATE -> factory.createSqlType(SqlTypeName.DATE);
      case TIME -> factory.createSqlType(SqlTypeName.TIME, MILLISECONDS);
      case TIMESTAMP -> factory.createSqlType(SqlTypeName.TIMESTAMP, MILLISECONDS);
    };
  }

  /** The widest decimal: half of its digits before the point and half behind. */
  private static RelDataType unboundedDecimal(RelDataTypeFactory factory) {
    RelDataTypeSystem system = factory.getTypeSystem();
    return factory.createSqlType(
        SqlTypeName.DECIMAL,
        system.getMaxPrecision(SqlTypeName.DECIMAL),
        system.getMaxScale(SqlTypeName.DECIMAL));
  }

  private static RelDataType row(SqlType.Row row, RelDataTypeFactory factory) {
    RelDataTypeFactory.Builder builder = factory.builder();
    UniqueNames names = new UniqueNames();
    for (SqlType.Field field : row.fields()) {
      builder.add(names.claim(fieldName(row, field)), relType(field.type(), factory));
    }
    return builder.build();
  }

  /** What a field is called where no name encloses the row, see {@link SqlType.Row}. */
  private static String fieldName(SqlType.Row row, SqlType.Field field) {
    if (!row.inline()) {
      return field.name();
    }
    return field.name().isEmpty() ? "value" : field.name().replaceFirst("^_", "");
  }

  /** The type as SQL writes it, for {@code sys.states} and {@code DESCRIBE}. */
  public static String text(SqlType type) {
    if (type instanceof SqlType.Scalar scalar) {
      return switch (scalar) {
        case TIME -> "TIME(3)";
        case TIMESTAMP -> "TIMESTAMP(3)";
        default -> scalar.name();
      };
    }
    if (type instanceof SqlType.Decimal decimal) {
      return "DECIMAL(" + decimal.precision() + ", " + decimal.scale() + ")";
    }
    if (type instanceof SqlType.Row row) {
      List<String> fields = new ArrayList<>();
      for (SqlType.Field field : row.fields()) {
        fields.add(fieldName(row, field) + " " + text(field.type()));
      }
      return "ROW(" + String.join(", ", fields) + ")";
    }
    if (type instanceof SqlType.Array array) {
      return text(array.element()) + " ARRAY";
    }
    if (type instanceof SqlType.MapOf map) {
      return "MAP(" + text(map.key()) + ", " + text(map.value()) + ")";
    }
    return type instanceof SqlType.ObjectText ? "VARCHAR" : "VARBINARY";
  }
}
