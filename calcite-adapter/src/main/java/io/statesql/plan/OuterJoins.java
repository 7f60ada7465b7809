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

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.apache.calcite.DataContext;
import org.apache.calcite.linq4j.AbstractEnumerable;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.EnumerableDefaults;
import org.apache.calcite.linq4j.Enumerator;
import org.apache.calcite.linq4j.JoinType;
import org.apache.calcite.linq4j.Linq4j;
import org.apache.calcite.linq4j.function.EqualityComparer;
import org.apache.calcite.linq4j.function.Function1;
import org.apache.calcite.linq4j.function.Function2;
import org.apache.calcite.linq4j.function.Predicate2;
import org.jspecify.annotations.Nullable;

/**
 * RIGHT and FULL joins that know by its place whether a right-hand row has found a partner. Calcite
 * knows it by the row itself: of equal rows, its loop keeps one, and its hash join looks through
 * all that wait for each that it finds.
 */
public final class OuterJoins {
  private OuterJoins() {}

  /** What {@link EnumerableDefaults#nestedLoopJoin} should do. */
  public static <L, R, T> Enumerable<T> nestedLoop(
      DataContext context,
      Enumerable<L> left,
      Enumerable<R> right,
      Predicate2<L, R> condition,
      Function2<@Nullable L, @Nullable R, T> result,
      JoinType type) {
    return withUnmatched(
        context,
        right,
        result,
        candidates ->
            EnumerableDefaults.nestedLoopJoin(
                left,
                candidates,
                (row, candidate) -> candidate.matches(row, condition),
                Candidate.toRow(result),
                type.generatesNullsOnRight() ? JoinType.LEFT : JoinType.INNER));
  }

  /** What {@link Enumerable#hashJoin} does, for a condition that is more than an equality. */
  public static <L, R, K, T> Enumerable<T> hash(
      DataContext context,
      Enumerable<L> left,
      Enumerable<R> right,
      Function1<L, K> leftKey,
      Function1<R, K> rightKey,
      Function2<@Nullable L, @Nullable R, T> result,
      @Nullable EqualityComparer<K> keyComparer,
      boolean nullsOnLeft,
      boolean nullsOnRight,
      Predicate2<L, R> condition) {
    return withUnmatched(
        context,
        right,
        result,
        candidates ->
            EnumerableDefaults.hashJoin(
                left,
                candidates,
                leftKey,
                candidate -> rightKey.apply(candidate.row),
                Candidate.toRow(result),
                keyComparer,
                false,
                nullsOnRight,
                (row, candidate) -> candidate.matches(row, condition)));
  }

  /** The rows of a join with candidates, and then those that found no partner in it. */
  private static <L, R, T> Enumerable<T> withUnmatched(
      DataContext context,
      Enumerable<R> right,
      Function2<@Nullable L, @Nullable R, T> result,
      Function<Enumerable<Candidate<R>>, Enumerable<T>> join) {
    return new AbstractEnumerable<>() {
      @Override
      public Enumerator<T> enumerator() {
        List<Candidate<R>> kept = new ArrayList<>();
        right.<Candidate<R>>select(Candidate::new).into(kept);
        Enumerable<Candidate<R>> candidates =
            StatementCancellation.checked(context, Linq4j.asEnumerable(kept));
        Enumerable<T> unmatched =
            candidates
                .where(candidate -> !candidate.matched)
                .select(candidate -> result.apply(null, candidate.row));
        return Linq4j.concat(List.of(join.apply(candidates), unmatched)).enumerator();
      }
    };
  }

  /** A right-hand row, and whether it has found a partner. */
  private static final class Candidate<R> {
    private final R row;
    private boolean matched;

    Candidate(R row) {
      this.row = row;
    }

    <L> boolean matches(L other, Predicate2<L, R> condition) {
      boolean found = condition.apply(other, row);
      matched |= found;
      return found;
    }

    static <L, R, T> Function2<L, @Nullable Candidate<R>, T> toRow(
        Function2<@Nullable L, @Nullable R, T> result) {
      return (row, candidate) -> result.apply(row, candidate == null ? null : candidate.row);
    }
  }
}
