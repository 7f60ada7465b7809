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
import io.statesql.type.NullFlag;
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
 * An element count and elements: lists, sets and arrays. Its type is an {@link SqlType.Array}, its
 * values are unmodifiable lists. Opaque and undelimited as a whole when its elements have no known
 * end, or take no bytes at all (a stored count of those could not be checked against anything).
 *
 * <p>The value serializer of a LIST state is one of these; that state's bytes are elements, see
 * {@link #element}.
 */
public final class ListCodec implements Codec {
  private final Codec element;
  private final NullFlag nullFlag;
  private final SqlType type;
  private final int elementLength;

  /** Reads the whole instead, or null if elements can be told apart. */
  private final Codec whole;

  public ListCodec(Codec element, NullFlag nullFlag) {
    this.element = element;
    this.nullFlag = nullFlag;
    this.elementLength = nullFlag.length() + element.minimumLength();
    if (!element.isDelimited()) {
      this.whole = OpaqueCodec.undelimited(UndelimitedParts.reason(element));
    } else if (elementLength == 0) {
      this.whole = OpaqueCodec.undelimited("A collection of elements that take no bytes");
    } else {
      this.whole = null;
    }
    this.type =
        whole == null ? new SqlType.Array(RowShape.ofElement(element.type())) : whole.type();
  }

  /**
   * The bytes of elements that cannot be told apart, however they are parted, as one opaque value.
   *
   * @param element without a known end
   */
  public static Codec undelimited(Codec element) {
    return OpaqueCodec.undelimited(UndelimitedParts.reason(element));
  }

  /** Reads one element. */
  public Codec element() {
    return element;
  }

  @Override
  public SqlType type() {
    return type;
  }

  @Override
  public Object read(StateInput in) {
    if (whole != null) {
      return whole.read(in);
    }
    Object[] values = new Object[in.readCount(elementLength)];
    for (int i = 0; i < values.length; i++) {
      values[i] = nullFlag.isValueNext(in) ? element.read(in) : null;
    }
    return Collections.unmodifiableList(Arrays.asList(values));
  }

  @Override
  public void skip(StateInput in) {
    if (whole != null) {
      whole.skip(in);
      return;
    }
    int count = in.readCount(elementLength);
    for (int i = 0; i < count; i++) {
      if (nullFlag.isValueNext(in)) {
        element.skip(in);
      }
    }
  }

  @Override
  public void write(@Nullable Object value, StateOutput out) {
    if (whole != null) {
      throw new UnwritableValueException(whole.unwritable());
    }
    if (value == null) {
      throw new UnwritableValueException("a list that is stored within a value cannot be NULL");
    }
    List<?> values = (List<?>) value;
    out.writeInt(values.size());
    for (Object item : values) {
      boolean present = item != null || nullFlag == NullFlag.NONE;
      nullFlag.write(present, out);
      if (present) {
        element.write(item, out);
      }
    }
  }

  @Override
  public @Nullable String unwritable() {
    return whole == null ? element.unwritable() : whole.unwritable();
  }

  @Override
  public int declaredLength() {
    return -1;
  }

  @Override
  public int minimumLength() {
    return whole == null ? Integer.BYTES : whole.minimumLength();
  }

  @Override
  public boolean isDelimited() {
    return whole == null;
  }
}
