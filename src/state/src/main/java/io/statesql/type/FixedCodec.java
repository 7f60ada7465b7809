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

/** Values that always take the same number of bytes, which is also their declared length. */
public final class FixedCodec implements Codec {
  private final SqlType type;
  private final int length;
  private final Function<StateInput, Object> reader;

  private final ValueWriter writer;
  private final @Nullable KeyHash keyHash;

  public FixedCodec(
      SqlType type, int length, Function<StateInput, Object> reader, ValueWriter writer) {
    this(type, length, reader, writer, null);
  }

  private FixedCodec(
      SqlType type,
      int length,
      Function<StateInput, Object> reader,
      ValueWriter writer,
      @Nullable KeyHash keyHash) {
    this.type = type;
    this.length = length;
    this.reader = reader;
    this.writer = writer;
    this.keyHash = keyHash;
  }

  /** The same codec, of keys with such hash codes. */
  public FixedCodec hashedBy(KeyHash newKeyHash) {
    return new FixedCodec(type, length, reader, writer, newKeyHash);
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
  public void write(@Nullable Object value, StateOutput out) {
    writer.write(value, out);
  }

  @Override
  public @Nullable KeyHash keyHash() {
    return keyHash;
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

  @Override
  public boolean isExact() {
    return ExactTypes.isExact(type);
  }

  @Override
  public boolean hasFixedForm() {
    return true;
  }
}
