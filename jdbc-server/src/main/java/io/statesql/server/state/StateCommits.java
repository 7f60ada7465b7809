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

import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import io.statesql.server.User;
import java.io.Closeable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * All changes of entries that a server was asked for: those that wait, which are bounded, and the
 * outcome of the last ones. Safe for use by many threads.
 */
final class StateCommits implements Closeable {
  private static final int MAX_WAITING = 1000;
  private static final long MAX_WAITING_BYTES = 64L << 20;
  private static final int REMEMBERED = 10_000;

  private final StateMounts mounts;
  private final StateReads reads;
  private final int stopSeconds;
  private final CommittedRequests committed = new CommittedRequests();
  private final Map<String, Queue> queues = new HashMap<>();

  /** By their ids, in the order in which they came. */
  private final Map<RequestMark.Key, PendingChange> remembered = new LinkedHashMap<>();

  private int waiting;
  private long waitingBytes;
  private boolean isStopping;
  private volatile boolean isCanceled;

  /** The changes of one catalog. */
  private static final class Queue {
    private final Committer committer;
    private final ExecutorService thread;
    private final List<PendingChange> changes = new ArrayList<>();

    Queue(Committer committer, String catalog) {
      this.committer = committer;
      this.thread =
          Executors.newSingleThreadExecutor(
              task -> {
                Thread made = new Thread(task, "state-commits-" + catalog);
                made.setDaemon(true);
                return made;
              });
    }
  }

  /**
   * @param stopSeconds how long commits may go on when the server ends
   */
  StateCommits(StateMounts mounts, StateReads reads, int stopSeconds) {
    this.mounts = mounts;
    this.reads = reads;
    this.stopSeconds = stopSeconds;
  }

  /**
   * Takes a change, to be made soon. One whose id is known is not made again: its outcome is that
   * of the first one.
   *
   * @param mayBeRepeated whether the sender chose the id, and may have sent it before
   * @throws RefusedRequestException if there are too many, the server is about to end, or the id is
   *     that of another request
   */
  synchronized PendingChange submit(
      ChangeRequest request, MountedState mount, boolean mayBeRepeated) {
    PendingChange change = new PendingChange(request);
    RequestMark mark = change.mark();
    PendingChange before = remembered.get(mark.key());
    if (before != null) {
      requireSame(mark, before.mark().content());
      return before;
    }
    Optional<CommittedRequests.Committed> earlier =
        mayBeRepeated ? committed.find(mark.key(), folders()) : Optional.empty();
    if (earlier.isPresent()) {
      requireSame(mark, earlier.get().content());
      change.outcome().complete(earlier.get().outcome());
      return change;
    }
    if (isStopping) {
      throw new RefusedRequestException(503, "The server is about to end.");
    }
    if (waiting >= MAX_WAITING || waitingBytes + request.body().length() > MAX_WAITING_BYTES) {
      throw new RefusedRequestException(503, "Too many changes wait already; try again later.");
    }
    remember(change);
    waiting++;
    waitingBytes += request.body().length();
    Queue queue =
        queues.computeIfAbsent(
            mount.catalog(),
            catalog -> new Queue(new Committer(mount, reads, this::checkRunning), catalog));
    queue.changes.add(change);
    queue.thread.execute(() -> commitWaiting(queue));
    return change;
  }

  private static void requireSame(RequestMark mark, String content) {
    if (!mark.content().equals(content)) {
      throw new RefusedRequestException(
          409, "Another request came with the same Idempotency-Key: " + mark.key().id() + ".");
    }
  }

  private void remember(PendingChange change) {
    remembered.put(change.mark().key(), change);
    var oldest = remembered.values().iterator();
    while (remembered.size() > REMEMBERED && oldest.hasNext()) {
      if (oldest.next().outcome().isDone()) {
        oldest.remove();
      }
    }
  }

  private void checkRunning() {
    if (isCanceled) {
      throw new StateSqlException(ErrorCode.SHUTTING_DOWN, "The server is about to end.");
    }
  }

  private void commitWaiting(Queue queue) {
    List<PendingChange> together;
    synchronized (this) {
      together = List.copyOf(queue.changes);
      queue.changes.clear();
    }
    if (together.isEmpty()) {
      return;
    }
    try {
      queue.committer.commit(together);
    } finally {
      synchronized (this) {
        waiting -= together.size();
        together.forEach(change -> waitingBytes -= change.request().body().length());
      }
    }
  }

  /** What became of a request of a user; of an earlier run of the server too, if committed. */
  CommitOutcome find(String id, User user) {
    RequestMark.Key key = RequestMark.Key.of(id, user.name());
    synchronized (this) {
      PendingChange change = remembered.get(key);
      if (change != null) {
        return change.outcome().getNow(CommitOutcome.pending(id));
      }
    }
    return committed
        .find(key, folders())
        .map(CommittedRequests.Committed::outcome)
        .orElseGet(() -> CommitOutcome.absent(id));
  }

  /** Where commits on the mounts go. */
  private Set<Path> folders() {
    return mounts.all().stream()
        .flatMap(mount -> mount.edited().commitFolder().stream())
        .collect(Collectors.toSet());
  }

  /** Takes no changes any more, waits a while for those that are there, and ends the others. */
  @Override
  public void close() {
    List<Queue> all;
    synchronized (this) {
      isStopping = true;
      all = List.copyOf(queues.values());
    }
    all.forEach(queue -> queue.thread.shutdown());
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(stopSeconds);
    for (Queue queue : all) {
      await(queue, end);
    }
    isCanceled = true;
  }

  private static void await(Queue queue, long end) {
    try {
      // Whether it ended or not, it is told to.
      var unused = queue.thread.awaitTermination(end - System.nanoTime(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
