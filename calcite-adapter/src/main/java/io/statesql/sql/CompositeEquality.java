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

import io.statesql.sql.function.CollectionFunctions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.core.SetOp;
import org.apache.calcite.rel.core.Union;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.rex.RexWindow;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * Rewrites a query so that composites with rows or unbounded decimals in them are compared by value
 * wherever it groups, joins, or looks for what two queries have in common. Such a row is a Java
 * array to Calcite, which is equal to nothing but itself; such decimals are equal if their scales
 * are.
 */
final class CompositeEquality extends RelHomogeneousShuttle {
  private final RexBuilder rexBuilder;
  private final Expressions expressions = new Expressions();

  CompositeEquality(RexBuilder rexBuilder) {
    this.rexBuilder = rexBuilder;
  }

  @Override
  public RelNode visit(RelNode other) {
    RelNode visited = super.visitChildren(other).accept(expressions);
    if (visited instanceof Aggregate aggregate) {
      return withComparableColumns(aggregate);
    }
    boolean compares = visited instanceof SetOp set && !(visited instanceof Union && set.all);
    if (!compares) {
      return visited;
    }
    RelNode compared =
        visited.copy(
            visited.getTraitSet(),
            visited.getInputs().stream()
                .map(input -> comparable(input, ImmutableBitSet.range(columns(input))))
                .toList());
    return withRows(compared, visited.getRowType());
  }

  private RelNode withComparableColumns(Aggregate aggregate) {
    ImmutableBitSet.Builder compared = ImmutableBitSet.builder().addAll(aggregate.getGroupSet());
    for (AggregateCall call : aggregate.getAggCallList()) {
      if (call.isDistinct()) {
        compared.addAll(call.getArgList());
      }
    }
    RelNode grouped =
        aggregate.copy(
            aggregate.getTraitSet(), List.of(comparable(aggregate.getInput(), compared.build())));
    return withRows(grouped, aggregate.getRowType());
  }

  /** Gives columns that are rows their type again, after they were compared as lists. */
  private RelNode withRows(RelNode compared, RelDataType type) {
    List<RexNode> fields = new ArrayList<>(rexBuilder.identityProjects(compared.getRowType()));
    boolean changed = false;
    for (int column = 0; column < fields.size(); column++) {
      RelDataType original = type.getFieldList().get(column).getType();
      if (original.isStruct() && !fields.get(column).getType().isStruct()) {
        changed = true;
        fields.set(
            column,
            rexBuilder.makeCall(
                original, CollectionFunctions.ROW_OF_VALUES, List.of(fields.get(column))));
      }
    }
    return changed
        ? LogicalProject.create(compared, List.of(), fields, type.getFieldNames(), Set.of())
        : compared;
  }

  private static int columns(RelNode rel) {
    return rel.getRowType().getFieldCount();
  }

  /** The same rows with comparable values in some columns. */
  private RelNode comparable(RelNode input, ImmutableBitSet columns) {
    List<RexNode> fields = new ArrayList<>(rexBuilder.identityProjects(input.getRowType()));
    boolean changed = false;
    for (int column : columns) {
      RexNode field = fields.get(column);
      changed |= isUnequal(field.getType());
      fields.set(column, comparable(field));
    }
    return changed
        ? LogicalProject.create(
            input, List.of(), fields, input.getRowType().getFieldNames(), Set.of())
        : input;
  }

  private RexNode comparable(RexNode node) {
    RelDataType type = node.getType();
    if (!isUnequal(type)) {
      return node;
    }
    RelDataTypeFactory typeFactory = rexBuilder.getTypeFactory();
    RelDataType comparable =
        type.isStruct()
            ? typeFactory.createTypeWithNullability(
                typeFactory.createArrayType(
                    typeFactory.createTypeWithNullability(
                        typeFactory.createSqlType(SqlTypeName.ANY), true),
                    -1),
                type.isNullable())
            : type;
    return rexBuilder.makeCall(comparable, CollectionFunctions.BY_VALUE, List.of(node));
  }

  private static boolean isUnequal(RelDataType type) {
    return switch (type.getSqlTypeName()) {
      case ARRAY, MULTISET -> isUnequalInside(type.getComponentType());
      case MAP -> isUnequalInside(type.getKeyType()) || isUnequalInside(type.getValueType());
      default -> type.isStruct();
    };
  }

  private static boolean isUnequalInside(RelDataType type) {
    return StateSqlTypeSystem.isUnboundedDecimal(type) || isUnequal(type);
  }

  /** The part that works on expressions. */
  private final class Expressions extends RexShuttle {
    @Override
    public RexNode visitSubQuery(RexSubQuery subQuery) {
      RexSubQuery visited = (RexSubQuery) super.visitSubQuery(subQuery);
      RelNode rel = visited.rel.accept(CompositeEquality.this);
      if (visited.getKind() == SqlKind.IN || visited.getKind() == SqlKind.SOME) {
        rel = comparable(rel, ImmutableBitSet.range(columns(rel)));
      }
      return rel == visited.rel ? visited : withComparableOperands(visited).clone(rel);
    }

    private RexSubQuery withComparableOperands(RexSubQuery subQuery) {
      return subQuery.clone(
          subQuery.getType(),
          subQuery.getOperands().stream().map(CompositeEquality.this::comparable).toList());
    }

    @Override
    public RexNode visitOver(RexOver over) {
      RexOver visited = (RexOver) super.visitOver(over);
      RexWindow window = visited.getWindow();
      if (window.partitionKeys.stream().noneMatch(key -> isUnequal(key.getType()))) {
        return visited;
      }
      return WindowCalls.withPartitionKeys(
          rexBuilder,
          visited,
          window.partitionKeys.stream().map(CompositeEquality.this::comparable).toList());
    }

    @Override
    public RexNode visitCall(RexCall call) {
      RexCall visited = (RexCall) super.visitCall(call);
      return ApproximateComparisons.EQUALITIES.contains(visited.getKind())
          ? visited.clone(
              visited.getType(),
              visited.getOperands().stream().map(CompositeEquality.this::comparable).toList())
          : visited;
    }
  }
}
