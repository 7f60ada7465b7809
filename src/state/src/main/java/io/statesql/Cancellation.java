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
package io.statesql;

/**
 * Tells whoever works for a statement when to stop. Cheap enough to ask for each row. Safe for use
 * by many threads.
 */
@FunctionalInterface
public interface Cancellation {
  /** For work that nobody cancels. */
  Cancellation NEVER = () -> {};

  /**
   * Returns as long as the result is still wanted.
   *
   * @throws StateSqlException with {@link ErrorCode#CANCELED} once it is not
   */
  void check();
}
