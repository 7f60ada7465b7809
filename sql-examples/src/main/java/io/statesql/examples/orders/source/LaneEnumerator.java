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
package io.statesql.examples.orders.source;

import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;

/** Gives lane k to subtask k modulo the parallelism. */
final class LaneEnumerator implements SplitEnumerator<Lane, List<Lane>> {

  private final SplitEnumeratorContext<Lane> context;
  private final List<Lane> unassigned;

  LaneEnumerator(SplitEnumeratorContext<Lane> context, List<Lane> unassigned) {
    this.context = context;
    this.unassigned = new ArrayList<>(unassigned);
  }

  @Override
  public void start() {}

  @Override
  public void addReader(int subtask) {
    List<Lane> due =
        unassigned.stream()
            .filter(lane -> lane.number() % context.currentParallelism() == subtask)
            .toList();
    due.forEach(lane -> context.assignSplit(lane, subtask));
    unassigned.removeAll(due);
  }

  @Override
  public void addSplitsBack(List<Lane> lanes, int subtask) {
    unassigned.addAll(lanes);
  }

  @Override
  public void handleSplitRequest(int subtask, String requesterHostname) {
    throw new IllegalStateException("Readers of lanes ask for no splits");
  }

  @Override
  public List<Lane> snapshotState(long checkpointId) {
    return List.copyOf(unassigned);
  }

  @Override
  public void close() {}
}
