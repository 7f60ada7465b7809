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
import org.jspecify.annotations.Nullable;

/** What another serializer writes, in all of a section. */
record BinaryRaw(Codec codec) implements BinaryContent {

  @Override
  public SqlType type() {
    return codec.type();
  }

  @Override
  public Object read(BinarySection in) {
    StateInput all = in.input(0, in.length());
    Object value = codec.readLast(all);
    all.requireEnd();
    return value;
  }

  @Override
  public BinaryBuilder write(Object value) {
    StateOutput out = new StateOutput();
    codec.write(value, out);
    BinaryBuilder bytes = new BinaryBuilder(out.length());
    bytes.putBytes(0, out.toByteArray());
    return bytes;
  }

  @Override
  public @Nullable String unwritable() {
    return codec.unwritable();
  }

  @Override
  public boolean isExact() {
    return false;
  }
}
