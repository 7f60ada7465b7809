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

/** The coordinator refused a message: it would refuse it again. */
public final class CoordinatorRefusedException extends CoordinatorException {
  private static final long serialVersionUID = 1L;

  private final int status;

  CoordinatorRefusedException(int status, String message) {
    super(message);
    this.status = status;
  }

  /** The status of HTTP, 400 to 499. */
  public int status() {
    return status;
  }
}
