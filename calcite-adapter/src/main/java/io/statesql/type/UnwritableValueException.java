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

/**
 * A value that the stored type cannot hold, or that cannot be written without a class of the job.
 * Its message completes the sentence "The value cannot be written: ...", without a full stop;
 * whoever knows the column and row turns it into a {@link io.statesql.StateSqlException} that names
 * them.
 */
public final class UnwritableValueException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public UnwritableValueException(String reason) {
    super(reason);
  }

  public UnwritableValueException(String reason, Throwable cause) {
    super(reason, cause);
  }
}
