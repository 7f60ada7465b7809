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

import io.statesql.type.RowShape;
import io.statesql.type.SqlType;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code BinaryArrayData} (flink-table-common 2.3): four bytes of length, a bit for each null, in
 * words of four bytes, the elements, and their areas. Values are unmodifiable lists.
 */
record BinaryArray(BinaryForm element) implements BinaryContent {

  /** Where the bits of nulls begin. */
  private static final int NULLS = Integer.BYTES;

  @Override
  public SqlType type() {
    return new SqlType.Array(RowShape.ofElement(element.type()));
  }

  @Override
  public List<Object> read(BinarySection in) {
    int count = in.intAt(0);
    long first = headerLength(count);
    if (count < 0 || first + (long) count * element.width() > in.length()) {
      throw in.malformed(
          0, "an array of " + count + " elements does not fit into " + in.length() + " bytes");
    }
    Object[] values = new Object[count];
    for (int i = 0; i < count; i++) {
      if (!in.bitAt(NULLS, i)) {
        values[i] = element.read(in, (int) first + i * element.width());
      }
    }
    return Collections.unmodifiableList(Arrays.asList(values));
  }

  private static long headerLength(long count) {
    return NULLS + (count + Integer.SIZE - 1) / Integer.SIZE * Integer.BYTES;
  }

  @Override
  public BinaryBuilder write(Object value) {
    List<?> values = (List<?>) value;
    int count = values.size();
    long first = headerLength(count);
    BinaryBuilder out =
        new BinaryBuilder(BinaryBuilder.roundedUp(first + (long) count * element.width()));
    out.putInt(0, count);
    for (int i = 0; i < count; i++) {
      Object item = values.get(i);
      if (element.isNull(item)) {
        out.setBit(NULLS, i);
      } else {
        element.write(item, out, (int) first + i * element.width());
      }
    }
    return out;
  }

  @Override
  public @Nullable String unwritable() {
    return element.unwritable();
  }

  @Override
  public boolean isExact() {
    return false;
  }
}
