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
package io.statesql.server;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What a user may do; each may do what those before it may. */
public enum Role {
  /** Queries. */
  @JsonProperty("reader")
  READER,
  /** INSERT, UPDATE, DELETE, where the server is writable. */
  @JsonProperty("writer")
  WRITER,
  /** DROP SCHEMA too. */
  @JsonProperty("admin")
  ADMIN;

  public boolean includes(Role other) {
    return compareTo(other) >= 0;
  }
}
