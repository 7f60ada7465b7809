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

/** Values that always take the same number of bytes, which is also their declared length. */
final class FixedCodec implements Codec {
  private final SqlType type;
  private final int length;
  private final Function<StateInput, Object> reader;

  FixedCodec(SqlType type, int length, Function<StateInput, Object> reader) {
    this.type = type;
    this.length = length;
    this.reader = reader;
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
    in.skip(length);
  }

  @Override
  public int declaredLength() {
    return length;
  }

  @Override
  public int minimumLength() {
    return length;
  }

  @Override
  public boolean isDelimited() {
    return true;
  }
}
