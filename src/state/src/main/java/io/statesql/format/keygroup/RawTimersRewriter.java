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
package io.statesql.format.keygroup;

import io.statesql.format.model.KeyedElement;
import io.statesql.format.model.KeyedStateMeta;
import io.statesql.snapshot.Bytes;
import io.statesql.type.StateOutput;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Changes the timers of one key group of raw keyed state; see {@link RawTimerGroup} for the layout.
 * Takes memory for all timers of the key group. Not thread-safe.
 */
final class RawTimersRewriter {
  private final boolean stored;
  private boolean changed;
  private final List<Service> services = new ArrayList<>();

  /**
   * @param head what stands before the timers
   * @param timers of event time, then of processing time, as they are stored
   */
  private record Service(Bytes head, List<Set<Bytes>> timers) {}

  /**
   * Reads the timers of a key group; where nothing is stored for it, there are none.
   *
   * @throws io.statesql.type.MalformedValueException if the bytes are not of this layout
   */
  RawTimersRewriter(KeyGroupFile file, int index) throws IOException {
    this.stored = !file.isEmpty(index);
    int source = index;
    while (file.isEmpty(source)) {
      // All key groups have the same services.
      source = (source + 1) % file.count();
    }
    RawTimerGroup group =
        new RawTimerGroup(file.split().serializers(), KeyGroupFile.maxEntryBytes());
    file.open(group, source);
    KeyedElement element = new KeyedElement();
    for (RawTimerService service = group.nextService();
        service != null;
        service = group.nextService()) {
      Service read =
          new Service(
              Bytes.copyOf(group.lastRead()),
              List.of(new LinkedHashSet<>(), new LinkedHashSet<>()));
      List<KeyedStateMeta> states = service.states(2 * services.size());
      for (int domain = 0; domain < states.size(); domain++) {
        element.state = states.get(domain);
        for (int left = group.readCount(); left > 0; left--) {
          group.readTimer(element);
          if (stored) {
            read.timers().get(domain).add(Bytes.copyOf(group.lastRead()));
          }
        }
      }
      services.add(read);
    }
  }

  /**
   * Adds or removes a timer; nothing changes if it is there, or not there, already.
   *
   * @param state number of the timers in the split's header
   * @param timestamp in epoch milliseconds
   */
  void change(int state, Bytes key, Bytes namespace, long timestamp, boolean added) {
    StateOutput timer = new StateOutput();
    timer.writeBytes(key.toByteArray());
    timer.writeBytes(namespace.toByteArray());
    timer.writeLong(timestamp);
    Set<Bytes> timers = services.get(state / 2).timers().get(state % 2);
    Bytes bytes = Bytes.copyOf(timer.toByteArray());
    changed |= added ? timers.add(bytes) : timers.remove(bytes);
  }

  /**
   * Writes the key group.
   *
   * @return whether anything is stored for it now
   */
  boolean writeTo(OutputStream target) throws IOException {
    if (!stored && !changed) {
      return false;
    }
    StateOutput out = new StateOutput();
    RawTimerGroup.writeHead(services.size(), out);
    for (Service service : services) {
      out.writeBytes(service.head().toByteArray());
      for (Set<Bytes> timers : service.timers()) {
        out.writeInt(timers.size());
        timers.forEach(timer -> out.writeBytes(timer.toByteArray()));
      }
    }
    target.write(out.array(), 0, out.length());
    return true;
  }
}
