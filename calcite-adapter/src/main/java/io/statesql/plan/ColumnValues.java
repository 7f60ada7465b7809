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

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Range;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUnknownAs;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.util.NlsString;
import org.apache.calcite.util.Sarg;

/**
 * The values that a condition leaves to columns: what it says with {@code =} and {@code IN} of
 * literals, joined by {@code AND}. Immutable.
 *
 * @param byColumn the values by the column's position in its table: texts or numbers
 */
public record ColumnValues(Map<Integer, Set<Object>> byColumn) {
  public ColumnValues {
    byColumn = ImmutableMap.copyOf(byColumn);
  }

  /**
   * Reads a condition.
   *
   * @param fields the columns that it refers to, by position in the table
   */
  static ColumnValues of(RexNode condition, List<Integer> fields) {
    Map<Integer, Set<Object>> found = new HashMap<>();
    for (RexNode conjunct : RelOptUtil.conjunctions(condition)) {
      if (conjunct instanceof RexCall call && call.getOperands().size() == 2) {
        RexNode left = call.getOperands().get(0);
        RexNode right = call.getOperands().get(1);
        if (left instanceof RexLiteral) {
          RexNode swapped = left;
          left = right;
          right = swapped;
        }
        if (left instanceof RexInputRef column && right instanceof RexLiteral literal) {
          int field = fields.get(column.getIndex());
          values(call.getKind(), literal)
              .ifPresent(values -> found.merge(field, values, ColumnValues::both));
        }
      }
    }
    return new ColumnValues(found);
  }

  private static Optional<Set<Object>> values(SqlKind kind, RexLiteral literal) {
    if (kind == SqlKind.EQUALS) {
      return Optional.ofNullable(value(literal.getValue4())).map(Set::of);
    }
    if (kind != SqlKind.SEARCH) {
      return Optional.empty();
    }
    Sarg<?> sarg = literal.getValueAs(Sarg.class);
    if (sarg == null || !sarg.isPoints() || sarg.nullAs == RexUnknownAs.TRUE) {
      return Optional.empty();
    }
    Set<Object> values = new HashSet<>();
    for (Range<?> point : sarg.rangeSet.asRanges()) {
      Object value = value(point.lowerEndpoint());
      if (value == null) {
        return Optional.empty();
      }
      values.add(value);
    }
    return Optional.of(values);
  }

  /** Null for a value of another type. */
  private static Object value(Object literal) {
    if (literal instanceof NlsString text) {
      return text.getValue();
    }
    return literal instanceof String || literal instanceof BigDecimal ? literal : null;
  }

  private static Set<Object> both(Set<Object> some, Set<Object> others) {
    Set<Object> common = new HashSet<>(some);
    common.retainAll(others);
    return common;
  }

  /** The texts that a column may have; empty if it may have any. */
  public Optional<Set<String>> texts(int column) {
    return Optional.ofNullable(byColumn.get(column))
        .map(
            values -> {
              Set<String> texts = new HashSet<>();
              values.forEach(value -> texts.add(String.valueOf(value)));
              return texts;
            });
  }

  /** The whole numbers that a column may have; empty if it may have any. */
  public Optional<Set<Integer>> integers(int column) {
    return Optional.ofNullable(byColumn.get(column))
        .map(
            values -> {
              Set<Integer> numbers = new HashSet<>();
              for (Object value : values) {
                if (value instanceof BigDecimal number
                    && number.stripTrailingZeros().scale() <= 0
                    && number.abs().compareTo(BigDecimal.valueOf(Integer.MAX_VALUE)) <= 0) {
                  numbers.add(number.intValueExact());
                }
              }
              return numbers;
            });
  }
}
