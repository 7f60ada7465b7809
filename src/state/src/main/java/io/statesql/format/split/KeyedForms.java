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
package io.statesql.format.split;

import io.statesql.format.changelog.ChangelogForm;
import io.statesql.format.form.KeyedForm;
import io.statesql.format.keygroup.CanonicalForm;
import io.statesql.format.keygroup.HeapForm;
import io.statesql.format.keygroup.RawTimerForm;
import io.statesql.format.model.KeyedSplit;
import io.statesql.format.rocksdb.RocksDbForm;
import io.statesql.snapshot.KeyedStateHandle;

/** Every form of keyed state. */
public final class KeyedForms {
  private static final KeyedForm CANONICAL = new CanonicalForm();
  private static final KeyedForm HEAP = new HeapForm();
  private static final KeyedForm ROCKSDB = new RocksDbForm();

  static final KeyedForm RAW_TIMERS = new RawTimerForm();
  static final ChangelogForm CHANGELOG = new ChangelogForm(KeyedForms::of, KeyedForms::of);

  private KeyedForms() {}

  /** The form of a split whose header was read. */
  public static KeyedForm of(KeyedSplit split) {
    return switch (split.layout()) {
      case CANONICAL -> CANONICAL;
      case HEAP -> HEAP;
      case ROCKSDB -> ROCKSDB;
      case CHANGELOG -> CHANGELOG;
      case RAW_TIMERS -> RAW_TIMERS;
    };
  }

  /** The form that reads the header of managed keyed state, and that carries keyed state. */
  public static KeyedForm of(KeyedStateHandle handle) {
    if (handle instanceof KeyedStateHandle.KeyGroupStream) {
      return CANONICAL;
    }
    return handle instanceof KeyedStateHandle.Incremental ? ROCKSDB : CHANGELOG;
  }
}
