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
package io.statesql.sql;

import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;

/**
 * The types of parameters. Calcite gives a parameter the type of what it is compared with, and cuts
 * text and bytes to the length of that: {@code 'a' = ?} would be true of 'abc'.
 */
final class ParameterTypes {
  private ParameterTypes() {}

  /** The type of a parameter that stands where a value of some type is expected. */
  static RelDataType of(RelDataType expected, RelDataTypeFactory typeFactory) {
    if (SqlTypeUtil.inCharFamily(expected)) {
      return ofAnyLength(SqlTypeName.VARCHAR, expected, typeFactory);
    }
    return SqlTypeUtil.isBinary(expected)
        ? ofAnyLength(SqlTypeName.VARBINARY, expected, typeFactory)
        : expected;
  }

  private static RelDataType ofAnyLength(
      SqlTypeName name, RelDataType expected, RelDataTypeFactory typeFactory) {
    return typeFactory.createTypeWithNullability(
        typeFactory.createSqlType(name), expected.isNullable());
  }
}
