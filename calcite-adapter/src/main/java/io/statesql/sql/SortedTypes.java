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
import io.statesql.value.EngineValues;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexFieldCollation;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.sql.SqlKind;

/** Refuses to sort by what has no order: maps, and what has maps in it. */
final class SortedTypes extends RelHomogeneousShuttle {
  /** Functions that look for the least or greatest value of their last argument. */
  private static final Set<SqlKind> EXTREMES =
      Set.of(SqlKind.MIN, SqlKind.MAX, SqlKind.ARG_MIN, SqlKind.ARG_MAX);

  private final RexShuttle expressions =
      new RexShuttle() {
        @Override
        public RexNode visitSubQuery(RexSubQuery subQuery) {
          subQuery.rel.accept(SortedTypes.this);
          return super.visitSubQuery(subQuery);
        }

        @Override
        public RexNode visitOver(RexOver over) {
          for (RexFieldCollation key : over.getWindow().orderKeys) {
            require(key.left.getType());
            requireScalar(key.left.getType());
          }
          requireOrdered(over.getAggOperator().getKind(), over.getOperands());
          return super.visitOver(over);
        }
      };

  @Override
  public RelNode visit(RelNode other) {
    RelNode visited = super.visitChildren(other).accept(expressions);
    if (visited instanceof Sort sort) {
      List<RelDataTypeField> columns = sort.getRowType().getFieldList();
      for (RelFieldCollation key : sort.getCollation().getFieldCollations()) {
        require(columns.get(key.getFieldIndex()).getType());
      }
    }
    if (visited instanceof Aggregate aggregate) {
      List<RexNode> columns =
          aggregate
              .getCluster()
              .getRexBuilder()
              .identityProjects(aggregate.getInput().getRowType());
      for (AggregateCall call : aggregate.getAggCallList()) {
        requireOrdered(
            call.getAggregation().getKind(), call.getArgList().stream().map(columns::get).toList());
      }
    }
    return visited;
  }

  /** Windows are sorted by values that Java can compare. */
  private static void requireScalar(RelDataType type) {
    if (EngineValues.isComposite(type)) {
      throw new StateSqlException(
          ErrorCode.UNSUPPORTED_STATEMENT,
          "OVER (ORDER BY ...) takes no value of type %s; sort by a part of it.".formatted(type));
    }
  }

  private static void requireOrdered(SqlKind function, List<RexNode> arguments) {
    if (EXTREMES.contains(function) && !arguments.isEmpty()) {
      require(arguments.get(arguments.size() - 1).getType());
    }
  }

  private static void require(RelDataType type) {
    if (!hasOrder(type)) {
      throw new StateSqlException(
          ErrorCode.UNSUPPORTED_STATEMENT,
          "A value of type %s has no order that rows could be sorted by; sort by a part of it."
              .formatted(type));
    }
  }

  private static boolean hasOrder(RelDataType type) {
    return switch (type.getSqlTypeName()) {
      case MAP, ANY -> false;
      case ARRAY, MULTISET -> hasOrder(type.getComponentType());
      case ROW, STRUCTURED ->
          type.getFieldList().stream().allMatch(field -> hasOrder(field.getType()));
      default -> true;
    };
  }
}
