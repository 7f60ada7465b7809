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
import org.jspecify.annotations.Nullable;

/**
 * Where an accumulator had its list or map, if that is a state of its own: a raw value of the one
 * byte that {@code NullSerializer} (flink-table-common 2.3) writes. A VARCHAR that is always null.
 */
enum BinaryDataViewForm implements BinaryForm {
  INSTANCE;

  private static final byte[] STORED = {0};

  @Override
  public SqlType type() {
    return SqlType.Scalar.VARCHAR;
  }

  @Override
  public int width() {
    return Long.BYTES;
  }

  @Override
  public @Nullable Object read(BinarySection in, int at) {
    if (BinaryAreaForm.areaSize(in, at) != STORED.length
        || in.byteAt(BinaryAreaForm.areaOffset(in, at)) != STORED[0]) {
      throw in.malformed(at, "a data view that is a state of its own has a value here");
    }
    return null;
  }

  /** Flink stores it as a value, not as a null of the row. */
  @Override
  public boolean isNull(@Nullable Object value) {
    return false;
  }

  @Override
  public void write(@Nullable Object value, BinaryBuilder out, int at) {
    if (value != null) {
      throw new UnwritableValueException(
          "the list or map of an accumulator is a state of its own; here it is always NULL");
    }
    out.appendArea(at, STORED, STORED.length);
  }

  @Override
  public void copy(BinarySection in, int at, BinaryBuilder out, int to) {
    BinaryAreaForm.copyArea(in, at, out, to);
  }
}
