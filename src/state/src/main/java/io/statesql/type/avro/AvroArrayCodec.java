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
package io.statesql.type.avro;

import io.statesql.type.Codec;
import io.statesql.type.RowShape;
import io.statesql.type.SqlType;
import io.statesql.type.StateInput;
import io.statesql.type.StateOutput;
import io.statesql.type.UnwritableValueException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An Avro array, see {@link AvroBlocks}. Its values are unmodifiable lists. */
final class AvroArrayCodec implements Codec {
  private final Codec element;
  private final SqlType.Array type;

  AvroArrayCodec(Codec element) {
    this.element = element;
    this.type = new SqlType.Array(RowShape.ofElement(element.type()));
  }

  @Override
  public SqlType type() {
    return type;
  }

  @Override
  public Object read(StateInput in) {
    List<Object> elements = new ArrayList<>();
    long[] repeated = {0};
    AvroBlocks.forEach(in, next -> elements.add(element.read(next)), more -> repeated[0] += more);
    if (repeated[0] == 0) {
      return Collections.unmodifiableList(elements);
    }
    long size = elements.size() + repeated[0];
    if (size > Integer.MAX_VALUE) {
      throw in.malformed("an array cannot have %d elements", size);
    }
    return Collections.nCopies((int) size, elements.get(0));
  }

  @Override
  public void skip(StateInput in) {
    AvroBlocks.forEach(in, element::skip, more -> {});
  }

  @Override
  public void write(@Nullable Object value, StateOutput out) {
    if (value == null) {
      throw new UnwritableValueException("it is NULL, for which its Avro schema has no branch");
    }
    List<?> elements = (List<?>) value;
    AvroOutput.writeBlockCount(elements.size(), out);
    elements.forEach(item -> element.write(item, out));
    AvroOutput.writeBlockEnd(out);
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
  public boolean isDelimited() {
    return true;
  }
}
