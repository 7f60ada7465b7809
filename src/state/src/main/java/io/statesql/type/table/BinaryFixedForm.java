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

import io.statesql.type.ExactTypes;
import io.statesql.type.SqlType;

/**
 * Values that lie in the fixed part as a whole.
 *
 * @param width of the value, from the first byte on
 * @param javaType of the value, see {@link SqlType}
 */
record BinaryFixedForm<T>(
    SqlType type, int width, Class<T> javaType, Reader<T> reader, Writer<T> writer)
    implements BinaryForm {

  /** Reads a value at a place. */
  @FunctionalInterface
  interface Reader<T> {
    T read(BinarySection in, int at);
  }

  /** Writes a value at a place. */
  @FunctionalInterface
  interface Writer<T> {
    void write(T value, BinaryBuilder out, int at);
  }

  @Override
  public Object read(BinarySection in, int at) {
    return reader.read(in, at);
  }

  @Override
  public void write(Object value, BinaryBuilder out, int at) {
    writer.write(javaType.cast(value), out, at);
  }

  @Override
  public boolean isExact() {
    return ExactTypes.isExact(type);
  }
}
