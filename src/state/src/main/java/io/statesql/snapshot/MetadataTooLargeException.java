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
package io.statesql.snapshot;

/** Metadata that would take more memory than we may use; carries the end of a sentence. */
final class MetadataTooLargeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  MetadataTooLargeException(long limit) {
    super(
        "needs more memory than the "
            + limit
            + " bytes, half of this JVM's heap, that it may take; give the JVM more with -Xmx.");
  }
}
