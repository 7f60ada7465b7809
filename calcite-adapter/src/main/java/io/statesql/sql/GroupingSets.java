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

import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlNode;

/** Counts the grouping sets that a GROUP BY stands for, before anybody writes them out. */
final class GroupingSets {
  /** As many make a plan that is found and compiled in seconds. */
  static final int MOST = 1024;

  private GroupingSets() {}

  /** The number of grouping sets, or more than {@link #MOST} if there are more. */
  static long count(List<SqlNode> groupBy) {
    long count = 1;
    for (SqlNode item : groupBy) {
      count = Math.min(MOST + 1L, count * countOf(item));
    }
    return count;
  }

  private static long countOf(SqlNode item) {
    if (!(item instanceof SqlCall call)) {
      return 1;
    }
    return switch (item.getKind()) {
      case CUBE -> call.operandCount() > 10 ? MOST + 1L : 1L << call.operandCount();
      case ROLLUP -> call.operandCount() + 1L;
      case GROUPING_SETS -> call.getOperandList().stream().mapToLong(GroupingSets::countOf).sum();
      default -> 1;
    };
  }
}
