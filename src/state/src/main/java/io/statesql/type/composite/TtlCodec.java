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

import io.statesql.type.Codec;
import io.statesql.type.CompositeCodec;
import io.statesql.type.SqlType;
import io.statesql.type.StateInput;
import io.statesql.type.StateOutput;
import io.statesql.type.UnwritableValueException;
import java.util.BitSet;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A value with the time of its last access, as state with a time to live stores it ({@code
 * TtlStateFactory.TtlSerializer}, flink-runtime 2.3): in a VALUE state around the whole, in a LIST
 * around each element, in a MAP around each user value. {@link #read} yields the value alone.
 */
public final class TtlCodec implements CompositeCodec {
  private final Codec value;

  public TtlCodec(Codec value) {
    this.value = value;
  }

  /**
   * Reads the time of last access, milliseconds since the epoch by the clock of the job. What
   * follows it in the input is the {@link #value}.
   */
  public long readLastAccess(StateInput in) {
    return in.readLong();
  }

  /** Reads the value that follows the time of last access. */
  public Codec value() {
    return value;
  }

  @Override
  public SqlType type() {
    return value.type();
  }

  @Override
  public Object read(StateInput in) {
    in.skip(Long.BYTES);
    return value.read(in);
  }

  @Override
  public Object readLast(StateInput in) {
    in.skip(Long.BYTES);
    return value.readLast(in);
  }

  @Override
  public void skip(StateInput in) {
    in.skip(Long.BYTES);
    value.skip(in);
  }

  @Override
  public void write(@Nullable Object value, StateOutput out) {
    throw new UnwritableValueException(unwritable());
  }

  @Override
  public String unwritable() {
    return "the time of its last access is not known";
  }

  /** Writes the value behind the time at which it was last accessed, in epoch milliseconds. */
  public void write(long lastAccess, @Nullable Object newValue, StateOutput out) {
    out.writeLong(lastAccess);
    value.write(newValue, out);
  }

  /** As {@link Codec#splice} of the value, behind the old time of last access. */
  @Override
  public void splice(StateInput old, Object[] row, BitSet replaced, StateOutput out) {
    out.writeLong(old.readLong());
    value.splice(old, row, replaced, out);
  }

  @Override
  public int declaredLength() {
    return value.declaredLength() < 0 ? -1 : Long.BYTES + value.declaredLength();
  }

  @Override
  public int minimumLength() {
    return Long.BYTES + value.minimumLength();
  }

  @Override
  public boolean isDelimited() {
    return value.isDelimited();
  }

  @Override
  public Codec select(BitSet fields) {
    return new TtlCodec(value.select(fields));
  }

  @Override
  public Codec mapParts(UnaryOperator<Codec> replacement) {
    return new TtlCodec(replacement.apply(value));
  }
}
