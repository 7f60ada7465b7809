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

import io.statesql.plan.StatementCancellation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.calcite.avatica.ColumnMetaData;
import org.apache.calcite.avatica.Meta;
import org.apache.calcite.avatica.MetaImpl;
import org.apache.calcite.jdbc.CalcitePrepare.CalciteSignature;
import org.apache.calcite.jdbc.CalciteSchema;
import org.apache.calcite.linq4j.Linq4j;

/**
 * A statement that has rows and no plan: they are listed when it runs.
 *
 * @param names of the columns
 * @param types of the columns, which may all be null
 * @param rows an array for each row, with a value for each column
 */
record ListedRows(List<String> names, List<Class<?>> types, Supplier<Stream<Object[]>> rows) {

  @SuppressWarnings("unchecked") // arrays are what the cursor of this signature reads
  <T> CalciteSignature<T> signature(String sql, CalciteSchema root) {
    List<ColumnMetaData> columns = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      columns.add(MetaImpl.columnMetaData(names.get(i), i, types.get(i), true));
    }
    return (CalciteSignature<T>)
        new CalciteSignature<Object>(
            sql,
            List.of(),
            Map.of(),
            null,
            columns,
            Meta.CursorFactory.ARRAY,
            root,
            List.of(),
            -1,
            context -> {
              var cancellation = StatementCancellation.of(context);
              return Linq4j.asEnumerable(
                  rows.get().peek(row -> cancellation.check()).map(Object.class::cast).toList());
            },
            Meta.StatementType.SELECT);
  }
}
