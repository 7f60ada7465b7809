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
package io.statesql.jdbc;

import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeUtil;

/**
 * Builds expressions in which a conversion to the unbounded decimal keeps every digit, whoever asks
 * for it: query or planner.
 */
final class StateSqlRexBuilder extends RexBuilder {
  StateSqlRexBuilder(RelDataTypeFactory typeFactory) {
    super(typeFactory);
  }

  @Override
  public RexNode makeAbstractCast(SqlParserPos pos, RelDataType type, RexNode exp, boolean safe) {
    return isExactConversion(type, exp, safe)
        ? makeCall(
            pos, withNullability(type, exp), ExactDecimals.EXACT_DECIMAL, java.util.List.of(exp))
        : super.makeAbstractCast(pos, type, exp, safe);
  }

  @Override
  public RexNode makeAbstractCast(
      SqlParserPos pos, RelDataType type, RexNode exp, boolean safe, RexLiteral format) {
    return format.isNull()
        ? makeAbstractCast(pos, type, exp, safe)
        : super.makeAbstractCast(pos, type, exp, safe, format);
  }

  private static boolean isExactConversion(RelDataType type, RexNode exp, boolean safe) {
    RelDataType from = exp.getType();
    return !safe
        && StateSqlTypeSystem.isUnboundedDecimal(type)
        && (SqlTypeUtil.isNumeric(from) || SqlTypeUtil.inCharFamily(from));
  }

  private RelDataType withNullability(RelDataType type, RexNode exp) {
    return typeFactory.createTypeWithNullability(
        type, type.isNullable() || exp.getType().isNullable());
  }
}
