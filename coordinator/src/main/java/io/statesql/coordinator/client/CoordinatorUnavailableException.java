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
package io.statesql.coordinator.client;

import io.statesql.coordinator.CoordinatorException;

/** The coordinator could not be reached, or did not answer as one does. */
public final class CoordinatorUnavailableException extends CoordinatorException {
  private static final long serialVersionUID = 1L;

  CoordinatorUnavailableException(String message, Throwable cause) {
    super(message, cause);
  }
}
