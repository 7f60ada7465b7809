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

import io.statesql.snapshot.Bytes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What becomes of one {@link EntryAddress}. Immutable. */
public sealed interface EntryChange {
  /** Nothing stands there any more; if nothing stood there, nothing changes. */
  Remove REMOVE = new Remove();

  /**
   * A value stands there, whatever stood there before.
   *
   * @param value as its serializer writes it, with the eight bytes of the last access before it
   *     where the state has a time to live; null for the null value of a MAP entry; without bytes
   *     for a timer
   */
  record Put(@Nullable Bytes value) implements EntryChange {}

  /**
   * A whole list stands there, whatever stood there before.
   *
   * @param elements at least one, each as its serializer writes it, with the eight bytes of its
   *     last access before it where the state has a time to live
   */
  record PutList(List<Bytes> elements) implements EntryChange {
    public PutList {
      elements = List.copyOf(elements);
      if (elements.isEmpty()) {
        throw new IllegalArgumentException("A list without elements is removed, not put");
      }
    }
  }

  /** Nothing. */
  record Remove() implements EntryChange {}
}
