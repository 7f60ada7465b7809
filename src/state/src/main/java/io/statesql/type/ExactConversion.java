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
package io.statesql.type;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * Numbers as values of other types, without loss. An approximate number holds an integer, or
 * another approximate number, if it is the very same; and it holds all digits of which it is the
 * text, so that the decimal 0.1 is the DOUBLE that prints as 0.1.
 */
public final class ExactConversion {
  private ExactConversion() {}

  /** The REAL that holds a number; null if none does. */
  public static @Nullable Float real(Number value) {
    float nearest = value.floatValue();
    return isSame(value, nearest) ? (Float) nearest : null;
  }

  /** The DOUBLE that holds a number; null if none does. */
  public static @Nullable Double doubleOf(Number value) {
    double nearest = value.doubleValue();
    return isSame(value, nearest) ? (Double) nearest : null;
  }

  /**
   * All digits of a number: of an approximate one those of its value, of which its text shows some.
   *
   * @throws NumberFormatException of NaN and infinities
   */
  public static BigDecimal decimal(Number value) {
    return isApproximate(value)
        ? new BigDecimal(value.doubleValue())
        : new BigDecimal(value.toString());
  }

  private static boolean isSame(Number value, Number nearest) {
    if (isApproximate(value) && !Double.isFinite(value.doubleValue())) {
      return true;
    }
    if (!Double.isFinite(nearest.doubleValue())) {
      return false;
    }
    return decimal(nearest).compareTo(decimal(value)) == 0
        || (!isInteger(value)
            && new BigDecimal(nearest.toString()).compareTo(new BigDecimal(value.toString())) == 0);
  }

  private static boolean isApproximate(Number value) {
    return value instanceof Double || value instanceof Float;
  }

  private static boolean isInteger(Number value) {
    return value instanceof Byte
        || value instanceof Short
        || value instanceof Integer
        || value instanceof Long;
  }
}
