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
package io.statesql.sql.function;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
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

  /** Gives the same value in a form that {@link Object#equals} compares by content. */
  public static final SqlOperator BY_VALUE =
      EngineFunction.of("BY_VALUE", CollectionFunctions.class, "byValue", SqlTypeName.ANY);

  /** Gives the row that was made a list by {@link #BY_VALUE}. */
  public static final SqlOperator ROW_OF_VALUES =
      EngineFunction.of("ROW_OF_VALUES", CollectionFunctions.class, "rowOfValues", SqlTypeName.ANY);

  private CollectionFunctions() {}

  /** The operator that gives an empty collection for null. */
  public static SqlOperator orEmpty(RelDataType type) {
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

  /** Called by generated code. Rows become lists, and decimals have no zeros at their end. */
  public static Object byValue(Object value) {
    if (value instanceof Object[] row) {
      return listByValue(Arrays.asList(row));
    }
    if (value instanceof List<?> list) {
      return listByValue(list);
    }
    if (value instanceof Map<?, ?> map) {
      Map<Object, Object> converted = new LinkedHashMap<>();
      map.forEach((key, item) -> converted.put(byValue(key), byValue(item)));
      return converted;
    }
    return value instanceof BigDecimal decimal ? ExactDecimals.decimalKey(decimal) : value;
  }

  /** Called by generated code. */
  public static Object rowOfValues(Object values) {
    return values instanceof List<?> list ? list.toArray() : values;
  }

  private static List<Object> listByValue(List<?> list) {
    List<Object> converted = new ArrayList<>(list.size());
    list.forEach(element -> converted.add(byValue(element)));
    return converted;
  }
}
