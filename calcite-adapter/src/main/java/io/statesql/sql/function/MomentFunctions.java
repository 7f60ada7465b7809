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
package io.statesql.sql.function;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.schema.impl.AggregateFunctionImpl;
import org.apache.calcite.sql.SqlAggFunction;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlTypeFamily;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.sql.validate.SqlUserDefinedAggFunction;
import org.apache.calcite.sql2rel.SqlRexContext;
import org.apache.calcite.sql2rel.SqlRexConvertlet;
import org.apache.calcite.sql2rel.SqlRexConvertletTable;
import org.apache.calcite.sql2rel.StandardConvertletTable;
import org.apache.calcite.util.Optionality;
import org.jspecify.annotations.Nullable;

/**
 * The variances and covariances of {@link Moments}. They take the place of Calcite's where the
 * result is approximate; its own, of sums, are as good where these are exact.
 */
public final class MomentFunctions {
  private static final Map<SqlKind, SqlAggFunction> FUNCTIONS = new EnumMap<>(SqlKind.class);

  static {
    add(SqlKind.VAR_POP, Moments.PopulationVariance.class);
    add(SqlKind.VAR_SAMP, Moments.SampleVariance.class);
    add(SqlKind.STDDEV_POP, Moments.PopulationDeviation.class);
    add(SqlKind.STDDEV_SAMP, Moments.SampleDeviation.class);
    add(SqlKind.COVAR_POP, Moments.PopulationCovariance.class);
    add(SqlKind.COVAR_SAMP, Moments.SampleCovariance.class);
    add(SqlKind.REGR_SXX, Moments.SecondSquares.class);
    add(SqlKind.REGR_SYY, Moments.FirstSquares.class);
  }

  /** Calcite's conversions, but for these functions over windows, which it takes apart here. */
  public static final SqlRexConvertletTable CONVERTLETS = MomentFunctions::convertlet;

  private MomentFunctions() {}

  private static void add(SqlKind kind, Class<?> implementation) {
    AggregateFunctionImpl function = AggregateFunctionImpl.create(implementation);
    int operands = function.getParameters().size();
    FUNCTIONS.put(
        kind,
        new SqlUserDefinedAggFunction(
            new SqlIdentifier("APPROXIMATE_" + kind, SqlParserPos.ZERO),
            SqlKind.OTHER_FUNCTION,
            ReturnTypes.DOUBLE_FORCE_NULLABLE,
            null,
            OperandTypes.operandMetadata(
                Collections.nCopies(operands, SqlTypeFamily.APPROXIMATE_NUMERIC),
                typeFactory -> List.of(),
                i -> "value" + i,
                i -> false),
            function,
            false,
            false,
            Optionality.FORBIDDEN));
  }

  /** Whether a function is a variance or covariance in SQL. */
  public static boolean isMoment(SqlKind kind) {
    return FUNCTIONS.containsKey(kind);
  }

  /**
   * The function to use for one of SQL.
   *
   * @param result its type
   * @return null for any other function, and where Calcite's own is exact
   */
  public static @Nullable SqlAggFunction of(SqlKind kind, RelDataType result) {
    return SqlTypeUtil.isApproximateNumeric(result) ? FUNCTIONS.get(kind) : null;
  }

  private static @Nullable SqlRexConvertlet convertlet(SqlCall call) {
    SqlRexConvertlet standard = StandardConvertletTable.INSTANCE.get(call);
    return isMoment(call.getKind())
        ? (context, converted) -> convert(context, converted, standard)
        : standard;
  }

  private static RexNode convert(SqlRexContext context, SqlCall call, SqlRexConvertlet standard) {
    RelDataType type = context.getValidator().getValidatedNodeType(call);
    SqlAggFunction function = of(call.getKind(), type);
    if (function == null) {
      return standard.convertCall(context, call);
    }
    RexBuilder rexBuilder = context.getRexBuilder();
    RelDataTypeFactory typeFactory = rexBuilder.getTypeFactory();
    List<RexNode> operands = new ArrayList<>();
    for (SqlNode operand : call.getOperandList()) {
      RexNode number = context.convertExpression(operand);
      operands.add(
          rexBuilder.makeCast(
              typeFactory.createTypeWithNullability(
                  typeFactory.createSqlType(SqlTypeName.DOUBLE), number.getType().isNullable()),
              number));
    }
    return rexBuilder.ensureType(type, rexBuilder.makeCall(function, operands), true);
  }
}
