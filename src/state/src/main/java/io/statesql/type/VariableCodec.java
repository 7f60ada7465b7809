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

import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Values without parts whose bytes say where they end. */
public final class VariableCodec implements Codec {
  private final SqlType type;
  private final int minimumLength;
  private final Function<StateInput, Object> reader;
  private final Consumer<StateInput> skipper;
  private final ValueWriter writer;
  private final @Nullable KeyHash keyHash;

  public VariableCodec(
      SqlType type,
      int minimumLength,
      Function<StateInput, Object> reader,
      Consumer<StateInput> skipper,
      ValueWriter writer) {
    this(type, minimumLength, reader, skipper, writer, null);
  }

  private VariableCodec(
      SqlType type,
      int minimumLength,
      Function<StateInput, Object> reader,
      Consumer<StateInput> skipper,
      ValueWriter writer,
      @Nullable KeyHash keyHash) {
    this.type = type;
    this.minimumLength = minimumLength;
    this.reader = reader;
    this.skipper = skipper;
    this.writer = writer;
    this.keyHash = keyHash;
  }

  /** The same codec, of keys with such hash codes. */
  public VariableCodec hashedBy(KeyHash newKeyHash) {
    return new VariableCodec(type, minimumLength, reader, skipper, writer, newKeyHash);
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
    skipper.accept(in);
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
    return -1;
  }

  @Override
  public int minimumLength() {
    return minimumLength;
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
