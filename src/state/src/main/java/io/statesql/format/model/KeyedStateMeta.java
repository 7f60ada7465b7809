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
package io.statesql.format.model;

import com.google.common.hash.HashCode;
import io.statesql.type.serializer.StoredSerializer;
import org.jspecify.annotations.Nullable;

/**
 * What the header of one keyed state handle says of one state.
 *
 * @param name as the job registered it; timers are called {@code _timer_state/<domain>_<service>}
 * @param id its position in the header, by which entries refer to it
 * @param key null for {@link StateKind#TIMER}
 * @param namespace null for {@link StateKind#TIMER}, whose element holds key and namespace
 * @param value the stored value serializer: of the whole list or map for LIST and MAP, of the
 *     element for TIMER
 * @param codecs for the state's elements
 * @param fingerprint of the stored description, but for the key; null where none is stored
 */
public record KeyedStateMeta(
    String name,
    int id,
    StateKind kind,
    StoredSerializer key,
    StoredSerializer namespace,
    StoredSerializer value,
    ElementCodecs codecs,
    @Nullable HashCode fingerprint)
    implements StateMeta {
  private static final String MERGING_WINDOW_SET = "merging-window-set";

  public KeyedStateMeta withId(int newId) {
    return new KeyedStateMeta(name, newId, kind, key, namespace, value, codecs, fingerprint);
  }

  /** Whether another description says the same of how elements are stored. */
  public boolean isStoredAs(KeyedStateMeta other) {
    return fingerprint != null
        && fingerprint.equals(other.fingerprint)
        && keyDescription().equals(other.keyDescription());
  }

  private String keyDescription() {
    return key == null ? "" : key.description();
  }

  /**
   * Whether this is the book-keeping of windows that merge, and no data of the job: {@code
   * org.apache.flink.streaming.runtime.operators.windowing.WindowOperator} (Flink 2.3) gives it
   * this name.
   */
  public boolean isMergingWindowSet() {
    return name.equals(MERGING_WINDOW_SET) && kind == StateKind.LIST;
  }
}
