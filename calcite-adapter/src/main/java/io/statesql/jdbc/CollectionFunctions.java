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
package io.statesql.jdbc;

import java.util.List;
import java.util.Map;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.type.SqlTypeName;

/** Operators on collections that Calcite lacks. The planner inserts them. */
public final class CollectionFunctions {
  private static final SqlOperator LIST_OR_EMPTY =
      EngineFunction.of("LIST_OR_EMPTY", CollectionFunctions.class, "listOrEmpty", SqlTypeName.ANY);
  private static final SqlOperator MAP_OR_EMPTY =
      EngineFunction.of("MAP_OR_EMPTY", CollectionFunctions.class, "mapOrEmpty", SqlTypeName.ANY);

  private CollectionFunctions() {}

  /** The operator that gives an empty collection for null. */
  static SqlOperator orEmpty(RelDataType type) {
    return type.getSqlTypeName() == SqlTypeName.MAP ? MAP_OR_EMPTY : LIST_OR_EMPTY;
  }

  /** Called by generated code. */
  public static List<?> listOrEmpty(List<?> list) {
    return list == null ? List.of() : list;
  }

  /** Called by generated code. */
  public static Map<?, ?> mapOrEmpty(Map<?, ?> map) {
    return map == null ? Map.of() : map;
  }
}
