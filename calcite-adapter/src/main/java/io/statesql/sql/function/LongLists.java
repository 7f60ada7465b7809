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
package io.statesql.sql.function;

import io.statesql.plan.IsOneOf;
import io.statesql.plan.LiteralList;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;

/**
 * The long lists of literals of a statement, such as those after IN. An OR of many equalities, as
 * Calcite makes of a list, takes long to plan, and its code does not compile beyond some hundreds
 * of values; {@link IsOneOf} is one call. Used by one thread, while the statement is prepared.
 */
public final class LongLists {
  /** Shorter lists are left to Calcite, which finds contradictions among them. */
  private static final int SHORTEST = 20;

  private final Map<LiteralList, IsOneOf> operators = new LinkedHashMap<>();

  /** The literals that some expressions are equal to. */
  private record Equalities(List<RexNode> expressions, List<RexLiteral> literals) {}

  /** What a statement needs in its data context. */
  public Map<String, Object> parameters() {
    Map<String, Object> parameters = new LinkedHashMap<>();
    operators.keySet().forEach(list -> parameters.put(IsOneOf.parameter(parameters.size()), list));
    return parameters;
  }

  /** The terms of an OR, with one call in place of many equalities of the same expressions. */
  public List<RexNode> shorten(List<? extends RexNode> terms, RexBuilder rexBuilder) {
    if (terms.size() < SHORTEST) {
      return List.copyOf(terms);
    }
    Map<List<RexNode>, Set<List<RexLiteral>>> lists = new LinkedHashMap<>();
    List<RexNode> shortened = new ArrayList<>();
    for (RexNode term : terms) {
      Equalities equalities = equalities(term);
      if (equalities == null) {
        shortened.add(term);
      } else {
        lists
            .computeIfAbsent(equalities.expressions(), expressions -> new LinkedHashSet<>())
            .add(equalities.literals());
      }
    }
    if (lists.values().stream().noneMatch(rows -> rows.size() >= SHORTEST)) {
      return List.copyOf(terms);
    }
    lists.forEach(
        (expressions, rows) ->
            shortened.add(
                rexBuilder.makeCall(
                    operator(new LiteralList(rows), expressions.size()), expressions)));
    return shortened;
  }

  private IsOneOf operator(LiteralList list, int columns) {
    int number = operators.size();
    return operators.computeIfAbsent(list, l -> new IsOneOf(l, number, columns));
  }

  /** Null for another condition. */
  private static Equalities equalities(RexNode condition) {
    List<RexNode> terms =
        condition.getKind() == SqlKind.AND
            ? ((RexCall) condition).getOperands()
            : List.of(condition);
    List<RexNode> expressions = new ArrayList<>();
    List<RexLiteral> literals = new ArrayList<>();
    for (RexNode term : terms) {
      if (term.getKind() != SqlKind.EQUALS
          || !(((RexCall) term).getOperands().get(1) instanceof RexLiteral literal)
          || !LiteralList.isComparable(((RexCall) term).getOperands().get(0).getType(), literal)
          || !RexUtil.isDeterministic(term)) {
        return null;
      }
      expressions.add(((RexCall) term).getOperands().get(0));
      literals.add(literal);
    }
    return new Equalities(expressions, literals);
  }
}
