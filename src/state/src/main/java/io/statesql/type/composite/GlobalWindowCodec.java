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

import io.statesql.type.BasicCodecs;
import io.statesql.type.Codec;
import io.statesql.type.SqlType;
import io.statesql.type.StateInput;
import io.statesql.type.StateOutput;
import org.jspecify.annotations.Nullable;

/**
 * The one window that holds everything ({@code GlobalWindow.Serializer}, flink-runtime 2.3). One
 * zero byte, read as the text {@code GlobalWindow}.
 */
public final class GlobalWindowCodec implements Codec {
  public static final GlobalWindowCodec INSTANCE = new GlobalWindowCodec();

  private GlobalWindowCodec() {}

  @Override
  public SqlType type() {
    return SqlType.Scalar.VARCHAR;
  }

  @Override
  public Object read(StateInput in) {
    BasicCodecs.requireZero(in);
    return "GlobalWindow";
  }

  @Override
  public void skip(StateInput in) {
    BasicCodecs.requireZero(in);
  }

  @Override
  public void write(@Nullable Object value, StateOutput out) {
    out.writeByte(0);
  }

  @Override
  public int declaredLength() {
    return 1;
  }

  @Override
  public boolean isDelimited() {
    return true;
  }

  @Override
  public boolean isExact() {
    return true;
  }
}
