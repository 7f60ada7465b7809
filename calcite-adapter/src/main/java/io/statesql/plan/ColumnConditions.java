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

import com.google.common.collect.ImmutableRangeSet;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Range;
import com.google.common.collect.RangeSet;
import com.google.common.collect.TreeRangeSet;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.calcite.avatica.util.ByteString;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUnknownAs;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.util.DateString;
import org.apache.calcite.util.NlsString;
import org.apache.calcite.util.Sarg;
import org.apache.calcite.util.TimeString;
import org.apache.calcite.util.TimestampString;

/** Reads the planner's conditions. */
final class ColumnConditions {
  /** Decimal digits of the largest number of each exact integer type. */
  private static final int BIGINT_DIGITS = 19;

  /** Which columns of the table the condition's inputs are. */
  private final List<Integer> fields;

  private ColumnConditions(List<Integer> fields) {
    this.fields = fields;
  }

  /**
   * What a condition says of single columns.
   *
   * @param fields which columns of the table the condition's inputs are
   */
  static ColumnCondition of(RexNode condition, List<Integer> fields) {
    return new ColumnConditions(fields).read(condition);
  }

  private ColumnCondition read(RexNode condition) {
    if (!(condition instanceof RexCall call)) {
      return ColumnCondition.Unknown.UNKNOWN;
    }
    if (call.getOperator() instanceof IsOneOf operator) {
      return oneOf(call.getOperands(), operator.list());
    }
    return switch (call.getKind()) {
      case AND -> new ColumnCondition.All(call.getOperands().stream().map(this::read).toList());
      case OR -> new ColumnCondition.Any(call.getOperands().stream().map(this::read).toList());
      case SEARCH -> search(call.getOperands().get(0), (RexLiteral) call.getOperands().get(1));
      case EQUALS, NOT_EQUALS, LESS_THAN, LESS_THAN_OR_EQUAL, GREATER_THAN, GREATER_THAN_OR_EQUAL ->
          compare(call.getKind(), call.getOperands().get(0), call.getOperands().get(1));
      default -> ColumnCondition.Unknown.UNKNOWN;
    };
  }

  private ColumnCondition oneOf(List<RexNode> operands, LiteralList list) {
    if (operands.size() > 1) {
      return new ColumnCondition.Any(
          list.rows().stream().map(row -> allEqual(operands, row)).toList());
    }
    ImmutableSet.Builder<Object> values = ImmutableSet.builder();
    int field = -1;
    for (List<RexLiteral> row : list.rows()) {
      if (!(compare(SqlKind.EQUALS, operands.get(0), row.get(0))
          instanceof ColumnCondition.In in)) {
        return ColumnCondition.Unknown.UNKNOWN;
      }
      field = in.column();
      values.addAll(in.values());
    }
    return new ColumnCondition.In(field, values.build());
  }

  private ColumnCondition allEqual(List<RexNode> operands, List<RexLiteral> row) {
    return new ColumnCondition.All(
        IntStream.range(0, row.size())
            .mapToObj(i -> compare(SqlKind.EQUALS, operands.get(i), row.get(i)))
            .toList());
  }

  private ColumnCondition compare(SqlKind kind, RexNode left, RexNode right) {
    if (left instanceof RexLiteral || left instanceof RexDynamicParam) {
      return compare(kind.reverse(), column(right), left);
    }
    return compare(kind, column(left), right);
  }

  private ColumnCondition compare(SqlKind kind, Optional<RexInputRef> column, RexNode operand) {
    if (column.isEmpty()) {
      return ColumnCondition.Unknown.UNKNOWN;
    }
    int field = fields.get(column.get().getIndex());
    if (operand instanceof RexDynamicParam parameter) {
      return kind == SqlKind.EQUALS && isExact(parameter.getType())
          ? new ColumnCondition.In(
              field, ImmutableSet.of(new ColumnCondition.Parameter(parameter.getIndex())))
          : ColumnCondition.Unknown.UNKNOWN;
    }
    if (!(operand instanceof RexLiteral literal) || !isExact(literal.getType())) {
      return ColumnCondition.Unknown.UNKNOWN;
    }
    Object value = value(literal);
    if (value == null) {
      return ColumnCondition.Unknown.UNKNOWN;
    }
    if (kind == SqlKind.EQUALS) {
      return new ColumnCondition.In(field, ImmutableSet.of(value));
    }
    return value instanceof BigDecimal number
        ? new ColumnCondition.Within(field, ranges(kind, number))
        : ColumnCondition.Unknown.UNKNOWN;
  }

  private static ImmutableRangeSet<BigDecimal> ranges(SqlKind kind, BigDecimal number) {
    return switch (kind) {
      case LESS_THAN -> ImmutableRangeSet.of(Range.lessThan(number));
      case LESS_THAN_OR_EQUAL -> ImmutableRangeSet.of(Range.atMost(number));
      case GREATER_THAN -> ImmutableRangeSet.of(Range.greaterThan(number));
      case GREATER_THAN_OR_EQUAL -> ImmutableRangeSet.of(Range.atLeast(number));
      case NOT_EQUALS -> ImmutableRangeSet.of(Range.singleton(number)).complement();
      default -> throw new IllegalArgumentException(kind.name());
    };
  }

  private ColumnCondition search(RexNode operand, RexLiteral literal) {
    Optional<RexInputRef> column = column(operand);
    Sarg<?> sarg = literal.getValueAs(Sarg.class);
    if (column.isEmpty()
        || sarg == null
        || sarg.nullAs == RexUnknownAs.TRUE
        || !isExact(literal.getType())) {
      return ColumnCondition.Unknown.UNKNOWN;
    }
    int field = fields.get(column.get().getIndex());
    return sarg.isPoints() ? points(field, sarg) : ranges(field, sarg);
  }

  private static ColumnCondition points(int field, Sarg<?> sarg) {
    ImmutableSet.Builder<Object> values = ImmutableSet.builder();
    for (Range<?> point : sarg.rangeSet.asRanges()) {
      Object value = value(point.lowerEndpoint());
      if (value == null) {
        return ColumnCondition.Unknown.UNKNOWN;
      }
      values.add(value);
    }
    return new ColumnCondition.In(field, values.build());
  }

  private static ColumnCondition ranges(int field, Sarg<?> sarg) {
    RangeSet<BigDecimal> ranges = TreeRangeSet.create();
    for (Range<?> range : sarg.rangeSet.asRanges()) {
      Range<BigDecimal> numbers = Range.all();
      if (range.hasLowerBound()) {
        if (!(value(range.lowerEndpoint()) instanceof BigDecimal lower)) {
          return ColumnCondition.Unknown.UNKNOWN;
        }
        numbers = numbers.intersection(Range.downTo(lower, range.lowerBoundType()));
      }
      if (range.hasUpperBound()) {
        if (!(value(range.upperEndpoint()) instanceof BigDecimal upper)) {
          return ColumnCondition.Unknown.UNKNOWN;
        }
        numbers = numbers.intersection(Range.upTo(upper, range.upperBoundType()));
      }
      ranges.add(numbers);
    }
    return new ColumnCondition.Within(field, ImmutableRangeSet.copyOf(ranges));
  }

  /** The column itself, or within a cast that takes different values to different values. */
  private static Optional<RexInputRef> column(RexNode node) {
    if (node instanceof RexInputRef column) {
      return Optional.of(column);
    }
    return node.getKind() == SqlKind.CAST
            && ((RexCall) node).getOperands().get(0) instanceof RexInputRef column
            && holdsAll(node.getType(), column.getType())
        ? Optional.of(column)
        : Optional.empty();
  }

  /** Whether an exact numeric type holds all numbers of an integer type. */
  private static boolean holdsAll(RelDataType type, RelDataType integerType) {
    if (!isInteger(integerType)) {
      return false;
    }
    if (type.getSqlTypeName() == SqlTypeName.DECIMAL) {
      return type.getPrecision() - type.getScale() >= digits(integerType);
    }
    return isInteger(type) && digits(type) >= digits(integerType);
  }

  private static boolean isInteger(RelDataType type) {
    return SqlTypeName.INT_TYPES.contains(type.getSqlTypeName());
  }

  private static int digits(RelDataType integerType) {
    return switch (integerType.getSqlTypeName()) {
      case TINYINT -> 3;
      case SMALLINT -> 5;
      case INTEGER -> 10;
      default -> BIGINT_DIGITS;
    };
  }

  /** Whether values of a type are compared without rounding. */
  private static boolean isExact(RelDataType type) {
    return !SqlTypeName.APPROX_TYPES.contains(type.getSqlTypeName());
  }

  /** The value of a literal as {@link ColumnCondition} has it; null for one of another type. */
  private static Object value(RexLiteral literal) {
    return switch (literal.getTypeName()) {
      case DATE -> value(literal.getValueAs(DateString.class));
      case TIME -> value(literal.getValueAs(TimeString.class));
      case TIMESTAMP -> value(literal.getValueAs(TimestampString.class));
      default -> value(literal.getValue());
    };
  }

  private static Object value(Object literal) {
    if (literal instanceof NlsString text) {
      return text.getValue();
    }
    if (literal instanceof BigDecimal number) {
      return number.stripTrailingZeros();
    }
    if (literal instanceof DateString date) {
      return BigDecimal.valueOf(date.getDaysSinceEpoch());
    }
    if (literal instanceof TimeString time) {
      return isWholeMillis(time.toString()) ? BigDecimal.valueOf(time.getMillisOfDay()) : null;
    }
    if (literal instanceof TimestampString timestamp) {
      return isWholeMillis(timestamp.toString())
          ? BigDecimal.valueOf(timestamp.getMillisSinceEpoch())
          : null;
    }
    return literal instanceof Boolean || literal instanceof ByteString || literal instanceof String
        ? literal
        : null;
  }

  private static boolean isWholeMillis(String text) {
    int point = text.indexOf('.');
    return point < 0 || text.length() - point - 1 <= 3;
  }
}
