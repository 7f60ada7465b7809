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
import org.apache.flink.core.io.SimpleVersionedSerializer;

/** Twelve bytes: the lane's number (int) and its next index (long). */
final class LaneSerializer implements SimpleVersionedSerializer<Lane> {

  private static final int VERSION = 1;
  private static final int SIZE = Integer.BYTES + Long.BYTES;

  @Override
  public int getVersion() {
    return VERSION;
  }

  @Override
  public byte[] serialize(Lane lane) {
    return ByteBuffer.allocate(SIZE).putInt(lane.number()).putLong(lane.next()).array();
  }

  @Override
  public Lane deserialize(int version, byte[] serialized) throws IOException {
    if (version != VERSION || serialized.length != SIZE) {
      throw new IOException(
          "Not a lane: version " + version + " with " + serialized.length + " bytes");
    }
    ByteBuffer in = ByteBuffer.wrap(serialized);
    return new Lane(in.getInt(), in.getLong());
  }
}
