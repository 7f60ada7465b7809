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

import java.util.List;
import org.apache.calcite.adapter.enumerable.EnumerableCalc;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexProgram;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * Lets scans test keys by that part of the condition above them that is of the key alone, so that
 * nothing else is read and gathered of the keys that do not meet it. The condition stays.
 */
public final class KeyTests {
  private KeyTests() {}

  /** A finished plan whose scans test keys where there is something to test. */
  public static RelNode addTo(RelNode plan) {
    return plan.accept(
        new RelHomogeneousShuttle() {
          @Override
          public RelNode visit(RelNode node) {
            return node instanceof EnumerableCalc calc && calc.getInput() instanceof StateScan scan
                ? withTest(calc, scan)
                : super.visit(node);
          }
        });
  }

  private static RelNode withTest(EnumerableCalc calc, StateScan scan) {
    RexProgram program = calc.getProgram();
    if (program.getCondition() == null || !(scan.source() instanceof KeyTestedSource source)) {
      return calc;
    }
    ImmutableBitSet.Builder ofKey = ImmutableBitSet.builder();
    for (int i = 0; i < scan.fields().size(); i++) {
      if (source.testableColumns().contains(scan.fields().get(i))) {
        ofKey.set(i);
      }
    }
    ImmutableBitSet testable = ofKey.build();
    List<RexNode> tests =
        RelOptUtil.conjunctions(program.expandLocalRef(program.getCondition())).stream()
            .filter(part -> isTest(part, testable))
            .toList();
    RexNode test = RexUtil.composeConjunction(calc.getCluster().getRexBuilder(), tests, true);
    return test == null ? calc : calc.copy(calc.getTraitSet(), List.of(scan.withKeyTest(test)));
  }

  private static boolean isTest(RexNode part, ImmutableBitSet testable) {
    ImmutableBitSet used = RelOptUtil.InputFinder.bits(part);
    return !used.isEmpty()
        && testable.contains(used)
        && RexUtil.isDeterministic(part)
        && !RexUtil.containsCorrelation(part);
  }
}
