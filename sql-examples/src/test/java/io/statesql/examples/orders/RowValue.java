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
package io.statesql.examples.orders;

import java.util.LinkedHashMap;
import java.util.Map;

/** A value with named fields, told apart from a map. */
final class RowValue extends LinkedHashMap<String, Object> {

  private static final long serialVersionUID = 1L;

  RowValue with(String field, Object value) {
    put(field, value);
    return this;
  }

  /** The fields under a prefix, or the value as one column. */
  static Map<String, Object> columns(String column, String fieldPrefix, Object value) {
    Map<String, Object> columns = new LinkedHashMap<>();
    if (value instanceof RowValue row) {
      row.forEach((field, fieldValue) -> columns.put(fieldPrefix + field, fieldValue));
    } else {
      columns.put(column, value);
    }
    return columns;
  }
}
