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
package io.statesql.value;

import org.apache.calcite.rel.type.RelDataType;

/** How a result set gives columns of type ARRAY, MAP and ROW. */
public enum Composites {
  /**
   * As objects: ARRAY a {@link java.sql.Array}, ROW a {@link java.sql.Struct}, MAP a {@link
   * java.util.Map}. Inside a map a ROW is a {@link java.sql.Struct}, an ARRAY a {@link
   * java.util.List}, DATE, TIME and TIMESTAMP are {@link java.time.LocalDate}, {@link
   * java.time.LocalTime} and {@link java.time.LocalDateTime} (UTC), VARBINARY is {@code byte[]}.
   */
  OBJECTS,
  /**
   * As JSON text in a VARCHAR column, because the wire of a remote driver cannot carry them. See
   * {@link JsonText}.
   */
  JSON;

  /** Whether a column of this type is given as text. */
  public boolean isText(RelDataType type) {
    return this == JSON && EngineValues.isComposite(type);
  }
}
