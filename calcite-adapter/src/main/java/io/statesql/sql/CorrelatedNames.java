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
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Correlate;
import org.apache.calcite.rel.core.CorrelationId;

/** The rows outside of a part of a query to which it refers, by the names that Calcite gives. */
final class CorrelatedNames {
  private final IdentityHashMap<RelNode, Set<CorrelationId>> known = new IdentityHashMap<>();

  static boolean hasCorrelate(RelNode query) {
    return query instanceof Correlate
        || query.getInputs().stream().anyMatch(CorrelatedNames::hasCorrelate);
  }

  /**
   * Refuses a query in which Calcite has taken one row for another, as it does with a subquery
   * among the columns of a subquery that refers to a row outside of both.
   */
  void check(RelNode query) {
    if (!free(query).isEmpty()) {
      throw mistaken();
    }
    checkInside(query, Set.of());
  }

  private void checkInside(RelNode query, Set<CorrelationId> around) {
    if (query instanceof Correlate correlate) {
      CorrelationId name = correlate.getCorrelationId();
      if (around.contains(name) || free(correlate.getLeft()).contains(name)) {
        throw mistaken();
      }
      Set<CorrelationId> inside = new HashSet<>(around);
      inside.add(name);
      checkInside(correlate.getLeft(), around);
      checkInside(correlate.getRight(), inside);
    } else {
      query.getInputs().forEach(input -> checkInside(input, around));
    }
  }

  private static StateSqlException mistaken() {
    return new StateSqlException(
        ErrorCode.UNSUPPORTED_STATEMENT,
        "A subquery among the columns of another subquery refers to a row outside of both, which StateSQL cannot compute; join the tables instead.");
  }

  /** Those that are not rows of the query itself. */
  Set<CorrelationId> free(RelNode query) {
    Set<CorrelationId> free = known.get(query);
    if (free == null) {
      free = new HashSet<>(ownOf(query));
      for (RelNode input : query.getInputs()) {
        free.addAll(free(input));
      }
      if (query instanceof Correlate correlate) {
        free.remove(correlate.getCorrelationId());
        free.addAll(free(correlate.getLeft()));
      }
      known.put(query, free);
    }
    return free;
  }

  /** Those in the expressions of a node, without its inputs. */
  static Set<CorrelationId> ownOf(RelNode node) {
    RelOptUtil.VariableUsedVisitor used = new RelOptUtil.VariableUsedVisitor(null);
    node.accept(used);
    return used.variables;
  }
}
