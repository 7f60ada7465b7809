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
package io.statesql.type;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A value that takes all bytes that are left: to be put within something that knows its end. */
public final class RestCodec implements Codec {
  private final SqlType type;
  private final Function<StateInput, Object> reader;
  private final ValueWriter writer;

  /**
   * @param reader reads all bytes that are left
   */
  public RestCodec(SqlType type, Function<StateInput, Object> reader, ValueWriter writer) {
    this.type = type;
    this.reader = reader;
    this.writer = writer;
  }

  @Override
  public SqlType type() {
    return type;
  }

  @Override
  public Object read(StateInput in) {
    return reader.apply(in);
  }

  @Override
  public void skip(StateInput in) {
    in.skip(in.remaining());
  }

  @Override
  public void write(@Nullable Object value, StateOutput out) {
    writer.write(value, out);
  }

  @Override
  public int declaredLength() {
    return -1;
  }

  @Override
  public int minimumLength() {
    return 0;
  }

  @Override
  public boolean isDelimited() {
    return false;
  }
}
