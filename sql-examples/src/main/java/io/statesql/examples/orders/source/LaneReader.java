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
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.core.io.InputStatus;

/** Emits the indexes of its lanes in ascending order and waits at the gate. */
final class LaneReader implements SourceReader<Long, Lane> {

  private final LaneOf lanes;
  private final StageGate gate;
  private final List<Lane> assigned = new ArrayList<>();
  private CompletableFuture<Void> firstLane = new CompletableFuture<>();
  private long knownLimit = -1;

  LaneReader(LaneOf lanes, StageGate gate) {
    this.lanes = lanes;
    this.gate = gate;
  }

  @Override
  public void start() {}

  @Override
  public InputStatus pollNext(ReaderOutput<Long> output) {
    long limit = gate.limit();
    Optional<Lane> ready =
        assigned.stream()
            .map(this::atNextIndex)
            .filter(lane -> lane.next() < limit)
            .min(Comparator.comparingLong(Lane::next));
    if (ready.isEmpty()) {
      knownLimit = limit;
      assigned.forEach(lane -> gate.reached(lane.number(), limit));
      return InputStatus.NOTHING_AVAILABLE;
    }
    Lane lane = ready.get();
    assigned.replaceAll(
        old -> old.number() == lane.number() ? new Lane(lane.number(), lane.next() + 1) : old);
    output.collect(lane.next());
    return InputStatus.MORE_AVAILABLE;
  }

  private Lane atNextIndex(Lane lane) {
    long next = lane.next();
    while (lanes.laneOf(next) != lane.number()) {
      next++;
    }
    return new Lane(lane.number(), next);
  }

  @Override
  public List<Lane> snapshotState(long checkpointId) {
    return List.copyOf(assigned);
  }

  @Override
  public CompletableFuture<Void> isAvailable() {
    return assigned.isEmpty() ? firstLane : gate.raisedAbove(knownLimit);
  }

  @Override
  public void addSplits(List<Lane> splits) {
    assigned.addAll(splits);
    assigned.sort(Comparator.comparingInt(Lane::number));
    knownLimit = -1;
    firstLane.complete(null);
    firstLane = new CompletableFuture<>();
  }

  @Override
  public void notifyNoMoreSplits() {}

  @Override
  public void close() {}
}
