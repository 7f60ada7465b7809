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

import io.statesql.ScanContext;
import io.statesql.StateSqlException;
import io.statesql.edit.EditedSnapshot;
import io.statesql.edit.SnapshotChanges;
import io.statesql.entry.EntryCodec;
import io.statesql.entry.EntryEdit;
import io.statesql.entry.EntryStore;
import io.statesql.entry.NewEntry;
import io.statesql.entry.StoredEntry;
import io.statesql.format.model.StagedState;
import io.statesql.snapshot.OperatorId;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A change that waits for its commit, and those who wait for its outcome. */
final class PendingChange {
  private final ChangeRequest request;
  private final RequestMark mark;
  private final CompletableFuture<CommitOutcome> outcome = new CompletableFuture<>();

  /** Whether something of it may be staged. */
  private boolean isBegun;

  private int code;
  private String etag;

  PendingChange(ChangeRequest request) {
    this.request = request;
    this.mark = RequestMark.of(request);
  }

  ChangeRequest request() {
    return request;
  }

  RequestMark mark() {
    return mark;
  }

  CompletableFuture<CommitOutcome> outcome() {
    return outcome;
  }

  /**
   * Adds the change to those that are staged, of which it sees the effects. If it fails, something
   * may be staged all the same where {@link #isBegun} says so.
   *
   * @param time in epoch milliseconds
   * @throws RefusedRequestException if it cannot be made, or its conditions do not hold
   * @throws StateSqlException likewise, and if the snapshot cannot be read
   */
  void stage(EntryStore store, EditedSnapshot edited, ScanContext scan, long time) {
    isBegun = false;
    EntryTarget target = EntryTarget.find(request.address(), store);
    OperatorId operator = target.state().operator().id();
    StagedState staged = edited.staged(operator);
    Optional<StoredEntry> before = target.read(staged, scan);
    if (!request.preconditions().allow(before.map(EntityTag::of))) {
      throw new RefusedRequestException(
          412, "The entry is not as If-Match or If-None-Match want it; nothing was changed.");
    }
    if (request.isDelete() && before.isEmpty()) {
      throw StateReads.absent(request.address());
    }
    EntryEdit edit = new EntryEdit(target.state(), target.key(), before, edited, scan);
    try (SnapshotChanges changes = edited.newChanges()) {
      if (request.isDelete()) {
        edit.remove(changes.operator(operator));
      } else {
        edit.put(newEntry(edit.codec()), time, changes.operator(operator));
      }
      isBegun = true;
      edited.stage(changes, request.text());
    }
    Optional<StoredEntry> after = target.read(staged, scan);
    code = before.isEmpty() && after.isPresent() ? 201 : 200;
    etag = after.map(entry -> EntityTag.of(entry).header(Representation.Form.BYTES)).orElse(null);
  }

  /** Whether the last attempt to stage it may have staged something. */
  boolean isBegun() {
    return isBegun;
  }

  private NewEntry newEntry(EntryCodec codec) {
    try {
      return Representation.read(request.contentType(), request.body().toByteArray(), codec);
    } catch (StateSqlException e) {
      throw Failures.ofValue(e);
    }
  }

  /** The change is durable. */
  CommitOutcome committed(String savepoint, String base) {
    return new CommitOutcome(
        request.id(),
        CommitOutcome.Status.COMMITTED,
        code,
        savepoint,
        base,
        etag,
        request.preconditions().isEmpty()
            ? "Neither If-Match nor If-None-Match was given: the last writer wins, on the newest"
                + " snapshot of the mount."
            : null,
        null);
  }
}
