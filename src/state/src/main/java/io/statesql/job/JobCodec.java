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
import io.statesql.type.ObjectCodec;
import io.statesql.type.SqlType;
import io.statesql.type.StateInput;
import io.statesql.type.StateOutput;
import io.statesql.type.TruncatedValueException;
import io.statesql.type.UnwritableValueException;
import java.util.Arrays;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Values that a serializer of the job reads, as {@link ObjectText}. The serializer decides where a
 * value ends, so what stands behind it can be read too.
 */
final class JobCodec implements ObjectCodec {
  private final JobSerializer serializer;
  private final String note;
  private final SqlType.ObjectText type;
  private final int declaredLength;
  private final @Nullable Class<?> declared;

  /**
   * @param note see {@link ObjectCodec#note}
   * @throws JobCodeException if the serializer cannot say how long its values are
   */
  JobCodec(JobSerializer serializer, String note) throws JobCodeException {
    this.serializer = serializer;
    this.note = note;
    this.type = new SqlType.ObjectText(note + ", which cannot be written", /* isWritable= */ false);
    this.declaredLength = serializer.length();
    this.declared = serializer.declaredClass();
  }

  @Override
  public SqlType type() {
    return type;
  }

  @Override
  public String note() {
    return note;
  }

  @Override
  public void requireStored(byte[] bytes) {
    Object value;
    byte[] written;
    StateInput in = new StateInput(bytes);
    try {
      value = serializer.read(new JobInput(in), object -> object);
      written = value == null || in.remaining() > 0 ? new byte[0] : serializer.write(value);
    } catch (JobCodeException e) {
      throw new UnwritableValueException(
          "the job's own serializer cannot read its bytes: " + e.getMessage(), e);
    }
    if (value == null
        || (declared != null && !declared.isInstance(value))
        || !Arrays.equals(written, bytes)) {
      throw new UnwritableValueException(
          "its bytes are not what the job's own serializer writes of "
              + (declared == null ? "a value" : "a " + declared.getName()));
    }
  }

  @Override
  public byte[] bytesOf(String json) {
    try {
      byte[] bytes = serializer.write(serializer.parse(json));
      String shown = String.valueOf(read(new StateInput(bytes)));
      if (!ObjectParser.isSame(json, shown)) {
        throw new UnwritableValueException(
            "the job's own classes make something else of its text: "
                + shown
                + ObjectParser.ADVICE);
      }
      return bytes;
    } catch (JobCodeException e) {
      throw new UnwritableValueException(
          "the job's own classes make nothing of its text: " + e.getMessage(), e);
    }
  }

  @Override
  public @Nullable Object read(StateInput in) {
    int start = in.position();
    return deserialize(new JobInput(in), in, value -> shown(value, in, start));
  }

  /**
   * As {@link #read}; a value that the job's code cannot read, or does not read to its end, shows
   * as {@link UnreadableText}.
   */
  @Override
  public @Nullable Object readLast(StateInput in) {
    int start = in.position();
    try {
      Object text = read(in);
      return in.remaining() == 0
          ? text
          : unreadable(
              in,
              start,
              new StateSqlException(
                  ErrorCode.UNDECODABLE_STATE,
                  "A value cannot be read: its class in the jars is of another version, for it does"
                      + " not read the value to its end."));
    } catch (TruncatedValueException e) {
      return unreadable(
          in,
          start,
          new StateSqlException(
              ErrorCode.UNDECODABLE_STATE, "A value cannot be read: " + e.getMessage() + ".", e));
    } catch (StateSqlException e) {
      return unreadable(in, start, e);
    }
  }

  /** What the value shows in place of its object, which takes all bytes that are left. */
  private static String unreadable(StateInput in, int start, StateSqlException fault) {
    in.position(start);
    in.skip(in.remaining());
    return UnreadableText.of(fault, in, start);
  }

  /** The text of an object that was read, and so ends where the input stands. */
  private @Nullable String shown(@Nullable Object value, StateInput in, int start) {
    try {
      return serializer.text(value);
    } catch (JobCodeException e) {
      return UnreadableText.of(undecodable(e), in, start);
    } catch (StateSqlException e) {
      return UnreadableText.of(e, in, start);
    }
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
    Object unused = deserialize(bytes, in, value -> null);
    if (bytes.isExhausted()) {
      // It would have read on: where it ends is not known before all bytes are at hand.
      throw new TruncatedValueException(offset, 1, "a value has no end of its own");
    }
  }

  private @Nullable Object deserialize(
      JobInput bytes, StateInput in, Function<@Nullable Object, @Nullable Object> use) {
    long offset = in.offset();
    try {
      return serializer.read(bytes, use);
    } catch (JobCodeException e) {
      if (bytes.isExhausted()) {
        throw new TruncatedValueException(
            offset, 1, "the value does not end where it should (" + e.getMessage() + ")", e);
      }
      throw undecodable(e);
    }
  }

  private static StateSqlException undecodable(JobCodeException e) {
    return new StateSqlException(
        ErrorCode.UNDECODABLE_STATE, "A value cannot be read: " + e.getMessage() + ".", e);
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
