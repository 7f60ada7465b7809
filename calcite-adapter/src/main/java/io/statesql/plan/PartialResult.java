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

import java.math.BigDecimal;
import java.util.Optional;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.jspecify.annotations.Nullable;

/** How the results of an aggregate function over two parts of its rows become that of both. */
enum PartialResult {
  /** COUNT: a BIGINT. */
  COUNT(0L) {
    @Override
    Object ofBoth(Object first, Object second) {
      return Math.addExact((Long) first, (Long) second);
    }
  },

  /** SUM to a BIGINT. */
  BIGINT_SUM(null) {
    @Override
    Object ofBoth(Object first, Object second) {
      return COUNT.ofBoth(first, second);
    }
  },

  /** SUM0, the SUM that is no NULL, to a BIGINT. */
  BIGINT_SUM0(0L) {
    @Override
    Object ofBoth(Object first, Object second) {
      return COUNT.ofBoth(first, second);
    }
  },

  /** SUM to a DECIMAL. */
  DECIMAL_SUM(null) {
    @Override
    Object ofBoth(Object first, Object second) {
      return ((BigDecimal) first).add((BigDecimal) second);
    }
  },

  /** SUM0 to a DECIMAL. */
  DECIMAL_SUM0(BigDecimal.ZERO) {
    @Override
    Object ofBoth(Object first, Object second) {
      return DECIMAL_SUM.ofBoth(first, second);
    }
  },

  /** SUM to a DOUBLE. */
  DOUBLE_SUM(null) {
    @Override
    Object ofBoth(Object first, Object second) {
      return (Double) first + (Double) second;
    }
  },

  /** SUM0 to a DOUBLE. */
  DOUBLE_SUM0(0.0) {
    @Override
    Object ofBoth(Object first, Object second) {
      return DOUBLE_SUM.ofBoth(first, second);
    }
  },

  /** MIN of what Calcite compares as Java does. */
  MIN(null) {
    @Override
    Object ofBoth(Object first, Object second) {
      return compare(first, second) <= 0 ? first : second;
    }
  },

  /** MAX of what Calcite compares as Java does. */
  MAX(null) {
    @Override
    Object ofBoth(Object first, Object second) {
      return compare(first, second) >= 0 ? first : second;
    }
  };

  @SuppressWarnings("ImmutableEnumChecker") // a number or null
  private final @Nullable Object ofNoRows;

  PartialResult(@Nullable Object ofNoRows) {
    this.ofNoRows = ofNoRows;
  }

  @Nullable Object ofNoRows() {
    return ofNoRows;
  }

  /** The result over two parts, neither of them null. */
  abstract Object ofBoth(Object first, Object second);

  /** The result over two parts, null where a part has none. */
  final @Nullable Object of(@Nullable Object first, @Nullable Object second) {
    if (first == null || second == null) {
      return first == null ? second : first;
    }
    return ofBoth(first, second);
  }

  /**
   * For a call of an aggregate function.
   *
   * @param types of the input
   * @return empty where the results over parts are not enough
   */
  static Optional<PartialResult> of(AggregateCall call, RelDataType types) {
    if (call.isDistinct()
        || call.isApproximate()
        || !call.getCollation().getKeys().isEmpty()
        || call.distinctKeys != null) {
      return Optional.empty();
    }
    SqlKind kind = call.getAggregation().getKind();
    if (kind == SqlKind.COUNT) {
      return Optional.of(COUNT);
    }
    if (call.getArgList().size() != 1) {
      return Optional.empty();
    }
    RelDataType argument = types.getFieldList().get(call.getArgList().get(0)).getType();
    return switch (kind) {
      case SUM -> sum(call.getType(), BIGINT_SUM, DECIMAL_SUM, DOUBLE_SUM);
      case SUM0 -> sum(call.getType(), BIGINT_SUM0, DECIMAL_SUM0, DOUBLE_SUM0);
      case MIN -> isComparedAsInJava(argument) ? Optional.of(MIN) : Optional.empty();
      case MAX -> isComparedAsInJava(argument) ? Optional.of(MAX) : Optional.empty();
      default -> Optional.empty();
    };
  }

  private static Optional<PartialResult> sum(
      RelDataType result, PartialResult toBigint, PartialResult toDecimal, PartialResult toDouble) {
    return switch (result.getSqlTypeName()) {
      case BIGINT -> Optional.of(toBigint);
      case DECIMAL -> Optional.of(toDecimal);
      case DOUBLE -> Optional.of(toDouble);
      default -> Optional.empty();
    };
  }

  /** Not so approximate numbers, of which NaN and -0.0 are compared in several ways. */
  private static boolean isComparedAsInJava(RelDataType type) {
    return SqlTypeUtil.isExactNumeric(type)
        || SqlTypeUtil.isDatetime(type)
        || SqlTypeUtil.inCharFamily(type);
  }

  @SuppressWarnings("unchecked") // both are of one SQL type, whose values can be compared
  private static int compare(Object first, Object second) {
    return ((Comparable<Object>) first).compareTo(second);
  }
}
