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
package io.statesql.type.serializer;

/**
 * A serializer that cannot be restored from the job's classes. Its message says why, as a part of a
 * sentence in lower case and without a full stop.
 */
public final class MissingJobClassException extends Exception {
  private static final long serialVersionUID = 1L;

  public MissingJobClassException(String reason) {
    super(reason);
  }

  public MissingJobClassException(String reason, Throwable cause) {
    super(reason, cause);
  }
}
