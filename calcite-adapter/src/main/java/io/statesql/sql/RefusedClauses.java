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

import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSampleSpec;
import org.jspecify.annotations.Nullable;

/** Clauses and types that Calcite's parser knows, and nothing of ours can run. */
final class RefusedClauses {
  private RefusedClauses() {}

  /** Why an entry of FROM cannot be run, or null. */
  static @Nullable StateSqlException ofFrom(SqlNode from) {
    return switch (from.getKind()) {
      case TABLESAMPLE ->
          SqlLiteral.sampleValue(((SqlCall) from).operand(1))
                      instanceof SqlSampleSpec.SqlTableSampleSpec sample
                  && sample.isBernoulli()
              ? null
              : refused("Of TABLESAMPLE, only BERNOULLI is accepted.");
      case EXTEND ->
          ChangedRows.isStored(((SqlCall) from).operand(1))
              ? null
              : refused("A table cannot be given further columns in FROM.");
      case JOIN ->
          // Calcite would look for its columns in the tables before the parentheses.
          ((SqlJoin) from).getRight() instanceof SqlJoin parentheses && hasLateral(parentheses)
              ? refused(
                  "A LATERAL or UNNEST in joined parentheses is not accepted; make a subquery of what is in the parentheses.")
              : null;
      default -> null;
    };
  }

  private static boolean hasLateral(SqlNode from) {
    return switch (from.getKind()) {
      case LATERAL, UNNEST -> true;
      case AS -> hasLateral(((SqlCall) from).operand(0));
      case JOIN ->
          hasLateral(((SqlJoin) from).getLeft()) || hasLateral(((SqlJoin) from).getRight());
      default -> false;
    };
  }

  /** Why the expressions of GROUP BY cannot be grouped by, or null. */
  static @Nullable StateSqlException ofGroups(SqlNodeList groupBy) {
    if (groupBy.stream().anyMatch(group -> group.getKind() == SqlKind.GROUP_BY_DISTINCT)) {
      return refused("GROUP BY DISTINCT is not accepted; name each grouping set once.");
    }
    return GroupingSets.count(groupBy) > GroupingSets.MOST
        ? refused(
            "A GROUP BY has at most %d grouping sets; CUBE of n expressions has 2 to the power of n."
                .formatted(GroupingSets.MOST))
        : null;
  }

  /** Why values cannot be of a type, or null. */
  static @Nullable StateSqlException ofType(RelDataType type) {
    if (type.getComponentType() != null) {
      return ofType(type.getComponentType());
    }
    if (type.getKeyType() != null && type.getValueType() != null) {
      StateSqlException key = ofType(type.getKeyType());
      return key == null ? ofType(type.getValueType()) : key;
    }
    if (type.isStruct()) {
      return type.getFieldList().stream()
          .map(field -> ofType(field.getType()))
          .filter(refusal -> refusal != null)
          .findFirst()
          .orElse(null);
    }
    return switch (type.getSqlTypeName()) {
      case TIME_WITH_LOCAL_TIME_ZONE,
          TIME_TZ,
          TIMESTAMP_WITH_LOCAL_TIME_ZONE,
          TIMESTAMP_TZ,
          UTINYINT,
          USMALLINT,
          UINTEGER,
          UBIGINT,
          VARIANT,
          GEOMETRY,
          FUNCTION,
          ANY ->
          refused("StateSQL has no values of type %s.".formatted(type));
      default -> null;
    };
  }

  private static StateSqlException refused(String reason) {
    return new StateSqlException(ErrorCode.UNSUPPORTED_STATEMENT, reason);
  }
}
