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
package io.statesql.change;

import io.statesql.ErrorCode;
import io.statesql.ScanContext;
import io.statesql.StateSqlException;
import io.statesql.format.model.KeyedStateMeta;
import io.statesql.format.model.StateMeta;
import io.statesql.snapshot.Bytes;
import io.statesql.type.Codec;

/** Makes stored bytes of single values, for changes that come otherwise than by a statement. */
public final class ValueEncoder {
  private ValueEncoder() {}

  /**
   * The bytes that a serializer writes for a value.
   *
   * @param name of the value, for messages
   * @param value as the engine holds it; of numbers any that the type can hold without a loss
   * @throws StateSqlException with {@link ErrorCode#UNWRITABLE_VALUE} if the type cannot hold it
   */
  public static Bytes encode(String name, Codec codec, Object value) {
    try {
      return PartEncoder.encode(codec, name, ValueConversion.convert(name, codec.type(), value));
    } catch (RefusedValueException e) {
      throw refused(e);
    }
  }

  /** A value as the codec holds it; throws as {@link #encode}. */
  public static Object convert(String name, Codec codec, Object value) {
    try {
      return ValueConversion.convert(name, codec.type(), value);
    } catch (RefusedValueException e) {
      throw refused(e);
    }
  }

  /** The bytes of a value behind the time of its last access, where the state keeps that. */
  public static Bytes timed(StateMeta state, Bytes bare, long time) {
    return Encoders.timed(state, bare, time);
  }

  /**
   * The key group in which the job will look for a new key.
   *
   * @param state one that has such keys
   * @param key as its codec reads it
   * @throws StateSqlException with {@link ErrorCode#UNWRITABLE_VALUE} if it cannot be known
   */
  public static int keyGroup(
      ChangedOperator operator, KeyedStateMeta state, Object key, ScanContext scan) {
    try {
      return new KeyGrouping(operator, scan).of(state, key);
    } catch (RefusedValueException e) {
      throw refused(e);
    }
  }

  private static StateSqlException refused(RefusedValueException e) {
    String where = e.column() == null ? "" : e.column() + ": ";
    return new StateSqlException(
        ErrorCode.UNWRITABLE_VALUE, "Nothing was changed: " + where + e.getMessage() + ".", e);
  }
}
