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

import static io.statesql.type.SqlType.Scalar.INTEGER;
import static io.statesql.type.SqlType.Scalar.VARCHAR;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * {@code sys.primary_keys}: the columns that tell the rows of a table apart, numbered from 1.
 * Tables of an operator whose state cannot be read are not known; {@code sys.states} says why.
 */
final class PrimaryKeysTable extends SystemTable {
  private final MountedSnapshot mount;

  PrimaryKeysTable(MountedSnapshot mount) {
    super(
        "Columns that tell the rows of a table apart",
        column("schema_name", VARCHAR, "Schema of the table"),
        column("table_name", VARCHAR, "The table"),
        column("column_name", VARCHAR, "Column that is part of the key"),
        column("key_sequence", INTEGER, "Its place in the key, from 1"));
    this.mount = mount;
  }

  @Override
  List<Object[]> rows() {
    List<Object[]> rows = new ArrayList<>();
    for (MountedOperator operator : mount.operators().values()) {
      for (Map.Entry<String, StateTable> table : operator.tables().tables().entrySet()) {
        int sequence = 0;
        for (StateTable.Header header : table.getValue().headers()) {
          if (header.isKey()) {
            rows.add(
                new Object[] {operator.schemaName(), table.getKey(), header.name(), ++sequence});
          }
        }
      }
    }
    return rows;
  }
}
