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

import com.google.common.collect.ImmutableRangeSet;
import com.google.common.collect.Range;
import com.google.common.collect.RangeSet;
import com.google.common.collect.TreeRangeSet;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What a {@link ColumnCondition} leaves to some columns. It may leave more than that, not less. */
public final class ColumnValues {
  /** More combinations are not put together: one of two conditions is used then. */
  private static final int MAX_COMBINATIONS = 100_000;

  private static final Partial ANY = new Partial(Collections.emptyList());

  private final List<Integer> columns;

  private ColumnValues(List<Integer> columns) {
    this.columns = columns;
  }

  /**
   * Values of some of the columns.
   *
   * @param values in the order of the columns, null where any value will do
   */
  private record Partial(List<Object> values) {
    boolean isAny() {
      return values.isEmpty();
    }
  }

  /**
   * The values that columns may have together.
   *
   * @param columns by position in the table, at least one
   * @return each in the order of the columns, none of them null; empty if a column may have any
   */
  public static Optional<Set<List<Object>>> of(ColumnCondition condition, List<Integer> columns) {
    Set<Partial> found = new ColumnValues(columns).find(condition);
    Set<List<Object>> values = new LinkedHashSet<>();
    for (Partial partial : found) {
      if (partial.isAny() || partial.values().contains(null)) {
        return Optional.empty();
      }
      values.add(partial.values());
    }
    return Optional.of(values);
  }

  /** The numbers that a column may have. */
  public static RangeSet<BigDecimal> ranges(ColumnCondition condition, int column) {
    if (condition instanceof ColumnCondition.In in && in.column() == column) {
      RangeSet<BigDecimal> points = TreeRangeSet.create();
      for (Object value : in.values()) {
        points.add(value instanceof BigDecimal number ? Range.singleton(number) : Range.all());
      }
      return points;
    }
    if (condition instanceof ColumnCondition.Within within && within.column() == column) {
      return within.ranges();
    }
    if (condition instanceof ColumnCondition.All all) {
      ImmutableRangeSet<BigDecimal> common = ImmutableRangeSet.of(Range.all());
      for (ColumnCondition part : all.conditions()) {
        common = common.intersection(ranges(part, column));
      }
      return common;
    }
    if (condition instanceof ColumnCondition.Any any) {
      RangeSet<BigDecimal> union = TreeRangeSet.create();
      for (ColumnCondition part : any.conditions()) {
        union.addAll(ranges(part, column));
        if (union.encloses(Range.all())) {
          break;
        }
      }
      return union;
    }
    return ImmutableRangeSet.of(Range.all());
  }

  private Set<Partial> find(ColumnCondition condition) {
    if (condition instanceof ColumnCondition.In in && columns.contains(in.column())) {
      Set<Partial> found = new LinkedHashSet<>();
      for (Object value : in.values()) {
        Object[] values = new Object[columns.size()];
        values[columns.indexOf(in.column())] = value;
        found.add(new Partial(Arrays.asList(values)));
      }
      return found;
    }
    if (condition instanceof ColumnCondition.All all) {
      Set<Partial> common = Set.of(ANY);
      for (ColumnCondition part : all.conditions()) {
        common = combine(common, find(part));
      }
      return common;
    }
    if (condition instanceof ColumnCondition.Any any) {
      Set<Partial> union = new LinkedHashSet<>();
      for (ColumnCondition part : any.conditions()) {
        Set<Partial> found = find(part);
        if (found.contains(ANY)) {
          return Set.of(ANY);
        }
        union.addAll(found);
      }
      return union;
    }
    return Set.of(ANY);
  }

  private static Set<Partial> combine(Set<Partial> some, Set<Partial> others) {
    if (some.contains(ANY)) {
      return others;
    }
    if (others.contains(ANY)) {
      return some;
    }
    if ((long) some.size() * others.size() > MAX_COMBINATIONS) {
      return some.size() <= others.size() ? some : others;
    }
    Set<Partial> combined = new LinkedHashSet<>();
    for (Partial one : some) {
      for (Partial other : others) {
        combine(one.values(), other.values()).ifPresent(combined::add);
      }
    }
    return combined;
  }

  /** Both; empty if they say different things of a column. */
  private static Optional<Partial> combine(List<Object> one, List<Object> other) {
    List<Object> values = new ArrayList<>(one);
    for (int i = 0; i < values.size(); i++) {
      Object value = other.get(i);
      if (values.get(i) == null) {
        values.set(i, value);
      } else if (differ(values.get(i), value)) {
        return Optional.empty();
      }
    }
    return Optional.of(new Partial(values));
  }

  /** A parameter may have any value. */
  private static boolean differ(Object value, Object other) {
    return other != null
        && !value.equals(other)
        && !(value instanceof ColumnCondition.Parameter)
        && !(other instanceof ColumnCondition.Parameter);
  }
}
