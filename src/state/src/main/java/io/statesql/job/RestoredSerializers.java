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
package io.statesql.job;

import com.google.common.hash.HashCode;
import com.google.common.hash.Hashing;
import io.statesql.type.ObjectCodec;
import io.statesql.type.StateInput;
import io.statesql.type.serializer.MissingJobClassException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Codecs by the bytes of their snapshots, and why there is none: handles of the same operator have
 * the same, and where a header is read by trying lengths the same is asked many times. Safe for use
 * by many threads.
 */
final class RestoredSerializers {
  private static final int MOST = 1024;

  private final Map<HashCode, Outcome> outcomes =
      new LinkedHashMap<>(16, 0.75f, /* accessOrder= */ true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<HashCode, Outcome> eldest) {
          return size() > MOST;
        }
      };

  /**
   * What became of a snapshot.
   *
   * @param codec null if there is none
   * @param failure why there is none
   * @param length of the snapshot
   */
  private record Outcome(
      @Nullable ObjectCodec codec, @Nullable MissingJobClassException failure, int length) {}

  /** Makes a codec of a snapshot. */
  @FunctionalInterface
  interface Restorer {
    /** As {@link io.statesql.type.serializer.JobClasses#codec}. */
    ObjectCodec restore(StateInput snapshot) throws MissingJobClassException;
  }

  /**
   * The codec of a snapshot, restored if that was not done before.
   *
   * @param snapshot is left after it
   */
  ObjectCodec get(StateInput snapshot, Restorer restorer) throws MissingJobClassException {
    HashCode bytes =
        Hashing.sha256().hashBytes(snapshot.array(), snapshot.position(), snapshot.remaining());
    Outcome outcome;
    synchronized (outcomes) {
      outcome = outcomes.get(bytes);
    }
    if (outcome == null) {
      outcome = restore(new StateInput().reset(snapshot), restorer);
      synchronized (outcomes) {
        outcomes.put(bytes, outcome);
      }
    }
    if (outcome.codec() == null) {
      throw new MissingJobClassException(outcome.failure().getMessage(), outcome.failure());
    }
    snapshot.skip(outcome.length());
    return outcome.codec();
  }

  private static Outcome restore(StateInput snapshot, Restorer restorer) {
    int start = snapshot.position();
    try {
      ObjectCodec codec = restorer.restore(snapshot);
      return new Outcome(codec, null, snapshot.position() - start);
    } catch (MissingJobClassException e) {
      return new Outcome(null, e, 0);
    }
  }
}
