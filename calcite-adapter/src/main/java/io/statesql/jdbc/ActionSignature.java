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
import java.util.function.Consumer;
import org.apache.calcite.DataContext;
import org.apache.calcite.avatica.Meta;
import org.apache.calcite.avatica.MetaImpl;
import org.apache.calcite.jdbc.CalcitePrepare.CalciteSignature;
import org.apache.calcite.jdbc.CalciteSchema;
import org.apache.calcite.linq4j.Linq4j;

/**
 * Makes a statement of an action. Calcite would run such a statement while it is prepared; this
 * runs it when it is executed, as one that changes no rows.
 */
final class ActionSignature {
  private ActionSignature() {}

  /**
   * The statement.
   *
   * @param action done each time it is executed
   */
  @SuppressWarnings("unchecked") // the number of rows is what a caller of DML asks for
  static <T> CalciteSignature<T> of(String sql, CalciteSchema root, Consumer<DataContext> action) {
    return (CalciteSignature<T>)
        new CalciteSignature<Object>(
            sql,
            List.of(),
            Map.of(),
            null,
            List.of(MetaImpl.columnMetaData("ROWCOUNT", 0, Long.class, false)),
            Meta.CursorFactory.OBJECT,
            root,
            List.of(),
            -1,
            context -> {
              action.accept(context);
              return Linq4j.singletonEnumerable(0L);
            },
            Meta.StatementType.IS_DML);
  }
}
