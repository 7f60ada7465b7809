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

import com.google.common.base.Throwables;
import com.google.common.util.concurrent.ThreadFactoryBuilder;
import com.google.common.util.concurrent.Uninterruptibles;
import io.statesql.Cancellation;
import io.statesql.ErrorCode;
import io.statesql.ScanLimits;
import io.statesql.StateSqlException;
import io.statesql.format.form.EditTarget;
import io.statesql.format.form.KeyedEdit;
import io.statesql.format.split.KeyedForms;
import io.statesql.snapshot.KeyedStateHandle;
import io.statesql.snapshot.Snapshot;
import java.io.Closeable;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Writes the keyed states that change, those of several subtasks at a time: as many as there may be
 * readers, and fewer where the heap is small, as each holds key groups in memory. Not thread-safe.
 */
final class KeyedWrites implements Closeable {
  /** What one of them may need, roughly. */
  private static final long BYTES_PER_THREAD = 32L << 20;

  private final Snapshot base;
  private final EditTarget target;
  private final ExecutorService threads;
  private final IdentityHashMap<KeyedEdit, Future<KeyedStateHandle>> handles =
      new IdentityHashMap<>();
  private volatile boolean closed;

  private KeyedWrites(
      int threadCount,
      Snapshot base,
      SavepointFolder folder,
      HandleCarrier carrier,
      EditTally tally,
      Cancellation cancellation) {
    this.base = base;
    this.target = new SavepointTarget(folder, carrier, tally, () -> check(cancellation));
    this.threads =
        Executors.newFixedThreadPool(
            threadCount,
            new ThreadFactoryBuilder().setNameFormat("statesql-commit-%d").setDaemon(true).build());
  }

  /** Begins to write; {@link #close} ends it, done or not. */
  static KeyedWrites begin(
      List<KeyedEdit> edits,
      Snapshot base,
      SavepointFolder folder,
      HandleCarrier carrier,
      EditTally tally,
      Cancellation cancellation) {
    ScanLimits limits = base.scan().limits();
    long affordable = Math.min(limits.parallelism(), limits.memory() / BYTES_PER_THREAD);
    int threadCount = (int) Math.max(1, Math.min(affordable, edits.size()));
    KeyedWrites writes = new KeyedWrites(threadCount, base, folder, carrier, tally, cancellation);
    edits.forEach(
        edit -> writes.handles.put(edit, writes.threads.submit(() -> writes.write(edit))));
    return writes;
  }

  private void check(Cancellation ofCommit) {
    if (closed) {
      throw new StateSqlException(ErrorCode.CANCELED, "Another part of the commit has failed.");
    }
    ofCommit.check();
  }

  private KeyedStateHandle write(KeyedEdit edit) {
    target.cancellation().check();
    return KeyedForms.of(edit.split()).edit(base, edit, target);
  }

  /**
   * Waits until a keyed state is written.
   *
   * @param edit one of those that were begun
   * @throws StateSqlException if it could not be
   */
  KeyedStateHandle written(KeyedEdit edit) {
    try {
      return Uninterruptibles.getUninterruptibly(handles.get(edit));
    } catch (ExecutionException e) {
      Throwables.throwIfUnchecked(e.getCause());
      throw new IllegalStateException(e);
    }
  }

  /** Returns when no thread writes any more. */
  @Override
  public void close() {
    closed = true;
    threads.shutdown();
    Uninterruptibles.awaitTerminationUninterruptibly(threads);
  }
}
