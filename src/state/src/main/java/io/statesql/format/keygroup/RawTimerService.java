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

import io.statesql.format.model.ElementCodecs;
import io.statesql.format.model.KeyedHeader;
import io.statesql.format.model.KeyedStateMeta;
import io.statesql.format.model.StateKind;
import io.statesql.format.model.TimerName;
import io.statesql.type.StateInput;
import io.statesql.type.registry.StoredSerializers;
import io.statesql.type.serializer.SerializerContext;
import io.statesql.type.serializer.StoredSerializer;
import java.util.List;

/**
 * What stands before the timers of a service in a key group of raw timers.
 *
 * @param key of all its timers
 * @param namespace of all its timers
 */
record RawTimerService(String name, StoredSerializer key, StoredSerializer namespace) {
  static RawTimerService read(StateInput in, SerializerContext context) {
    String name = in.readUtf();
    return new RawTimerService(
        name,
        StoredSerializers.readKey(in, context.at(KeyedHeader.KEY)),
        StoredSerializers.read(in, context.at(name)));
  }

  /** Whether one can tell where a timer ends. */
  boolean isDelimited() {
    return key.codec().isDelimited() && namespace.codec().isDelimited();
  }

  /**
   * The two states that hold these timers when they are managed: event time, then processing time,
   * in the order in which raw state holds them.
   *
   * @param firstId number of the first
   */
  List<KeyedStateMeta> states(int firstId) {
    return List.of(
        state(TimerName.EVENT + name, firstId), state(TimerName.PROCESSING + name, firstId + 1));
  }

  private KeyedStateMeta state(String stateName, int id) {
    return new KeyedStateMeta(
        stateName,
        id,
        StateKind.TIMER,
        null,
        null,
        StoredSerializers.timer(key, namespace),
        new ElementCodecs(key.codec(), namespace.codec(), null, null, false, false),
        null);
  }
}
