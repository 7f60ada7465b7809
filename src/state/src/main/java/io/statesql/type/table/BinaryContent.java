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

import io.statesql.type.Codec;
import io.statesql.type.SqlType;
import io.statesql.type.UnwritableValueException;
import org.jspecify.annotations.Nullable;

/** What fills a {@link BinarySection}. Immutable and thread-safe. */
interface BinaryContent {

  /** The SQL shape of what {@link #read} yields. */
  SqlType type();

  Object read(BinarySection in);

  /**
   * Makes the bytes of a value.
   *
   * @throws UnwritableValueException as {@link Codec#write}
   */
  BinaryBuilder write(Object value);

  /** As {@link Codec#unwritable}. */
  @Nullable String unwritable();

  /** As {@link BinaryForm#isExact}. */
  boolean isExact();
}
