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
package io.statesql.type.kryo;

import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import java.math.BigDecimal;
import java.math.BigInteger;

/** Bounds numbers of any size to those that can be printed in reasonable time. */
public final class KryoNumbers {
  /** About 157,000 digits, more than any SQL database keeps. */
  private static final int MAX_BITS = 1 << 19;

  private KryoNumbers() {}

  /**
   * The number itself, unless it is too long to be printed.
   *
   * @throws StateSqlException with {@link ErrorCode#NUMERIC_OVERFLOW} if it is
   */
  public static Number checked(Number number) {
    BigInteger digits = null;
    if (number instanceof BigInteger integer) {
      digits = integer;
    } else if (number instanceof BigDecimal decimal) {
      digits = decimal.unscaledValue();
    }
    if (digits != null && digits.bitLength() > MAX_BITS) {
      throw new StateSqlException(
          ErrorCode.NUMERIC_OVERFLOW,
          "a number of "
              + digits.bitLength()
              + " bits is longer than the "
              + MAX_BITS
              + " allowed");
    }
    return number;
  }

  static BigDecimal decimal(Object number) {
    Number checked = checked((Number) number);
    return checked instanceof BigInteger integer ? new BigDecimal(integer) : (BigDecimal) checked;
  }
}
