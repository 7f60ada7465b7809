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
import io.statesql.type.MalformedValueException;
import io.statesql.type.RowShape;
import io.statesql.type.SqlType;
import io.statesql.type.StateInput;
import io.statesql.type.StateOutput;
import io.statesql.type.UnwritableValueException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An Avro map, whose keys are texts, see {@link AvroBlocks}. Its values are unmodifiable maps. */
final class AvroMapCodec implements Codec {
  private final Codec value;
  private final SqlType.MapOf type;

  AvroMapCodec(Codec value) {
    this.value = value;
    this.type = new SqlType.MapOf(SqlType.Scalar.VARCHAR, RowShape.ofElement(value.type()));
  }

  @Override
  public SqlType type() {
    return type;
  }

  @Override
  public Object read(StateInput in) {
    Map<Object, Object> entries = new LinkedHashMap<>();
    AvroBlocks.forEach(in, next -> readEntry(next, entries), more -> {});
    return Collections.unmodifiableMap(entries);
  }

  private void readEntry(StateInput in, Map<Object, Object> entries) {
    long offset = in.offset();
    String key = AvroInput.readText(in);
    if (entries.containsKey(key)) {
      throw new MalformedValueException(offset, "a map holds the key " + key + " twice");
    }
    entries.put(key, value.read(in));
  }

  @Override
  public void skip(StateInput in) {
    AvroBlocks.forEach(
        in,
        next -> {
          AvroInput.skipText(next);
          value.skip(next);
        },
        more -> {});
  }

  @Override
  public void write(@Nullable Object value, StateOutput out) {
    if (value == null) {
      throw new UnwritableValueException("it is NULL, for which its Avro schema has no branch");
    }
    Map<?, ?> entries = (Map<?, ?>) value;
    AvroOutput.writeBlockCount(entries.size(), out);
    entries.forEach(
        (key, item) -> {
          AvroOutput.writeText((String) key, out);
          this.value.write(item, out);
        });
    AvroOutput.writeBlockEnd(out);
  }

  @Override
  public @Nullable String unwritable() {
    return value.unwritable();
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
