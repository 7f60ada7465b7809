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
package io.statesql.server;

import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import org.jspecify.annotations.Nullable;

/** Messages that say too little, or nonsense. */
final class Malformed {
  private Malformed() {}

  /**
   * A part that a message must have.
   *
   * @throws StateSqlException if it has it not
   */
  static <T> T required(@Nullable T value, String name) {
    if (value == null) {
      throw because("it lacks " + name, null);
    }
    return value;
  }

  /** What a client is told. */
  static StateSqlException because(String reason, @Nullable Throwable cause) {
    return new StateSqlException(
        ErrorCode.PROTOCOL_VIOLATION,
        "The message is not one of Avatica's protocol: " + reason + ".",
        cause);
  }
}
