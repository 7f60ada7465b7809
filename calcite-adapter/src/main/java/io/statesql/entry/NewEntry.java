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
package io.statesql.entry;

import io.statesql.snapshot.Bytes;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What shall stand in an entry, in stored bytes without times of last access. Immutable. */
public sealed interface NewEntry {
  /** A value. */
  record Whole(Bytes value) implements NewEntry {}

  /** A list; one without elements is no entry. */
  record Elements(List<Bytes> elements) implements NewEntry {
    public Elements {
      elements = List.copyOf(elements);
    }
  }

  /**
   * A map; one without entries is no entry.
   *
   * @param entries values by keys; a null is the null value of a key
   */
  record Entries(Map<Bytes, @Nullable Bytes> entries) implements NewEntry {
    public Entries {
      entries = Collections.unmodifiableMap(new LinkedHashMap<>(entries));
    }
  }
}
