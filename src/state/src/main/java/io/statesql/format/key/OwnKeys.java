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
package io.statesql.format.key;

import io.statesql.format.model.KeyGroupCheck;
import io.statesql.format.model.KeyedSplit;
import io.statesql.format.model.KeyedStateMeta;
import io.statesql.type.StateInput;
import org.jspecify.annotations.Nullable;

/**
 * Goes over the keys of one split and refuses those that do not belong to their key group. Not
 * thread-safe.
 */
public final class OwnKeys {
  /** By the number of the state; null where nothing is known of keys of its type. */
  private final @Nullable KeyGroupCheck[] checks;

  public OwnKeys(KeyedSplit split) {
    int maxParallelism = split.operator().maxParallelism();
    this.checks = new KeyGroupCheck[split.header().states().size()];
    for (KeyedStateMeta state : split.header().states()) {
      checks[state.id()] = KeyGroupCheck.of(state.codecs().key(), maxParallelism);
    }
  }

  /** Whether of a state's keys it is known to which key group each belongs. */
  public boolean areKnown(KeyedStateMeta state) {
    return checks[state.id()] != null;
  }

  /**
   * Goes over the key that begins at the input's position.
   *
   * @param keyGroup in which it stands
   * @throws io.statesql.type.MalformedValueException if it belongs to another
   */
  public void skip(KeyedStateMeta state, int keyGroup, StateInput in) {
    KeyGroupCheck check = checks[state.id()];
    if (check == null) {
      state.codecs().key().skip(in);
    } else {
      long offset = in.offset();
      check.require(state.codecs().key().read(in), keyGroup, offset);
    }
  }

  /** Tests the key that an input holds, which stays where it is. */
  public void require(KeyedStateMeta state, int keyGroup, StateInput key) {
    if (checks[state.id()] != null) {
      int start = key.position();
      skip(state, keyGroup, key);
      key.requireEnd();
      key.position(start);
    }
  }
}
