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

import com.google.common.collect.ImmutableRangeSet;
import com.google.common.collect.Range;
import com.google.common.collect.RangeSet;
import io.statesql.format.model.ColumnSource;
import io.statesql.format.model.ColumnSource.Derived;
import io.statesql.format.model.ColumnSource.Part;
import io.statesql.format.model.KeyedSplit;
import io.statesql.format.scan.ElementCondition;
import io.statesql.format.scan.ElementCondition.PartValues;
import io.statesql.plan.ColumnCondition;
import io.statesql.plan.ColumnValues;
import io.statesql.type.Binary;
import io.statesql.type.SqlType;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.apache.calcite.avatica.util.ByteString;

/**
 * What a condition on the columns of a table asks of the elements of its states. Equal if the
 * conditions and the columns are. Immutable.
 */
final class PushedCondition {
  private static final List<Part> FINDABLE = List.of(Part.KEY, Part.NAMESPACE, Part.MAP_KEY);

  /** More than any type of whole numbers has. */
  private static final int MAX_DIGITS = 20;

  private final ColumnCondition condition;
  private final List<SourceColumn> columns;
  private final int maxParallelism;

  /** Made once: the planner asks for it again and again, and it keeps the stored keys. */
  private final ElementCondition elements;

  PushedCondition(ColumnCondition condition, List<SourceColumn> columns, int maxParallelism) {
    this.condition = condition;
    this.columns = List.copyOf(columns);
    this.maxParallelism = maxParallelism;
    this.elements = new ElementCondition(keyGroups(), parts());
  }

  /**
   * A column of the table that a reader can find elements by.
   *
   * @param position in the table
   */
  record SourceColumn(int position, String name, SqlType type, ColumnSource source) {}

  /** What is asked for. A {@link ColumnCondition.Parameter} that is left matches nothing. */
  ElementCondition ofElements() {
    return elements;
  }

  PushedCondition bind(IntFunction<Object> parameters) {
    return hasParameters()
        ? new PushedCondition(condition.bind(parameters), columns, maxParallelism)
        : this;
  }

  boolean hasParameters() {
    return condition.hasParameters();
  }

  /** Whether a reader of some splits has a use for it. */
  boolean isOf(List<KeyedSplit> splits, Function<KeyedSplit, BitSet> states) {
    boolean prunes = !bind(parameter -> 0).keyGroups().encloses(Range.all());
    return prunes || splits.stream().anyMatch(split -> elements.finds(split, states.apply(split)));
  }

  /** Whether it names keys whose key groups are known, in all of some splits. */
  boolean placesKeys(List<KeyedSplit> splits, Function<KeyedSplit, BitSet> states) {
    return splits.stream().allMatch(split -> elements.placesKeys(split, states.apply(split)));
  }

  private Optional<SourceColumn> keyGroupColumn() {
    return columns.stream().filter(c -> c.source() == Derived.KEY_GROUP).findFirst();
  }

  private RangeSet<BigDecimal> keyGroupRanges() {
    return keyGroupColumn()
        .map(column -> ColumnValues.ranges(condition, column.position()))
        .orElse(ImmutableRangeSet.of(Range.all()));
  }

  private ImmutableRangeSet<Integer> keyGroups() {
    RangeSet<BigDecimal> wanted = keyGroupRanges();
    if (wanted.encloses(Range.all())) {
      return ImmutableRangeSet.of(Range.all());
    }
    ImmutableRangeSet.Builder<Integer> keyGroups = ImmutableRangeSet.builder();
    for (int keyGroup = 0; keyGroup < maxParallelism; keyGroup++) {
      if (wanted.contains(BigDecimal.valueOf(keyGroup))) {
        keyGroups.add(Range.singleton(keyGroup));
      }
    }
    return keyGroups.build();
  }

  /** The parts of which the condition names all columns. */
  private List<PartValues> parts() {
    List<PartValues> parts = new ArrayList<>();
    for (Part part : FINDABLE) {
      List<SourceColumn> ofPart = columnsOf(part);
      if (!ofPart.isEmpty()) {
        values(ofPart)
            .flatMap(values -> inStoredTypes(values, ofPart))
            .ifPresent(
                values ->
                    parts.add(
                        new PartValues(
                            part, ofPart.stream().map(SourceColumn::source).toList(), values)));
      }
    }
    return parts;
  }

  private List<SourceColumn> columnsOf(Part part) {
    return columns.stream().filter(column -> part(column.source()) == part).toList();
  }

  /** Null for what is no part of an element. */
  static Part part(ColumnSource source) {
    if (source instanceof ColumnSource.Whole whole) {
      return whole.part();
    }
    if (source instanceof ColumnSource.FieldOf field) {
      return field.part();
    }
    return source == Derived.WINDOW_START || source == Derived.WINDOW_END ? Part.NAMESPACE : null;
  }

  private Optional<Set<List<Object>>> values(List<SourceColumn> wanted) {
    return ColumnValues.of(condition, wanted.stream().map(SourceColumn::position).toList());
  }

  /**
   * The values in the Java form of their columns, without those that the columns cannot have.
   *
   * @return empty if values and columns are of types that cannot be compared exactly
   */
  private static Optional<Set<List<Object>>> inStoredTypes(
      Collection<List<Object>> values, List<SourceColumn> ofColumns) {
    Set<List<Object>> stored = new LinkedHashSet<>();
    for (List<Object> row : values) {
      List<Object> converted = new ArrayList<>();
      for (int i = 0; i < row.size(); i++) {
        SqlType type = ofColumns.get(i).type();
        if (row.get(i) instanceof ColumnCondition.Parameter) {
          continue;
        }
        if (!(type instanceof SqlType.Scalar scalar) || !isComparable(row.get(i), scalar)) {
          return Optional.empty();
        }
        inStoredType(row.get(i), scalar).ifPresent(converted::add);
      }
      if (converted.size() == row.size()) {
        stored.add(converted);
      }
    }
    return Optional.of(stored);
  }

  private static boolean isComparable(Object value, SqlType.Scalar type) {
    return switch (type) {
      case BOOLEAN -> value instanceof Boolean;
      case VARCHAR -> value instanceof String;
      case VARBINARY -> value instanceof ByteString;
      case TINYINT, SMALLINT, INTEGER, BIGINT, DATE, TIME, TIMESTAMP -> value instanceof BigDecimal;
      case REAL, DOUBLE, DECIMAL -> false;
    };
  }

  private static Optional<Object> inStoredType(Object value, SqlType.Scalar type) {
    return switch (type) {
      case TINYINT -> whole(value, Byte.SIZE).map(BigDecimal::byteValueExact);
      case SMALLINT -> whole(value, Short.SIZE).map(BigDecimal::shortValueExact);
      case INTEGER, DATE, TIME -> whole(value, Integer.SIZE).map(BigDecimal::intValueExact);
      case BIGINT, TIMESTAMP -> whole(value, Long.SIZE).map(BigDecimal::longValueExact);
      case VARBINARY -> Optional.of(Binary.of(((ByteString) value).getBytes()));
      default -> Optional.of(value);
    };
  }

  /** A number without a fraction that fits into so many bits. */
  private static Optional<BigDecimal> whole(Object value, int bits) {
    BigDecimal number = ((BigDecimal) value).stripTrailingZeros();
    boolean fits =
        number.scale() <= 0
            && number.precision() - number.scale() <= MAX_DIGITS
            && number.toBigIntegerExact().bitLength() < bits;
    return fits ? Optional.of(number) : Optional.empty();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PushedCondition pushed
        && condition.equals(pushed.condition)
        && columns.equals(pushed.columns)
        && maxParallelism == pushed.maxParallelism;
  }

  @Override
  public int hashCode() {
    return Objects.hash(condition, columns, maxParallelism);
  }

  /** As EXPLAIN shows it. */
  @Override
  public String toString() {
    List<String> texts = new ArrayList<>();
    for (Part part : FINDABLE) {
      List<SourceColumn> ofPart = columnsOf(part);
      if (!ofPart.isEmpty()) {
        values(ofPart).ifPresent(values -> texts.add(ConditionText.of(ofPart, values)));
      }
    }
    RangeSet<BigDecimal> ranges = keyGroupRanges();
    if (!ranges.encloses(Range.all())) {
      texts.add(ConditionText.of(keyGroupColumn().orElseThrow(), ranges));
    }
    return String.join(" AND ", texts);
  }
}
