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
package io.statesql.type.table;

import io.statesql.type.SqlType;
import io.statesql.type.UnwritableValueException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;

/**
 * Decimals: the unscaled number in the fixed part up to 18 digits; else as big-endian bytes at the
 * start of an area of 16.
 */
record BinaryDecimalForm(int precision, int scale) implements BinaryForm {
  /** The room that a decimal of more than 18 digits takes, and the most that its bytes can. */
  static final int AREA = 16;

  @Override
  public SqlType type() {
    return new SqlType.Decimal(precision, scale);
  }

  @Override
  public int width() {
    return Long.BYTES;
  }

  private boolean isCompact() {
    return BinaryForms.isCompactDecimal(precision);
  }

  @Override
  public Object read(BinarySection in, int at) {
    return isCompact()
        ? BigDecimal.valueOf(in.longAt(at), scale)
        : new BigDecimal(new BigInteger(unscaledBytes(in, at)), scale);
  }

  private static byte[] unscaledBytes(BinarySection in, int at) {
    int size = BinaryAreaForm.areaSize(in, at);
    if (size < 1 || size > AREA) {
      throw in.malformed(at, "a decimal cannot take " + size + " bytes");
    }
    return in.bytes(BinaryAreaForm.areaOffset(in, at), size);
  }

  @Override
  public void write(Object value, BinaryBuilder out, int at) {
    BigInteger unscaled = unscaled((BigDecimal) value, precision, scale);
    if (isCompact()) {
      out.putLong(at, unscaled.longValueExact());
    } else {
      put(unscaled.toByteArray(), out, at);
    }
  }

  private static void put(byte[] bytes, BinaryBuilder out, int at) {
    out.appendArea(at, Arrays.copyOf(bytes, AREA), AREA);
    // The length of the number stands there, not that of the area.
    out.putInt(at, bytes.length);
  }

  /**
   * The number that a decimal type stores for a value.
   *
   * @throws UnwritableValueException if the value has more digits than the type
   */
  static BigInteger unscaled(BigDecimal value, int precision, int scale) {
    try {
      BigDecimal scaled = value.setScale(scale);
      if (scaled.precision() <= precision) {
        return scaled.unscaledValue();
      }
    } catch (ArithmeticException e) {
      throw tooWide(value, precision, scale, e);
    }
    throw tooWide(value, precision, scale, null);
  }

  private static UnwritableValueException tooWide(
      BigDecimal value, int precision, int scale, Throwable cause) {
    return new UnwritableValueException(
        value + " does not fit into a DECIMAL(" + precision + ", " + scale + ")", cause);
  }

  @Override
  public int areaOfNull() {
    return isCompact() ? 0 : AREA;
  }

  @Override
  public void copy(BinarySection in, int at, BinaryBuilder out, int to) {
    if (isCompact()) {
      out.putLong(to, in.longAt(at));
    } else {
      put(unscaledBytes(in, at), out, to);
    }
  }
}
