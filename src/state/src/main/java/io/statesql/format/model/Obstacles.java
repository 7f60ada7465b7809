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

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Why states of one handle cannot be read to their end, as far as that is known. Thread-safe. */
public final class Obstacles {
  private final Map<String, String> byState = new ConcurrentHashMap<>();

  /**
   * Notes an obstacle; of several in one state the first one is kept.
   *
   * @param reason a sentence for a user, with or without its full stop
   */
  public void add(String state, String reason) {
    byState.putIfAbsent(
        state, reason.endsWith(".") ? reason.substring(0, reason.length() - 1) : reason);
  }

  /** The reason, without a full stop; null if there is none. */
  public @Nullable String of(String state) {
    return byState.get(state);
  }
}
