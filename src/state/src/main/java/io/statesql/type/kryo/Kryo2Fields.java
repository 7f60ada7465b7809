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
package io.statesql.type.kryo;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.KryoException;

/** The fields of one object as the FieldSerializer of Kryo 2.24 writes them, one by one. */
record Kryo2Fields(Kryo kryo, KryoInput in) {

  boolean flag() {
    return in.readBoolean();
  }

  int byteNumber() {
    return in.readByte();
  }

  int shortNumber() {
    return in.readShort();
  }

  /** An int. */
  int number() {
    return in.readVarInt(false);
  }

  long longNumber() {
    return in.readVarLong(false);
  }

  double doubleNumber() {
    return in.readDouble();
  }

  /** The object in a field of a final class, which is not null. */
  <T> T object(Class<T> type) {
    return present(type.cast(kryo.readObjectOrNull(in, type)), type);
  }

  /** The object in a field of a class that others extend, which is not null. */
  <T> T any(Class<T> type) {
    Object value = anyOrNull();
    if (value != null && !type.isInstance(value)) {
      throw new KryoException(
          "a " + KryoContent.typeOf(value).getName() + " where a " + type.getName() + " must be");
    }
    return present(type.cast(value), type);
  }

  /** The object in a field that may hold any, with its stand-ins. */
  Object anyOrNull() {
    return kryo.readClassAndObject(in);
  }

  private static <T> T present(T value, Class<?> type) {
    if (value == null) {
      throw new KryoException(
          "a " + type.getName() + " is null within an object that never has it so");
    }
    return value;
  }
}
