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
package org.apache.calcite.rex;

import java.math.BigDecimal;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.type.SqlTypeName;

/**
 * Makes decimal literals that keep their own scale, where {@link RexBuilder} sets the scale of the
 * type.
 */
public final class ExactDecimalLiteral {
  private ExactDecimalLiteral() {}

  /**
   * Makes a literal.
   *
   * @param type a DECIMAL type, not nullable
   */
  public static RexLiteral of(BigDecimal value, RelDataType type) {
    return new RexLiteral(value, type, SqlTypeName.DECIMAL);
  }
}
