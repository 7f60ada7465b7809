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
import io.statesql.type.UnwritableValueException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A window from a time to another ({@code TimeWindow.Serializer}, flink-runtime 2.3). Read as a row
 * of {@code start} and {@code end}, both BIGINT: milliseconds since the epoch, of which a window
 * may hold any, also those that a TIMESTAMP cannot show.
 */
public final class TimeWindowCodec implements Codec {
  public static final TimeWindowCodec INSTANCE = new TimeWindowCodec();

  private static final SqlType.Row TYPE =
      new SqlType.Row(
          List.of(
              new SqlType.Field("start", SqlType.Scalar.BIGINT),
              new SqlType.Field("end", SqlType.Scalar.BIGINT)),
          false);

  private TimeWindowCodec() {}

  @Override
  public SqlType.Row type() {
    return TYPE;
  }

  @Override
  public Object[] read(StateInput in) {
    return new Object[] {in.readLong(), in.readLong()};
  }

  @Override
  public void skip(StateInput in) {
    in.skip(declaredLength());
  }

  @Override
  public void write(@Nullable Object value, StateOutput out) {
    if (value == null) {
      throw new UnwritableValueException("a window has a start and an end");
    }
    for (Object bound : (Object[]) value) {
      BasicCodecs.LONG.write(bound, out);
    }
  }

  @Override
  public int declaredLength() {
    return Long.BYTES + Long.BYTES;
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
