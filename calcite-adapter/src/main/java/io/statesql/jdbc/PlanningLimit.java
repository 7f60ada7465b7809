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
package io.statesql.jdbc;

import io.statesql.Cancellation;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.calcite.plan.RelOptListener;
import org.apache.calcite.plan.RelOptPlanner;
import org.apache.calcite.plan.volcano.RelSubset;
import org.apache.calcite.util.CancelFlag;

/**
 * Keeps the search for a plan short: it ends with the statement, and takes the best plan that it
 * has found when it has tried enough. For many joins Calcite would search for hours. Watches one
 * planner.
 */
final class PlanningLimit implements RelOptListener {
  /** Counted rather than timed, so that every machine finds the same plans. */
  static final long MOST_ATTEMPTS = 150_000;

  private final Cancellation cancellation;
  private final long mostAttempts;
  private final AtomicBoolean isEnough = new AtomicBoolean();
  private long attempts;

  /**
   * @param mostAttempts how many times rules are tried before the best plan of those that were
   *     found is taken
   */
  PlanningLimit(Cancellation cancellation, long mostAttempts) {
    this.cancellation = cancellation;
    this.mostAttempts = mostAttempts;
  }

  /** By this the planner learns that it has searched enough. */
  CancelFlag flag() {
    return new CancelFlag(isEnough);
  }

  @Override
  public void ruleAttempted(RuleAttemptedEvent event) {
    cancellation.check();
    attempts++;
    if (attempts > mostAttempts && hasPlan(event.getRuleCall().getPlanner())) {
      isEnough.set(true);
    }
  }

  private static boolean hasPlan(RelOptPlanner planner) {
    return planner.getRoot() instanceof RelSubset root && root.getBest() != null;
  }

  @Override
  public void relEquivalenceFound(RelEquivalenceEvent event) {}

  @Override
  public void ruleProductionSucceeded(RuleProductionEvent event) {}

  @Override
  public void relDiscarded(RelDiscardedEvent event) {}

  @Override
  public void relChosen(RelChosenEvent event) {}
}
