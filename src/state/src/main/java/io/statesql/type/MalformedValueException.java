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
 * Bytes that do not have the form their serializer gives them. Carries the offset only; whoever
 * knows the file, operator and state turns it into a {@link io.statesql.StateSqlException} that
 * names them.
 */
public class MalformedValueException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final long offset;

  public MalformedValueException(long offset, String reason) {
    super(reason);
    this.offset = offset;
  }

  public MalformedValueException(long offset, String reason, Throwable cause) {
    super(reason, cause);
    this.offset = offset;
  }

  /** Where in the input the fault was seen, in bytes from the start of the input. */
  public long offset() {
    return offset;
  }
}
