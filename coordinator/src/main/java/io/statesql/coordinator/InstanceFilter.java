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
package io.statesql.coordinator;

import java.util.Optional;
import java.util.Set;

/**
 * Which instances are asked for: those that meet every condition. An empty set means none.
 *
 * @param runIds runs, or empty for all
 * @param operatorIds operators, or empty for all
 * @param partitionIds partitions, or empty for all
 */
public record InstanceFilter(
    Optional<Set<String>> runIds,
    Optional<Set<String>> operatorIds,
    Optional<Set<Integer>> partitionIds) {
  /** Every instance. */
  public static final InstanceFilter ALL =
      new InstanceFilter(Optional.empty(), Optional.empty(), Optional.empty());

  public InstanceFilter {
    runIds = runIds.map(Set::copyOf);
    operatorIds = operatorIds.map(Set::copyOf);
    partitionIds = partitionIds.map(Set::copyOf);
  }

  boolean acceptsStore(StoreId store) {
    return (operatorIds.isEmpty() || operatorIds.get().contains(store.operatorId()))
        && (partitionIds.isEmpty() || partitionIds.get().contains(store.partitionId()));
  }

  boolean acceptsRun(String runId) {
    return runIds.isEmpty() || runIds.get().contains(runId);
  }

  @Override
  public String toString() {
    return all("runs", runIds)
        + ", "
        + all("operators", operatorIds)
        + ", "
        + all("partitions", partitionIds);
  }

  private static String all(String what, Optional<? extends Set<?>> chosen) {
    return chosen.map(ids -> what + " " + ids).orElse("all " + what);
  }
}
