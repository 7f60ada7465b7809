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
package io.statesql.change;

/** Says why a column cannot hold a value; who knows the row adds it. */
final class RefusedValueException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String column;

  /**
   * @param column its name; null if the reason concerns the row as a whole
   * @param reason in lower case, without a point at its end
   */
  RefusedValueException(String column, String reason) {
    super(reason);
    this.column = column;
  }

  String column() {
    return column;
  }
}
