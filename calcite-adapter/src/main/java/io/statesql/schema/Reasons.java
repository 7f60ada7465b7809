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
import io.statesql.type.SqlType;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Why a state is not decoded, or not wholly, or by what else than us: one text for a user. */
final class Reasons {
  private Reasons() {}

  /** What is to be said of the types in a state, or null if nothing is. */
  static String of(StateDefinition state) {
    Set<String> reasons = new LinkedHashSet<>();
    for (Part part : Part.values()) {
      for (SqlType type : state.types(StateDefinition.codec(part))) {
        collect(type, reasons);
      }
    }
    return reasons.isEmpty() ? null : String.join("; ", reasons);
  }

  /**
   * Adds to what is to be said of the types of a state what keeps from reading it in some handle.
   *
   * @param ofTypes null if nothing is
   * @param obstacles null where there is none; one stands for those of other handles
   * @return null if there is nothing to say
   */
  static @Nullable String with(@Nullable String ofTypes, Stream<@Nullable String> obstacles) {
    String obstacle = obstacles.filter(Objects::nonNull).findFirst().orElse(null);
    return obstacle == null ? ofTypes : ofTypes == null ? obstacle : ofTypes + "; " + obstacle;
  }

  /** Why the entries of a broadcast state cannot be told apart. */
  static String inseparableEntries(StateDefinition state) {
    return "where its entries end cannot be found (" + of(state) + ")";
  }

  /** Why the parts of a state's keys cannot be told apart. */
  static String inseparable(StateDefinition state) {
    String reasons = of(state);
    return "where its key ends cannot be found" + (reasons == null ? "" : " (" + reasons + ")");
  }

  private static void collect(SqlType type, Set<String> reasons) {
    if (type instanceof SqlType.Opaque opaque) {
      reasons.add(opaque.reason());
    } else if (type instanceof SqlType.ObjectText text) {
      reasons.add(text.note());
    } else if (type instanceof SqlType.Row row) {
      row.fields().forEach(field -> collect(field.type(), reasons));
    } else if (type instanceof SqlType.Array array) {
      collect(array.element(), reasons);
    } else if (type instanceof SqlType.MapOf map) {
      collect(map.key(), reasons);
      collect(map.value(), reasons);
    }
  }
}
