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

import io.statesql.snapshot.Snapshot;
import io.statesql.type.serializer.PojoNotes;
import io.statesql.type.serializer.PojoSubclasses;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * Reads the headers of an operator again and again, until all know the subclasses of POJOs that any
 * of them knows, or that a value was seen to be of. Most operators have none, and then it is once.
 */
final class HeaderRounds {
  /** Each round may make room for subclasses within subclasses. */
  private static final int MOST = 8;

  private HeaderRounds() {}

  /**
   * Reads the splits of an operator.
   *
   * @param headers reads all headers, with what the given snapshot knows of subclasses
   * @param notes of a split's header
   * @param values looks at values, whose subclasses come into the notes of their headers
   */
  static <S> List<S> read(
      Snapshot snapshot,
      Function<Snapshot, List<S>> headers,
      Function<S, PojoNotes> notes,
      BiConsumer<Snapshot, List<S>> values) {
    List<S> splits = headers.apply(snapshot);
    for (int round = 0; round < MOST; round++) {
      values.accept(snapshot, splits);
      PojoSubclasses known = PojoSubclasses.of(splits.stream().map(notes).toList());
      if (splits.stream().map(notes).noneMatch(known::areNewTo)) {
        break;
      }
      splits = headers.apply(snapshot.knowing(known));
    }
    return List.copyOf(splits);
  }
}
