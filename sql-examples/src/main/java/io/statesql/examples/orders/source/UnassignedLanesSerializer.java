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

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/** The lanes that wait for a reader, one after the other. */
final class UnassignedLanesSerializer implements SimpleVersionedSerializer<List<Lane>> {

  private static final int VERSION = 1;
  private static final int LANE_SIZE = Integer.BYTES + Long.BYTES;

  @Override
  public int getVersion() {
    return VERSION;
  }

  @Override
  public byte[] serialize(List<Lane> lanes) {
    ByteBuffer out = ByteBuffer.allocate(lanes.size() * LANE_SIZE);
    lanes.forEach(lane -> out.putInt(lane.number()).putLong(lane.next()));
    return out.array();
  }

  @Override
  public List<Lane> deserialize(int version, byte[] serialized) throws IOException {
    if (version != VERSION || serialized.length % LANE_SIZE != 0) {
      throw new IOException(
          "Not a list of lanes: version " + version + " with " + serialized.length + " bytes");
    }
    ByteBuffer in = ByteBuffer.wrap(serialized);
    List<Lane> lanes = new ArrayList<>();
    while (in.hasRemaining()) {
      lanes.add(new Lane(in.getInt(), in.getLong()));
    }
    return lanes;
  }
}
