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

import io.statesql.ErrorCode;
import io.statesql.FaultText;
import io.statesql.StateSqlException;
import io.statesql.format.bytes.KeyGroupExtents;
import io.statesql.format.model.KeyedHeader;
import io.statesql.format.model.KeyedStateMeta;
import io.statesql.format.model.TimerName;
import io.statesql.snapshot.StateFile;
import io.statesql.type.MalformedValueException;
import io.statesql.type.serializer.SerializerContext;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Finds timers in raw keyed state, where nothing but the bytes says that they are timers. */
public final class RawTimers {
  private RawTimers() {}

  /**
   * The timer states of raw keyed state, as the header of managed state would list them.
   *
   * @return null if it is not timers but, for example, what an operator itself wrote; without
   *     states if no timer service had been used
   * @throws io.statesql.type.MalformedValueException if it starts as timers do and is damaged
   */
  public static KeyedHeader header(
      StateFile file, KeyGroupExtents extents, SerializerContext serializers) {
    List<RawTimerService> services = List.of();
    if (!isTimers(file, extents)) {
      return null;
    }
    try {
      for (int i = 0; i < extents.count(); i++) {
        if (extents.isEmpty(i)) {
          continue;
        }
        List<RawTimerService> found = new ArrayList<>();
        boolean complete = readServices(file, extents, i, serializers, found);
        if (found.size() > services.size()) {
          services = found;
        }
        if (complete) {
          break;
        }
      }
    } catch (IOException e) {
      throw new StateSqlException(
          ErrorCode.IO_ERROR, "Cannot read " + file.name() + ": " + FaultText.of(e) + ".", e);
    }
    return header(services, serializers);
  }

  /** Whether there are timers; what is written as timers has them in each key group. */
  private static boolean isTimers(StateFile file, KeyGroupExtents extents) {
    int timers = -1;
    int other = -1;
    for (int i = 0; i < extents.count(); i++) {
      if (!extents.isEmpty(i)) {
        if (RawTimerGroup.isTimers(file, extents, i)) {
          timers = i;
        } else {
          other = i;
        }
      }
    }
    if (timers >= 0 && other >= 0) {
      throw new MalformedValueException(
          extents.start(other),
          "key group "
              + extents.keyGroup(other)
              + " does not begin as those do that hold timers, such as key group "
              + extents.keyGroup(timers));
    }
    return timers >= 0;
  }

  private static KeyedHeader header(List<RawTimerService> services, SerializerContext serializers) {
    List<KeyedStateMeta> states = new ArrayList<>();
    for (RawTimerService service : services) {
      states.addAll(service.states(states.size()));
    }
    return new KeyedHeader(
        false,
        services.isEmpty() ? null : services.get(0).key(),
        states,
        0,
        serializers.pojoNotes(),
        false);
  }

  /**
   * Lists the services of one key group.
   *
   * @return false if timers that cannot be passed over hide further ones; other key groups, which
   *     have the same services, may have none of those timers
   */
  private static boolean readServices(
      StateFile file,
      KeyGroupExtents extents,
      int extent,
      SerializerContext serializers,
      List<RawTimerService> services)
      throws IOException {
    RawTimerGroup group = new RawTimerGroup(serializers, file.maxValueBytes());
    group.open(file, extents, extent);
    for (RawTimerService service = group.nextService();
        service != null;
        service = group.nextService()) {
      services.add(service);
      for (int domain = 0; domain < TimerName.TimeDomain.values().length; domain++) {
        int count = group.readCount();
        if (count > 0 && !service.isDelimited()) {
          return false;
        }
        for (int i = 0; i < count; i++) {
          group.skipTimer(service);
        }
      }
    }
    return true;
  }
}
