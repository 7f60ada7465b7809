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
package io.statesql.change;

import io.statesql.format.model.ColumnSource;
import io.statesql.type.SqlType;

/** A column that a statement assigns, and the place in the row where its value stands. */
record ChangedColumn(String name, SqlType type, ColumnSource source, int position) {
  Object valueIn(Object[] row) {
    return ValueConversion.convert(name, type, row[position]);
  }
}
