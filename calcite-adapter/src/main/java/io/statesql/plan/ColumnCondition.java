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
import java.math.BigDecimal;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import org.apache.calcite.avatica.util.ByteString;

/**
 * What a condition says of single columns of a table, without the planner's words. What cannot be
 * said so is {@link Unknown}: the condition as a whole is checked again on every row. Immutable.
 *
 * <p>Columns are counted from 0 in the table. Values are {@link String}, {@link Boolean}, {@link
 * ByteString}, or {@link BigDecimal} for numbers and for the days of a DATE, the milliseconds of
 * the day of a TIME and the epoch milliseconds of a TIMESTAMP.
 */
public sealed interface ColumnCondition {
  /**
   * A column has one of some values.
   *
   * @param values a {@link Parameter} stands for the value that it has when the statement runs
   */
  record In(int column, Set<Object> values) implements ColumnCondition {
    public In {
      values = ImmutableSet.copyOf(values);
    }

    private ColumnCondition bindValues(IntFunction<Object> parameters) {
      ImmutableSet.Builder<Object> bound = ImmutableSet.builder();
      for (Object value : values) {
        Object found =
            value instanceof Parameter parameter ? parameters.apply(parameter.index()) : value;
        if (found instanceof Long
            || found instanceof Integer
            || found instanceof Short
            || found instanceof Byte) {
          bound.add(new BigDecimal(found.toString()).stripTrailingZeros());
        } else if (found instanceof BigDecimal number) {
          bound.add(number.stripTrailingZeros());
        } else if (found instanceof String
            || found instanceof Boolean
            || found instanceof ByteString) {
          bound.add(found);
        } else if (found != null) {
          return Unknown.UNKNOWN;
        }
      }
      return new In(column, bound.build());
    }
  }

  /** A column has a number within some ranges. */
  record Within(int column, ImmutableRangeSet<BigDecimal> ranges) implements ColumnCondition {}

  /** All of some conditions hold. */
  record All(List<ColumnCondition> conditions) implements ColumnCondition {
    public All {
      conditions = List.copyOf(conditions);
    }
  }

  /** One of some conditions holds. */
  record Any(List<ColumnCondition> conditions) implements ColumnCondition {
    public Any {
      conditions = List.copyOf(conditions);
    }
  }

  /** Any row may meet the condition. */
  enum Unknown implements ColumnCondition {
    UNKNOWN
  }

  /**
   * A parameter of a prepared statement.
   *
   * @param index from 0
   */
  record Parameter(int index) {}

  /** Whether a value is not known before the statement runs. */
  default boolean hasParameters() {
    if (this instanceof In in) {
      return in.values().stream().anyMatch(Parameter.class::isInstance);
    }
    if (this instanceof All all) {
      return all.conditions().stream().anyMatch(ColumnCondition::hasParameters);
    }
    return this instanceof Any any
        && any.conditions().stream().anyMatch(ColumnCondition::hasParameters);
  }

  /**
   * The same condition with values in place of parameters. No value is equal to NULL.
   *
   * @param parameters gives the value of each as a statement has it, or null for NULL
   */
  default ColumnCondition bind(IntFunction<Object> parameters) {
    if (this instanceof In in) {
      if (in.values().stream().noneMatch(Parameter.class::isInstance)) {
        return in;
      }
      return in.bindValues(parameters);
    }
    if (this instanceof All all) {
      return new All(all.conditions().stream().map(c -> c.bind(parameters)).toList());
    }
    if (this instanceof Any any) {
      return new Any(any.conditions().stream().map(c -> c.bind(parameters)).toList());
    }
    return this;
  }
}
