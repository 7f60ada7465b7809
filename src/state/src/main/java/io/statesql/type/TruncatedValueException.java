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
 * Bytes that end before the value does. Where all bytes are at hand that is damage like any other;
 * a reader that has only some of them so far can fetch more and try again.
 */
public final class TruncatedValueException extends MalformedValueException {
  private static final long serialVersionUID = 1L;

  private final long missingBytes;

  /**
   * @param missingBytes how many bytes the value takes at least beyond those that are there
   */
  public TruncatedValueException(long offset, long missingBytes, String reason) {
    super(offset, reason);
    this.missingBytes = missingBytes;
  }

  /** As {@link #TruncatedValueException(long, long, String)}, with what noticed it. */
  public TruncatedValueException(long offset, long missingBytes, String reason, Throwable cause) {
    super(offset, reason, cause);
    this.missingBytes = missingBytes;
  }

  /** How many bytes the value takes at least beyond those that are there; above 0. */
  public long missingBytes() {
    return missingBytes;
  }
}
