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
package io.statesql.server.state;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/**
 * What became of a request to change an entry, as clients read it. What is not known or does not
 * apply is null, and is not shown.
 *
 * @param commit the id of the request
 * @param status how far it has come
 * @param code the status of HTTP that it has, or would have if its sender had waited
 * @param savepoint the folder that holds the change
 * @param base the folder of the snapshot that was changed
 * @param etag tells the new content from others; null if there is none any more
 * @param note what the sender should know
 * @param error why the change was not made
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record CommitOutcome(
    String commit,
    Status status,
    int code,
    @Nullable String savepoint,
    @Nullable String base,
    @Nullable String etag,
    @Nullable String note,
    @Nullable String error) {

  /** How far a change has come. */
  enum Status {
    /** It waits, or is being written. */
    @JsonProperty("pending")
    PENDING,
    /** It is durable. */
    @JsonProperty("committed")
    COMMITTED,
    /** It was not made, for what it asks cannot be. */
    @JsonProperty("refused")
    REFUSED,
    /** It was not made, for something went wrong. */
    @JsonProperty("failed")
    FAILED,
    /** No savepoint holds it, and nobody here knows of it. */
    @JsonProperty("absent")
    ABSENT
  }

  static CommitOutcome pending(String commit) {
    return new CommitOutcome(commit, Status.PENDING, 202, null, null, null, null, null);
  }

  static CommitOutcome refused(String commit, int code, String error) {
    Status status = code < 500 ? Status.REFUSED : Status.FAILED;
    return new CommitOutcome(commit, status, code, null, null, null, null, error);
  }

  static CommitOutcome absent(String commit) {
    return new CommitOutcome(
        commit,
        Status.ABSENT,
        404,
        null,
        null,
        null,
        null,
        "No savepoint beside the mounts holds this commit, and this server is not working on it.");
  }
}
