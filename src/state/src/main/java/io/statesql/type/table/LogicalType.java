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
package io.statesql.type.table;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A type of Flink SQL, as a snapshot stores it. Immutable.
 *
 * @param precision 0 where the root has none
 * @param scale 0 where the root has none
 * @param fields of a row or structured type; the element of an array, distinct type or multiset;
 *     the key and value of a map
 */
record LogicalType(Root root, int precision, int scale, List<Field> fields) {

  /**
   * The constants of {@code LogicalTypeRoot} (flink-table-common 2.3) that values can have, and
   * {@code DATA_VIEW}.
   */
  enum Root {
    CHAR,
    VARCHAR,
    BOOLEAN,
    BINARY,
    VARBINARY,
    DECIMAL,
    TINYINT,
    SMALLINT,
    INTEGER,
    BIGINT,
    FLOAT,
    DOUBLE,
    DATE,
    TIME_WITHOUT_TIME_ZONE,
    TIMESTAMP_WITHOUT_TIME_ZONE,
    TIMESTAMP_WITH_LOCAL_TIME_ZONE,
    INTERVAL_YEAR_MONTH,
    INTERVAL_DAY_TIME,
    ARRAY,
    MULTISET,
    MAP,
    ROW,
    DISTINCT_TYPE,
    STRUCTURED_TYPE,
    RAW,
    VARIANT,
    BITMAP,
    /** A raw type whose values are never stored: what an accumulator has in a state of its own. */
    DATA_VIEW
  }

  /** One part of a type; its name is empty where it has none. */
  record Field(String name, LogicalType type) {}

  LogicalType {
    fields = List.copyOf(fields);
  }

  /** For a user: as SQL would write it, without lengths and nullability. */
  String text() {
    return switch (root) {
      case DECIMAL -> "DECIMAL(" + precision + ", " + scale + ")";
      case TIME_WITHOUT_TIME_ZONE -> "TIME(" + precision + ")";
      case TIMESTAMP_WITHOUT_TIME_ZONE -> "TIMESTAMP(" + precision + ")";
      case TIMESTAMP_WITH_LOCAL_TIME_ZONE -> "TIMESTAMP_LTZ(" + precision + ")";
      case ARRAY, MULTISET, MAP -> root + "<" + texts(fields) + ">";
      case ROW, STRUCTURED_TYPE -> "ROW<" + texts(fields) + ">";
      case DISTINCT_TYPE -> texts(fields);
      default -> root.toString();
    };
  }

  private static String texts(List<Field> fields) {
    return fields.stream()
        .map(
            field ->
                field.name().isEmpty()
                    ? field.type().text()
                    : field.name() + " " + field.type().text())
        .collect(Collectors.joining(", "));
  }
}
