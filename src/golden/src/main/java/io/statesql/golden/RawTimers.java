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
package io.statesql.golden;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.core.io.PostVersionedIOReadableWritable;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.streaming.api.operators.InternalTimerServiceSerializationProxy;
import org.apache.flink.streaming.api.operators.InternalTimersSnapshot;
import org.apache.flink.streaming.api.operators.InternalTimersSnapshotReaderWriters;

/**
 * Timers of one key group in raw keyed state, where RocksDB jobs with timers on the heap keep them.
 *
 * <p>Reads as {@link InternalTimerServiceSerializationProxy} does (Flink 2.3.0), which itself wants
 * the timer services of a running operator.
 */
final class RawTimers extends PostVersionedIOReadableWritable {
  /** The timers of one timer service. */
  record Service(String name, InternalTimersSnapshot<?, ?> timers) {}

  private final List<Service> services = new ArrayList<>();

  /** What the last call of {@code read} found. */
  List<Service> services() {
    return List.copyOf(services);
  }

  @Override
  public int getVersion() {
    return InternalTimerServiceSerializationProxy.VERSION;
  }

  @Override
  protected void read(DataInputView in, boolean wasVersioned) throws IOException {
    int version = wasVersioned ? getReadVersion() : InternalTimersSnapshotReaderWriters.NO_VERSION;
    services.clear();
    int count = in.readInt();
    for (int i = 0; i < count; i++) {
      services.add(
          new Service(
              in.readUTF(),
              InternalTimersSnapshotReaderWriters.getReaderForVersion(
                      version, Thread.currentThread().getContextClassLoader())
                  .readTimersSnapshot(in)));
    }
  }
}
