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
import io.statesql.sql.function.CollectionFunctions;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Uncollect;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;

/**
 * Rewrites a query so that UNNEST of a collection that is null gives no rows; Calcite's own fails
 * on a null MAP and a null ARRAY of rows.
 */
final class NullCollections extends RelHomogeneousShuttle {
  private final RexBuilder rexBuilder;

  private final RexShuttle subQueries =
      new RexShuttle() {
        @Override
        public RexNode visitSubQuery(RexSubQuery subQuery) {
          RexSubQuery visited = (RexSubQuery) super.visitSubQuery(subQuery);
          RelNode rel = visited.rel.accept(NullCollections.this);
          return rel == visited.rel ? visited : visited.clone(rel);
        }
      };

  NullCollections(RexBuilder rexBuilder) {
    this.rexBuilder = rexBuilder;
  }

  @Override
  public RelNode visit(RelNode other) {
    RelNode visited = super.visitChildren(other).accept(subQueries);
    if (visited instanceof Uncollect uncollect && uncollect.withOrdinality) {
      requireScalars(uncollect.getInput());
    }
    return visited instanceof Uncollect uncollect
        ? uncollect.copy(uncollect.getTraitSet(), List.of(withoutNulls(uncollect.getInput())))
        : visited;
  }

  /** Calcite cannot number elements that are collections. */
  private static void requireScalars(RelNode input) {
    for (RelDataTypeField field : input.getRowType().getFieldList()) {
      RelDataType element = field.getType().getComponentType();
      if (element != null && element.getComponentType() != null) {
        throw new StateSqlException(
            ErrorCode.UNSUPPORTED_STATEMENT,
            "WITH ORDINALITY does not number elements of type %s.".formatted(element));
      }
    }
  }

  private RelNode withoutNulls(RelNode input) {
    List<RexNode> columns =
        rexBuilder.identityProjects(input.getRowType()).stream()
            .map(
                column ->
                    rexBuilder.makeCall(
                        column.getType(),
                        CollectionFunctions.orEmpty(column.getType()),
                        List.of(column)))
            .toList();
    return LogicalProject.create(
        input, List.of(), columns, input.getRowType().getFieldNames(), Set.of());
  }
}
