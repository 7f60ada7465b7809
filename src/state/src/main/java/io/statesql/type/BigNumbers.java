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
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/**
 * The forms of {@code BigIntSerializer} and {@code BigDecSerializer} (flink-core 2.3): an int that
 * is 0 for null, 1 to 3 for zero, one and ten, else the number of two's-complement bytes plus 4; a
 * decimal's scale follows its unscaled value unless that is null.
 */
public final class BigNumbers {
  private static final int NULL = 0;
  private static final int ZERO = 1;
  private static final int ONE = 2;
  private static final int TEN = 3;
  private static final int LENGTH_BIAS = 4;

  private BigNumbers() {}

  public static BigDecimal readInteger(StateInput in) {
    BigInteger value = readUnscaled(in);
    return value == null ? null : new BigDecimal(value);
  }

  public static void skipInteger(StateInput in) {
    skipUnscaled(in);
  }

  public static BigDecimal readDecimal(StateInput in) {
    BigInteger unscaled = readUnscaled(in);
    return unscaled == null ? null : new BigDecimal(unscaled, in.readInt());
  }

  public static void skipDecimal(StateInput in) {
    if (skipUnscaled(in)) {
      in.skip(Integer.BYTES);
    }
  }

  public static void writeInteger(@Nullable BigDecimal value, StateOutput out) {
    writeUnscaled(value == null ? null : integer(value), out);
  }

  /**
   * The whole number that a value is.
   *
   * @throws UnwritableValueException if it is none
   */
  public static BigInteger integer(BigDecimal value) {
    if (value.scale() == 0) {
      // The very object that was read: zero, one and ten have two forms, by their identity.
      return value.unscaledValue();
    }
    try {
      return value.toBigIntegerExact();
    } catch (ArithmeticException e) {
      throw new UnwritableValueException(value + " is no whole number", e);
    }
  }

  public static void writeDecimal(@Nullable BigDecimal value, StateOutput out) {
    if (value == null) {
      writeUnscaled(null, out);
    } else {
      writeUnscaled(value.unscaledValue(), out);
      out.writeInt(value.scale());
    }
  }

  /** As Flink does, which knows zero, one and ten by their identity alone. */
  @SuppressWarnings("ReferenceEquality")
  private static void writeUnscaled(@Nullable BigInteger value, StateOutput out) {
    if (value == null) {
      out.writeInt(NULL);
    } else if (value == BigInteger.ZERO) {
      out.writeInt(ZERO);
    } else if (value == BigInteger.ONE) {
      out.writeInt(ONE);
    } else if (value == BigInteger.TEN) {
      out.writeInt(TEN);
    } else {
      byte[] bytes = value.toByteArray();
      out.writeInt(bytes.length + LENGTH_BIAS);
      out.writeBytes(bytes);
    }
  }

  private static BigInteger readUnscaled(StateInput in) {
    int head = in.readInt();
    return switch (head) {
      case NULL -> null;
      case ZERO -> BigInteger.ZERO;
      case ONE -> BigInteger.ONE;
      case TEN -> BigInteger.TEN;
      default -> new BigInteger(in.readBytes(magnitudeLength(in, head)));
    };
  }

  /** Returns whether the number is not null. */
  private static boolean skipUnscaled(StateInput in) {
    int head = in.readInt();
    if (head < NULL || head > TEN) {
      in.skip(magnitudeLength(in, head));
    }
    return head != NULL;
  }

  private static int magnitudeLength(StateInput in, int head) {
    if (head <= LENGTH_BIAS) {
      throw in.malformed("%d is not the length of a number", head);
    }
    return head - LENGTH_BIAS;
  }
}
