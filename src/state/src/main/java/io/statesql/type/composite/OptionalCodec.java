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
package io.statesql.type.composite;

import io.statesql.type.BasicCodecs;
import io.statesql.type.Codec;
import io.statesql.type.CompositeCodec;
import io.statesql.type.KeyHash;
import io.statesql.type.NullFlag;
import io.statesql.type.SqlType;
import io.statesql.type.StateInput;
import io.statesql.type.StateOutput;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A null flag and, unless it says null, a value; null may be padded to the value's length. See
 * {@code NullableSerializer}, flink-core 2.3.
 */
public final class OptionalCodec implements CompositeCodec {
  private final Codec value;
  private final NullFlag nullFlag;
  private final int padding;

  /**
   * @param padding number of zero bytes that stand for a null value
   */
  public OptionalCodec(Codec value, NullFlag nullFlag, int padding) {
    this.value = value;
    this.nullFlag = nullFlag;
    this.padding = padding;
  }

  @Override
  public SqlType type() {
    return value.type();
  }

  @Override
  public Object read(StateInput in) {
    if (nullFlag.isValueNext(in)) {
      return value.read(in);
    }
    skipPadding(in);
    return null;
  }

  @Override
  public Object readLast(StateInput in) {
    if (nullFlag.isValueNext(in)) {
      return value.readLast(in);
    }
    skipPadding(in);
    return null;
  }

  @Override
  public void skip(StateInput in) {
    if (nullFlag.isValueNext(in)) {
      value.skip(in);
    } else {
      skipPadding(in);
    }
  }

  private void skipPadding(StateInput in) {
    for (int i = 0; i < padding; i++) {
      BasicCodecs.requireZero(in);
    }
  }

  @Override
  public void write(@Nullable Object newValue, StateOutput out) {
    nullFlag.write(newValue != null, out);
    if (newValue != null) {
      value.write(newValue, out);
    } else {
      out.writeBytes(new byte[padding]);
    }
  }

  @Override
  public @Nullable String unwritable() {
    return value.unwritable();
  }

  @Override
  public void splice(StateInput old, Object[] row, BitSet replaced, StateOutput out) {
    if (nullFlag.isValueNext(old)) {
      nullFlag.write(true, out);
      value.splice(old, row, replaced, out);
    } else {
      skipPadding(old);
      write(Arrays.stream(row).allMatch(Objects::isNull) ? null : row, out);
    }
  }

  @Override
  public @Nullable KeyHash keyHash() {
    return value.keyHash();
  }

  @Override
  public int declaredLength() {
    return padding > 0 ? nullFlag.length() + padding : -1;
  }

  @Override
  public boolean isDelimited() {
    return value.isDelimited();
  }

  @Override
  public Codec select(BitSet fields) {
    return new OptionalCodec(value.select(fields), nullFlag, padding);
  }

  @Override
  public Codec mapParts(UnaryOperator<Codec> replacement) {
    return new OptionalCodec(replacement.apply(value), nullFlag, padding);
  }

  @Override
  public boolean isExact() {
    return hasExactParts();
  }
}
