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

import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Writes values of a type without parts. */
@FunctionalInterface
public interface ValueWriter {
  /** As {@link Codec#write}. */
  void write(@Nullable Object value, StateOutput out);

  /** Of a type that has no form for null. */
  static <T> ValueWriter of(Class<T> type, BiConsumer<T, StateOutput> writer) {
    return nullable(
        type,
        out -> {
          throw new UnwritableValueException("it is NULL, for which its stored type has no form");
        },
        writer);
  }

  /** Of a type whose null has a form of its own. */
  static <T> ValueWriter nullable(
      Class<T> type, Consumer<StateOutput> nullForm, BiConsumer<T, StateOutput> writer) {
    return (value, out) -> {
      if (value == null) {
        nullForm.accept(out);
      } else {
        writer.accept(type.cast(value), out);
      }
    };
  }

  /** Of a type with one value, whatever SQL shows for it. */
  static ValueWriter constant(@Nullable Object shown, Consumer<StateOutput> form) {
    return (value, out) -> {
      if (value != null && !value.equals(shown)) {
        throw new UnwritableValueException("its stored type has no value but " + shown);
      }
      form.accept(out);
    };
  }
}
