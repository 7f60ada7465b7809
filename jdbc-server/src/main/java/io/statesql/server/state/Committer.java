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

import io.statesql.Cancellation;
import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import io.statesql.coordinator.http.Refusal;
import io.statesql.edit.EditReport;
import io.statesql.edit.EditedSnapshot;
import io.statesql.entry.EntryStore;
import io.statesql.server.AuditLog;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * Commits changes of one catalog. What has come while a commit was written goes into the next one,
 * all together. For one thread at a time.
 */
final class Committer {
  /** So often another process may come first before we give up. */
  private static final int MAX_CONFLICTS = 20;

  private final MountedState mount;
  private final StateReads reads;
  private final Cancellation cancellation;

  Committer(MountedState mount, StateReads reads, Cancellation cancellation) {
    this.mount = mount;
    this.reads = reads;
    this.cancellation = cancellation;
  }

  /** Makes changes in their order, in one savepoint, and tells each its outcome. */
  void commit(List<PendingChange> changes) {
    List<PendingChange> left = changes;
    try {
      for (int conflicts = 0; !left.isEmpty(); conflicts++) {
        EditedSnapshot edited = mount.edited();
        left = stage(left, edited);
        if (left.isEmpty() || write(left, edited)) {
          return;
        }
        if (conflicts == MAX_CONFLICTS) {
          throw new RefusedRequestException(
              409, "Others committed on the same snapshot again and again; try again.");
        }
        mount.followOthers();
      }
    } catch (RuntimeException e) {
      fail(left, e);
    }
  }

  /** Stages what can be, and gives that back; the others hear why they cannot. */
  private List<PendingChange> stage(List<PendingChange> changes, EditedSnapshot edited) {
    List<PendingChange> left = new ArrayList<>(changes);
    while (!stageAll(left, edited)) {
      // One that was refused is half staged, so the others are staged again without it.
    }
    return left;
  }

  /**
   * Stages changes, and takes away those that cannot be.
   *
   * @return false if something of those is staged
   */
  private boolean stageAll(List<PendingChange> changes, EditedSnapshot edited) {
    edited.forget();
    edited.requirePlace();
    EntryStore store = mount.store();
    long time = System.currentTimeMillis();
    for (Iterator<PendingChange> each = changes.iterator(); each.hasNext(); ) {
      PendingChange change = each.next();
      try {
        change.stage(store, edited, reads.begin(), time);
      } catch (RuntimeException e) {
        each.remove();
        refuse(change, Failures.ofChange(e));
        if (change.isBegun()) {
          return false;
        }
      }
    }
    return true;
  }

  /**
   * Writes the savepoint.
   *
   * @return false if another commit came first
   */
  private boolean write(List<PendingChange> changes, EditedSnapshot edited) {
    String base = edited.base().folder().getPath();
    EditReport report;
    try {
      report = edited.commit(cancellation, users(changes), marks(changes));
    } catch (StateSqlException e) {
      edited.forget();
      if (e.code() == ErrorCode.TRANSACTION_CONFLICT) {
        return false;
      }
      if (changes.size() == 1) {
        throw e;
      }
      // One of them cannot be written, which is no fault of the others.
      changes.forEach(change -> commit(List.of(change)));
      return true;
    }
    String savepoint = Objects.requireNonNull(report.savepoint()).toString();
    for (PendingChange change : changes) {
      ChangeRequest request = change.request();
      AuditLog.changedEntry(request.user(), request.id(), request.text(), savepoint);
      change.outcome().complete(change.committed(savepoint, base));
    }
    return true;
  }

  private static String users(List<PendingChange> changes) {
    return changes.stream()
        .map(change -> change.request().user().name())
        .distinct()
        .collect(Collectors.joining(", "));
  }

  private static List<String> marks(List<PendingChange> changes) {
    return changes.stream().map(change -> change.mark().text()).toList();
  }

  private static void fail(List<PendingChange> changes, RuntimeException failure) {
    Refusal refusal = Failures.ofChange(failure);
    changes.forEach(change -> refuse(change, refusal));
  }

  private static void refuse(PendingChange change, Refusal refusal) {
    ChangeRequest request = change.request();
    AuditLog.failedEntry(request.user(), request.id(), request.text(), refusal.status());
    change
        .outcome()
        .complete(CommitOutcome.refused(request.id(), refusal.status(), refusal.reason()));
  }
}
