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

import com.google.common.collect.RangeSet;
import io.statesql.plan.ColumnCondition;
import io.statesql.schema.PushedCondition.SourceColumn;
import io.statesql.type.SqlType;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Conditions as EXPLAIN shows them: SQL, with long lists cut short. */
final class ConditionText {
  private static final int SHOWN_VALUES = 5;

  private ConditionText() {}

  /**
   * Says that columns have one of some values together.
   *
   * @param rows the values, each in the order of the columns
   */
  static String of(List<SourceColumn> columns, Collection<List<Object>> rows) {
    List<String> values =
        rows.stream()
            .map(row -> row(columns, row))
            .sorted()
            .limit(SHOWN_VALUES)
            .collect(Collectors.toCollection(ArrayList::new));
    String left = list(columns.stream().map(SourceColumn::name).toList());
    if (rows.size() == 1) {
      return left + " = " + values.get(0);
    }
    if (rows.size() > SHOWN_VALUES) {
      values.add("... " + (rows.size() - SHOWN_VALUES) + " more");
    }
    return left + " IN (" + String.join(", ", values) + ")";
  }

  private static String row(List<SourceColumn> columns, List<Object> row) {
    List<String> values = new ArrayList<>();
    for (int i = 0; i < row.size(); i++) {
      values.add(literal(row.get(i), columns.get(i).type()));
    }
    return list(values);
  }

  private static String list(List<String> items) {
    return items.size() == 1 ? items.get(0) : "(" + String.join(", ", items) + ")";
  }

  private static String literal(Object value, SqlType type) {
    if (value instanceof ColumnCondition.Parameter parameter) {
      return "?" + parameter.index();
    }
    if (value instanceof BigDecimal number) {
      return number(number, type);
    }
    return value instanceof String text ? "'" + text.replace("'", "''") + "'" : value.toString();
  }

  private static String number(BigDecimal number, SqlType type) {
    if (type == SqlType.Scalar.DATE) {
      return "DATE '" + LocalDate.ofEpochDay(number.longValue()) + "'";
    }
    if (type == SqlType.Scalar.TIME) {
      return "TIME '"
          + LocalTime.ofNanoOfDay(TimeUnit.MILLISECONDS.toNanos(number.longValue()))
          + "'";
    }
    return type == SqlType.Scalar.TIMESTAMP
        ? "TIMESTAMP '" + Instant.ofEpochMilli(number.longValue()) + "'"
        : number.toPlainString();
  }

  /** Says that a column has a number within some ranges, as Calcite writes them. */
  static String of(SourceColumn column, RangeSet<BigDecimal> ranges) {
    return column.name()
        + " IN "
        + ranges.asRanges().toString().replace("+\u221e", "").replace("-\u221e", "");
  }
}
