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

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.calcite.avatica.util.ByteString;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.sql.type.SqlTypeFamily;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * The rows of literals of a long IN list, to compare expressions with as an OR of equalities would:
 * 1 is equal to 1.00 and 0.0 to -0.0, NaN to none of them. Equal if they have the same rows.
 * Immutable.
 */
public final class LiteralList {
  private final Set<List<RexLiteral>> rows;

  /** The same rows with equal values in equal form. */
  private final Set<List<Object>> values = new HashSet<>();

  /**
   * A list.
   *
   * @param rows of one size, at least 1; each literal {@link #isComparable} with what it is
   *     compared with
   */
  public LiteralList(Set<List<RexLiteral>> rows) {
    this.rows = new LinkedHashSet<>(rows);
    for (List<RexLiteral> row : rows) {
      values.add(row.stream().map(LiteralList::value).toList());
    }
  }

  /** Whether a list tells if an expression of a type is equal to a literal. */
  public static boolean isComparable(RelDataType type, RexLiteral literal) {
    if (literal.isNull()) {
      return false;
    }
    RelDataType other = literal.getType();
    if (SqlTypeUtil.isExactNumeric(type)) {
      return SqlTypeUtil.isExactNumeric(other);
    }
    if (SqlTypeUtil.isApproximateNumeric(type)) {
      return SqlTypeUtil.isApproximateNumeric(other);
    }
    return switch (type.getSqlTypeName()) {
      case CHAR, VARCHAR -> SqlTypeFamily.CHARACTER.contains(other);
      case BINARY, VARBINARY -> SqlTypeFamily.BINARY.contains(other);
      case DATE, TIME, TIMESTAMP -> type.getSqlTypeName() == other.getSqlTypeName();
      default -> false;
    };
  }

  /** As generated code has the literal. */
  private static Object value(RexLiteral literal) {
    RelDataType type = literal.getType();
    if (SqlTypeUtil.isApproximateNumeric(type)) {
      return comparable(literal.getValueAs(Double.class));
    }
    Class<?> form =
        switch (type.getSqlTypeName()) {
          case CHAR, VARCHAR -> String.class;
          case BINARY, VARBINARY -> ByteString.class;
          case DATE, TIME -> Integer.class;
          case TIMESTAMP -> Long.class;
          default -> BigDecimal.class;
        };
    return comparable(literal.getValueAs(form));
  }

  /** The same for all values that are equal. */
  private static Object comparable(Object value) {
    if (value instanceof BigDecimal decimal) {
      BigDecimal number = decimal.stripTrailingZeros();
      return number.scale() <= 0 && number.precision() - number.scale() <= 18
          ? (Object) number.longValueExact()
          : number;
    }
    if (value instanceof Double || value instanceof Float) {
      // 0.0 for -0.0.
      return ((Number) value).doubleValue() + 0.0;
    }
    if (value instanceof Long number) {
      return Math.abs(number) < 1_000_000_000_000_000_000L && number != Long.MIN_VALUE
          ? value
          : BigDecimal.valueOf(number).stripTrailingZeros();
    }
    return value instanceof Number number ? (Object) number.longValue() : value;
  }

  /** The rows as the statement has them. */
  Set<List<RexLiteral>> rows() {
    return rows;
  }

  public int size() {
    return rows.size();
  }

  /**
   * Whether a row is equal to one of the list. Called by generated code.
   *
   * @return null if that is not known, because of a NULL
   */
  public @Nullable Boolean contains(@Nullable Object... row) {
    if (Arrays.stream(row).allMatch(Objects::nonNull)) {
      return values.contains(Arrays.stream(row).map(LiteralList::comparable).toList());
    }
    List<Optional<Object>> known =
        Arrays.stream(row).map(v -> Optional.ofNullable(v).map(LiteralList::comparable)).toList();
    boolean isPossible =
        values.stream()
            .anyMatch(
                candidate ->
                    IntStream.range(0, known.size())
                        .allMatch(
                            i ->
                                known.get(i).isEmpty()
                                    || known.get(i).get().equals(candidate.get(i))));
    return isPossible ? null : Boolean.FALSE;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof LiteralList list && rows.equals(list.rows);
  }

  @Override
  public int hashCode() {
    return rows.hashCode();
  }
}
