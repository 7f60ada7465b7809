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
package io.statesql.job;

import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import io.statesql.type.Codec;
import io.statesql.type.SqlType;
import io.statesql.type.StateInput;
import io.statesql.type.StateOutput;
import io.statesql.type.TruncatedValueException;
import io.statesql.type.UnwritableValueException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Values that a serializer of the job reads, as {@link ObjectText}. The serializer decides where a
 * value ends, so what stands behind it can be read too.
 */
final class JobCodec implements Codec {
  private final JobSerializer serializer;
  private final SqlType.ObjectText type;
  private final int declaredLength;
  private final @Nullable Class<?> declared;

  /**
   * @param note says what reads the values
   * @throws JobCodeException if the serializer cannot say how long its values are
   */
  JobCodec(JobSerializer serializer, String note) throws JobCodeException {
    this.serializer = serializer;
    this.type = new SqlType.ObjectText(note);
    this.declaredLength = serializer.length();
    this.declared = serializer.declaredClass();
  }

  @Override
  public SqlType type() {
    return type;
  }

  @Override
  public @Nullable Object read(StateInput in) {
    return read(new JobInput(in), in, value -> ObjectText.of(value, declared));
  }

  /**
   * Reads and forgets the value.
   *
   * @throws StateSqlException if the job's code cannot read it, so that its end is not known
   */
  @Override
  public void skip(StateInput in) {
    long offset = in.offset();
    JobInput bytes = new JobInput(in);
    Object unused = read(bytes, in, value -> null);
    if (bytes.isExhausted()) {
      // It would have read on: where it ends is not known before all bytes are at hand.
      throw new TruncatedValueException(offset, 1, "a value has no end of its own");
    }
  }

  private @Nullable Object read(
      JobInput bytes, StateInput in, Function<@Nullable Object, @Nullable Object> use) {
    long offset = in.offset();
    try {
      return serializer.read(bytes, use);
    } catch (JobCodeException e) {
      if (bytes.isExhausted()) {
        throw new TruncatedValueException(
            offset, 1, "the value does not end where it should (" + e.getMessage() + ")", e);
      }
      throw new StateSqlException(
          ErrorCode.UNDECODABLE_STATE, "A value cannot be read: " + e.getMessage() + ".", e);
    }
  }

  @Override
  public void write(@Nullable Object value, StateOutput out) {
    throw new UnwritableValueException(unwritable());
  }

  @Override
  public String unwritable() {
    return "it cannot be written: " + type.note();
  }

  @Override
  public int declaredLength() {
    return declaredLength;
  }

  @Override
  public boolean isDelimited() {
    return true;
  }
}
