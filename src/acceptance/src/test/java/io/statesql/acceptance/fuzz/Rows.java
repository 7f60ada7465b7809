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
package io.statesql.acceptance.fuzz;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Reads rows, and compares them as multisets. */
final class Rows {
  private static final double TOLERANCE = 1e-9;

  private Rows() {}

  static List<List<Object>> read(ResultSet results) throws SQLException {
    int columns = results.getMetaData().getColumnCount();
    List<List<Object>> rows = new ArrayList<>();
    while (results.next()) {
      List<Object> row = new ArrayList<>();
      for (int column = 1; column <= columns; column++) {
        row.add(value(results, column, results.getMetaData().getColumnType(column)));
      }
      rows.add(row);
    }
    return rows;
  }

  /** Exact numbers as BigDecimal, approximate ones as Double. */
  static Object value(ResultSet results, int column, int type) throws SQLException {
    Object value = results.getObject(column);
    if (value instanceof Date) {
      return type == Types.DATE
          ? results.getObject(column, LocalDate.class)
          : results.getObject(column, LocalDateTime.class);
    }
    if (value instanceof BigInteger integer) {
      return new BigDecimal(integer);
    }
    if (value instanceof BigDecimal || value instanceof Double) {
      return value;
    }
    return value instanceof Number number ? (Object) BigDecimal.valueOf(number.longValue()) : value;
  }

  /** What rows are only on one side, or null if they are the same in some order. */
  static String difference(List<List<Object>> left, List<List<Object>> right) {
    Map<List<Object>, Integer> counts = new HashMap<>();
    left.forEach(row -> counts.merge(comparable(row), 1, Integer::sum));
    right.forEach(row -> counts.merge(comparable(row), -1, Integer::sum));
    List<List<Object>> onlyLeft = new ArrayList<>();
    List<List<Object>> onlyRight = new ArrayList<>();
    counts.forEach(
        (row, count) -> {
          for (int i = 0; i < Math.abs(count); i++) {
            (count > 0 ? onlyLeft : onlyRight).add(row);
          }
        });
    for (Iterator<List<Object>> rows = onlyLeft.iterator(); rows.hasNext(); ) {
      List<Object> row = rows.next();
      for (int i = 0; i < onlyRight.size(); i++) {
        if (isNear(row, onlyRight.get(i))) {
          onlyRight.remove(i);
          rows.remove();
          break;
        }
      }
    }
    return onlyLeft.isEmpty() && onlyRight.isEmpty()
        ? null
        : left.size()
            + " rows, of which only here "
            + first(onlyLeft)
            + "; "
            + right.size()
            + " rows, of which only here "
            + first(onlyRight);
  }

  private static String first(List<List<Object>> rows) {
    return rows.size() + " as " + rows.subList(0, Math.min(5, rows.size()));
  }

  private static List<Object> comparable(List<Object> row) {
    List<Object> values = new ArrayList<>(row.size());
    for (Object value : row) {
      values.add(comparable(value));
    }
    return values;
  }

  private static Object comparable(Object value) {
    if (value instanceof BigDecimal decimal) {
      return decimal.signum() == 0 ? BigDecimal.ZERO : decimal.stripTrailingZeros();
    }
    if (value instanceof Double number && Double.isFinite(number)) {
      return comparable(new BigDecimal(number));
    }
    return value;
  }

  private static boolean isNear(List<Object> left, List<Object> right) {
    for (int i = 0; i < left.size(); i++) {
      if (!isNear(left.get(i), right.get(i))) {
        return false;
      }
    }
    return left.size() == right.size();
  }

  private static boolean isNear(Object left, Object right) {
    if (left instanceof BigDecimal a && right instanceof BigDecimal b) {
      return a.compareTo(b) == 0 || (!isLong(a) && !isLong(b) && isNear(a, b));
    }
    return Objects.equals(left, right);
  }

  private static boolean isNear(BigDecimal a, BigDecimal b) {
    double greater = a.abs().max(b.abs()).doubleValue();
    return a.subtract(b).abs().doubleValue() <= TOLERANCE * greater;
  }

  /** Whether it has more digits than a DOUBLE, and is no quotient. */
  private static boolean isLong(BigDecimal number) {
    return number.precision() > 15 && number.scale() <= 4;
  }
}
