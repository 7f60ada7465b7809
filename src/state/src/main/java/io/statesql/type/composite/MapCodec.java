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
import io.statesql.type.MalformedValueException;
import io.statesql.type.NullFlag;
import io.statesql.type.OpaqueCodec;
import io.statesql.type.RowShape;
import io.statesql.type.SqlType;
import io.statesql.type.StateInput;
import io.statesql.type.StateOutput;
import io.statesql.type.UndelimitedParts;
import io.statesql.type.UnwritableValueException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An entry count and entries of a key, a null flag and a value. Its type is an {@link
 * SqlType.MapOf}, its values are unmodifiable maps in stored order. Keys that are rows are {@code
 * Object[]} and so compare by identity. Opaque and undelimited as a whole when its keys or values
 * have no known end.
 *
 * <p>The value serializer of a MAP state is one of these; that state's bytes are user keys and,
 * each after {@code boolean isNull}, user values: see {@link #key} and {@link #value}.
 */
public final class MapCodec implements Codec {
  private final Codec key;
  private final Codec value;
  private final SqlType type;
  private final int entryLength;

  /** Reads the whole instead, or null if entries can be told apart. */
  private final Codec whole;

  public MapCodec(Codec key, Codec value) {
    this.key = key;
    this.value = value;
    this.entryLength = key.minimumLength() + NullFlag.IS_NULL.length();
    if (!key.isDelimited()) {
      this.whole = OpaqueCodec.undelimited(UndelimitedParts.reason(key));
    } else if (!value.isDelimited()) {
      this.whole = OpaqueCodec.undelimited(UndelimitedParts.reason(value));
    } else {
      this.whole = null;
    }
    this.type =
        whole == null
            ? new SqlType.MapOf(RowShape.ofElement(key.type()), RowShape.ofElement(value.type()))
            : whole.type();
  }

  /** Reads one key. */
  public Codec key() {
    return key;
  }

  /** Reads one value, after the flag that says whether it is null. */
  public Codec value() {
    return value;
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
    int count = in.readCount(entryLength);
    Map<Object, Object> entries = new LinkedHashMap<>();
    for (int i = 0; i < count; i++) {
      long offset = in.offset();
      Object entryKey = key.read(in);
      if (entries.containsKey(entryKey)) {
        throw new MalformedValueException(offset, "a map holds the key " + entryKey + " twice");
      }
      entries.put(entryKey, NullFlag.IS_NULL.isValueNext(in) ? value.read(in) : null);
    }
    return Collections.unmodifiableMap(entries);
  }

  @Override
  public void skip(StateInput in) {
    if (whole != null) {
      whole.skip(in);
      return;
    }
    int count = in.readCount(entryLength);
    for (int i = 0; i < count; i++) {
      key.skip(in);
      if (NullFlag.IS_NULL.isValueNext(in)) {
        value.skip(in);
      }
    }
  }

  @Override
  public void write(@Nullable Object value, StateOutput out) {
    if (whole != null) {
      throw new UnwritableValueException(whole.unwritable());
    }
    if (value == null) {
      throw new UnwritableValueException("a map that is stored within a value cannot be NULL");
    }
    Map<?, ?> entries = (Map<?, ?>) value;
    out.writeInt(entries.size());
    entries.forEach(
        (entryKey, entryValue) -> {
          key.write(entryKey, out);
          NullFlag.IS_NULL.write(entryValue != null, out);
          if (entryValue != null) {
            this.value.write(entryValue, out);
          }
        });
  }

  @Override
  public @Nullable String unwritable() {
    if (whole != null) {
      return whole.unwritable();
    }
    String ofKey = key.unwritable();
    return ofKey != null ? ofKey : value.unwritable();
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
