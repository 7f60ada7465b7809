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
package io.statesql.schema;

import io.statesql.format.model.ColumnSource.Part;
import io.statesql.format.model.KeyedSplit;
import io.statesql.format.model.KeyedStateMeta;
import io.statesql.format.model.StateKind;
import io.statesql.format.model.StateMeta;
import io.statesql.type.Codec;
import io.statesql.type.SqlType;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/**
 * One state of an operator, over all handles that know it.
 *
 * @param metas what the header of each such handle says, in the order of the subtasks; never empty
 */
record StateDefinition(String name, StateKind kind, List<? extends StateMeta> metas) {
  StateDefinition {
    metas = List.copyOf(metas);
  }

  /** Collects what the splits know of a keyed state. */
  static StateDefinition of(String name, List<KeyedSplit> splits) throws TypeConflictException {
    List<KeyedStateMeta> metas =
        splits.stream()
            .flatMap(split -> split.header().states().stream())
            .filter(state -> state.name().equals(name))
            .toList();
    return ofMetas(name, metas);
  }

  /**
   * Collects what headers say of a state.
   *
   * @param all at least one
   */
  static StateDefinition ofMetas(String name, List<? extends StateMeta> all)
      throws TypeConflictException {
    List<? extends StateMeta> metas = all.stream().distinct().toList();
    StateKind kind = metas.get(0).kind();
    for (StateMeta meta : metas) {
      if (meta.kind() != kind) {
        throw new TypeConflictException(
            "one handle says that it is " + kind + " and another that it is " + meta.kind());
      }
      if (isUnwindowed(meta) != isUnwindowed(metas.get(0))) {
        throw new TypeConflictException(
            "one handle says that it is scoped to its key alone and another that it is not");
      }
    }
    return new StateDefinition(name, kind, metas);
  }

  StateMeta first() {
    return metas.get(0);
  }

  /** Whether the state is scoped to its key alone. */
  boolean isUnwindowed() {
    return isUnwindowed(first());
  }

  private static boolean isUnwindowed(StateMeta meta) {
    return meta.codecs().isUnwindowed();
  }

  /** Whether the parts of its keys can be told apart, in each handle. */
  boolean isSeparable() {
    return metas.stream().allMatch(meta -> meta.codecs().isSeparable());
  }

  /** Whether its namespace is a window with a start and an end. */
  boolean hasTimeWindow() {
    return first().codecs().hasTimeWindow();
  }

  boolean hasTtl() {
    return first().codecs().hasTtl();
  }

  /** Whether the list is shown as its bytes as a whole. */
  boolean isWholeList() {
    return first().codecs().wholeList();
  }

  /** The columns that show one part, over all handles. */
  PartColumns columns(Part part) throws TypeConflictException {
    return PartColumns.of(part, types(codec(part)));
  }

  /** The types of a codec that each handle has. */
  List<SqlType> types(Function<StateMeta, Codec> codec) {
    return metas.stream()
        .<Codec>map(codec)
        .filter(Objects::nonNull)
        .map(Codec::type)
        .distinct()
        .toList();
  }

  static Function<StateMeta, Codec> codec(Part part) {
    return switch (part) {
      case KEY -> meta -> meta.codecs().key();
      case NAMESPACE -> meta -> meta.codecs().namespace();
      case MAP_KEY -> meta -> meta.codecs().mapKey();
      case VALUE -> meta -> meta.codecs().value();
    };
  }
}
