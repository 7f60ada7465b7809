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

import io.statesql.type.BitMask;
import io.statesql.type.Codec;
import io.statesql.type.OpaqueCodec;
import io.statesql.type.RowShape;
import io.statesql.type.SqlType;
import io.statesql.type.StateInput;
import io.statesql.type.StateOutput;
import io.statesql.type.UndelimitedParts;
import io.statesql.type.UnwritableValueException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code LinkedListSerializer} (flink-table-runtime 2.3): the number of elements, a {@link BitMask}
 * of those that are null, and the others. The list of an {@code ARRAY_AGG}.
 */
public final class MaskedListCodec implements Codec {
  private final Codec element;

  /** The codec, or one of the bytes of all if elements of this type cannot be told apart. */
  public static Codec of(Codec element) {
    return element.isDelimited()
        ? new MaskedListCodec(element)
        : OpaqueCodec.undelimited(UndelimitedParts.reason(element));
  }

  private MaskedListCodec(Codec element) {
    this.element = element;
  }

  @Override
  public SqlType type() {
    return new SqlType.Array(RowShape.ofElement(element.type()));
  }

  @Override
  public Object read(StateInput in) {
    int count = in.readCount(0);
    BitMask nulls = BitMask.read(in, count);
    Object[] values = new Object[count];
    for (int i = 0; i < count; i++) {
      values[i] = nulls.get(i) ? null : element.read(in);
    }
    return Collections.unmodifiableList(Arrays.asList(values));
  }

  @Override
  public void skip(StateInput in) {
    int count = in.readCount(0);
    BitMask nulls = BitMask.read(in, count);
    for (int i = 0; i < count; i++) {
      if (!nulls.get(i)) {
        element.skip(in);
      }
    }
  }

  @Override
  public void write(@Nullable Object value, StateOutput out) {
    if (value == null) {
      throw new UnwritableValueException("a list that is stored within a value cannot be NULL");
    }
    List<?> values = (List<?>) value;
    BitMask nulls = BitMask.ofZeros(values.size());
    for (int i = 0; i < values.size(); i++) {
      nulls.set(i, values.get(i) == null);
    }
    out.writeInt(values.size());
    nulls.write(out);
    for (Object item : values) {
      if (item != null) {
        element.write(item, out);
      }
    }
  }

  @Override
  public @Nullable String unwritable() {
    return element.unwritable();
  }

  @Override
  public int declaredLength() {
    return -1;
  }

  @Override
  public int minimumLength() {
    return Integer.BYTES;
  }

  @Override
  public boolean isDelimited() {
    return true;
  }
}
