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
package io.statesql.type;

import java.util.Optional;

/** Why a codec has no known end. */
public final class UndelimitedParts {
  private UndelimitedParts() {}

  /** The reason of the last opaque type inside of an undelimited codec: the one without an end. */
  public static String reason(Codec codec) {
    return find(codec.type()).orElse("The end of a value cannot be found");
  }

  private static Optional<String> find(SqlType type) {
    if (type instanceof SqlType.Opaque opaque) {
      return Optional.of(opaque.reason());
    }
    if (type instanceof SqlType.Row row) {
      return row.fields().stream()
          .map(field -> find(field.type()))
          .flatMap(Optional::stream)
          .reduce((earlier, later) -> later);
    }
    return Optional.empty();
  }
}
