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
package io.statesql.format.bytes;

/** Says that something stored takes more memory than one value may. */
public final class ValueTooLargeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final long offset;
  private final int limit;

  /**
   * @param offset where it begins
   * @param limit how many bytes it may have
   */
  public ValueTooLargeException(long offset, int limit) {
    super("more than " + limit + " bytes", null, false, false);
    this.offset = offset;
    this.limit = limit;
  }

  /**
   * What to tell a user.
   *
   * @param compressed whether the offset counts decompressed bytes
   */
  public String sentence(String file, boolean compressed) {
    return "the value at "
        + (compressed ? "decompressed offset " : "offset ")
        + offset
        + " of "
        + file
        + advice();
  }

  /** As the end of a sentence that names the value. */
  public String advice() {
    return " takes more memory than one value may have, "
        + limit
        + " bytes; allow more with the option memory.";
  }
}
