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
package io.statesql.sql;

import static org.apache.calcite.util.Static.RESOURCE;

import io.statesql.StateSqlException;
import org.apache.calcite.runtime.CalciteContextException;
import org.apache.calcite.sql.parser.SqlParserPos;

/** Failures that know their place in the text of the statement. */
public final class Positions {
  private Positions() {}

  /** The failure with its place, as far as the place is known. */
  public static RuntimeException at(SqlParserPos pos, StateSqlException cause) {
    return pos.getLineNum() == 0 ? cause : of(pos, cause);
  }

  /** The failure with its place. */
  static CalciteContextException of(SqlParserPos pos, StateSqlException cause) {
    return new CalciteContextException(
        RESOURCE.validatorContextPoint(pos.getLineNum(), pos.getColumnNum()).str(),
        cause,
        pos.getLineNum(),
        pos.getColumnNum(),
        pos.getEndLineNum(),
        pos.getEndColumnNum());
  }
}
