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
package io.statesql.plan;

import java.util.List;
import org.apache.calcite.DataContext;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.EnumerableDefaults;
import org.apache.calcite.linq4j.Linq4j;
import org.apache.calcite.linq4j.function.Function0;
import org.apache.calcite.linq4j.function.Function1;
import org.apache.calcite.linq4j.function.Function2;
import org.jspecify.annotations.Nullable;

/** Grouping sets whose total has its row even if there are no rows to group. */
public final class GroupingSets {
  private GroupingSets() {}

  /**
   * What {@link EnumerableDefaults#groupByMultiple} does, and the total of no rows, for which
   * Calcite makes no row.
   *
   * @param total which of the keys is that of the total
   */
  public static <S, K, A, T> Enumerable<T> groupBy(
      DataContext context,
      Enumerable<S> rows,
      List<Function1<@Nullable S, K>> keys,
      Function0<A> start,
      Function2<A, S, A> adder,
      Function2<K, A, T> result,
      int total) {
    Enumerable<T> groups =
        EnumerableDefaults.groupByMultiple(rows, List.copyOf(keys), start, adder, result);
    return groups.any()
        ? groups
        // The key of the total takes nothing from a row.
        : Linq4j.singletonEnumerable(result.apply(keys.get(total).apply(null), start.apply()));
  }
}
