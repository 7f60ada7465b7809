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

import io.statesql.type.Codec;
import io.statesql.type.CompositeCodec;
import io.statesql.type.FixedCodec;
import io.statesql.type.ForwardingCodec;
import io.statesql.type.SqlType;
import io.statesql.type.StateInput;
import io.statesql.type.StoredField;
import io.statesql.type.ValueWriter;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * A registered timer ({@code TimerSerializer}, flink-runtime 2.3): its time with the sign bit
 * flipped, its key, its namespace. Read as a row of {@code timer_timestamp} (BIGINT, milliseconds
 * since the epoch, any value), {@code key} and {@code namespace}.
 */
public final class TimerCodec extends ForwardingCodec implements CompositeCodec {
  /** A time whose sign bit is flipped, so that unsigned byte order is time order. */
  public static final Codec FLIPPED_LONG =
      new FixedCodec(
          SqlType.Scalar.BIGINT,
          Long.BYTES,
          in -> in.readLong() ^ Long.MIN_VALUE,
          ValueWriter.of(Long.class, (value, out) -> out.writeLong(value ^ Long.MIN_VALUE)));

  private final Codec key;
  private final Codec namespace;
  private final StructCodec fields;

  public TimerCodec(Codec key, Codec namespace) {
    this.key = key;
    this.namespace = namespace;
    this.fields =
        new StructCodec(
            List.of(
                new StoredField("timer_timestamp", FLIPPED_LONG),
                new StoredField("key", key),
                new StoredField("namespace", namespace)),
            key.declaredLength() >= 0 && namespace.declaredLength() >= 0
                ? Long.BYTES + key.declaredLength() + namespace.declaredLength()
                : -1);
  }

  /**
   * Reads the time of the timer, milliseconds since the epoch. What follows it in the input is the
   * {@link #key} and then the {@link #namespace}.
   */
  public long readTimestamp(StateInput in) {
    return in.readLong() ^ Long.MIN_VALUE;
  }

  public Codec key() {
    return key;
  }

  public Codec namespace() {
    return namespace;
  }

  @Override
  public Codec delegate() {
    return fields;
  }

  @Override
  public Codec mapParts(UnaryOperator<Codec> replacement) {
    return new TimerCodec(replacement.apply(key), replacement.apply(namespace));
  }
}
