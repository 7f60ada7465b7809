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
package io.statesql.edit;

import java.time.Instant;
import java.util.List;

/**
 * What the side file of a written savepoint tells about how it came to be.
 *
 * @param time when the commit began
 * @param user who committed; empty if unknown
 * @param statements the text of the statements, in their order
 * @param requests ids by which those who asked for the commit can find it again; none where nobody
 *     gave any
 */
public record CommitRecord(
    Instant time, String user, List<String> statements, List<String> requests) {
  public CommitRecord {
    statements = List.copyOf(statements);
    requests = List.copyOf(requests);
  }

  /** A commit that nobody looks for. */
  public CommitRecord(Instant time, String user, List<String> statements) {
    this(time, user, statements, List.of());
  }
}
