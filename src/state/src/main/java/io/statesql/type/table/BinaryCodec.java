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

import io.statesql.type.Codec;
import io.statesql.type.SqlType;
import io.statesql.type.StateInput;
import io.statesql.type.StateOutput;
import io.statesql.type.UnwritableValueException;
import org.jspecify.annotations.Nullable;

/**
 * A value of Flink SQL behind its length in four bytes: arrays, maps, multisets and raw values
 * ({@code ArrayDataSerializer} and its kin, flink-table-runtime 2.3).
 */
record BinaryCodec(BinaryContent content) implements Codec {

  @Override
  public SqlType type() {
    return content.type();
  }

  @Override
  public Object read(StateInput in) {
    return content.read(BinarySection.read(in));
  }

  @Override
  public void skip(StateInput in) {
    in.skip(in.readCount(1));
  }

  @Override
  public void write(@Nullable Object value, StateOutput out) {
    if (value == null) {
      throw new UnwritableValueException("it is NULL, for which its stored type has no form");
    }
    content.write(value).writeTo(out);
  }

  @Override
  public @Nullable String unwritable() {
    return content.unwritable();
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
