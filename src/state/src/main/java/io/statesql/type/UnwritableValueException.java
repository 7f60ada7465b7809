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

import org.jspecify.annotations.Nullable;

/**
 * A value that the stored type cannot hold, or that cannot be written without a class of the job.
 * Its message completes the sentence "The value cannot be written: ...", without a full stop;
 * whoever knows the column and row turns it into a {@link io.statesql.StateSqlException} that names
 * them.
 */
public final class UnwritableValueException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final @Nullable String field;
  private final int position;

  public UnwritableValueException(String reason) {
    super(reason);
    this.field = null;
    this.position = -1;
  }

  public UnwritableValueException(String reason, Throwable cause) {
    super(reason, cause);
    this.field = null;
    this.position = -1;
  }

  private UnwritableValueException(String field, int position, UnwritableValueException cause) {
    super(cause.reason(), cause);
    this.field = field;
    this.position = position;
  }

  /**
   * The same of a row that holds the value in one of its fields.
   *
   * @param name of the field as stored
   * @param fieldPosition where it begins in the row
   */
  UnwritableValueException inField(String name, int fieldPosition) {
    return new UnwritableValueException(name, fieldPosition, this);
  }

  /**
   * The position of the field whose value it is, in the row that the codec was to write; -1 if it
   * is the value as a whole. The message is that of the field's value.
   */
  public int fieldPosition() {
    return position;
  }

  /** The message for those who do not know the fields of the value: it names the field. */
  public String reason() {
    return field == null ? getMessage() : "of its field " + field + ", " + getMessage();
  }
}
