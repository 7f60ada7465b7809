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

import java.util.List;
import java.util.stream.IntStream;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * Emits the indexes 0, 1, 2, ... as far as its {@link StageGate} lets it, then idles. The indexes
 * are split into lanes; within a lane they come in ascending order.
 */
public final class LaneSource implements Source<Long, Lane, List<Lane>> {

  private static final long serialVersionUID = 1L;

  private final String gate;
  private final int lanes;
  private final LaneOf laneOf;

  /**
   * @param gate the name of the gate that holds this source
   * @param lanes how many lanes there are; subtasks beyond that number would emit nothing
   * @param laneOf must name every lane again and again as the index grows
   */
  public LaneSource(String gate, int lanes, LaneOf laneOf) {
    this.gate = gate;
    this.lanes = lanes;
    this.laneOf = laneOf;
  }

  @Override
  public Boundedness getBoundedness() {
    return Boundedness.CONTINUOUS_UNBOUNDED;
  }

  @Override
  public SplitEnumerator<Lane, List<Lane>> createEnumerator(SplitEnumeratorContext<Lane> context) {
    return new LaneEnumerator(
        context, IntStream.range(0, lanes).mapToObj(number -> new Lane(number, 0)).toList());
  }

  @Override
  public SplitEnumerator<Lane, List<Lane>> restoreEnumerator(
      SplitEnumeratorContext<Lane> context, List<Lane> unassigned) {
    return new LaneEnumerator(context, unassigned);
  }

  @Override
  public SourceReader<Long, Lane> createReader(SourceReaderContext context) {
    return new LaneReader(laneOf, StageGate.named(gate));
  }

  @Override
  public SimpleVersionedSerializer<Lane> getSplitSerializer() {
    return new LaneSerializer();
  }

  @Override
  public SimpleVersionedSerializer<List<Lane>> getEnumeratorCheckpointSerializer() {
    return new UnassignedLanesSerializer();
  }
}
