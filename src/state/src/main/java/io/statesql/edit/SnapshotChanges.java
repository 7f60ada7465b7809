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

import io.statesql.HostContext;
import io.statesql.snapshot.OperatorId;
import java.io.Closeable;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a transaction, or one statement of it, changes in a snapshot. Keyed changes beyond a budget
 * go to a file in a work folder of this process (see {@code -Dstatesql.work-dir}), which only its
 * owner can read and which {@link #close} removes; changes of operator state stay in memory. Not
 * thread-safe.
 */
public final class SnapshotChanges implements Closeable {
  private static final long LARGEST_BUDGET = 256L << 20;

  /** A statement has changes of its own beside those of the transaction, and takes more memory. */
  private static final int SHARE_OF_HEAP = 16;

  private final HostContext host;
  private final long budget;
  private ChangeSpill spill;
  private final Map<OperatorId, OperatorChanges> operators = new LinkedHashMap<>();

  /** With a budget by the size of the heap. */
  public SnapshotChanges(HostContext host) {
    this(host, Math.min(LARGEST_BUDGET, Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP));
  }

  /**
   * @param host has the work folder of those that memory does not hold
   * @param budget bytes of keyed changes to be held in memory, roughly
   */
  public SnapshotChanges(HostContext host, long budget) {
    this.host = host;
    this.budget = budget;
    this.spill = new ChangeSpill(host, budget);
  }

  /** The changes of an operator, at first none. */
  public OperatorChanges operator(OperatorId id) {
    return operators.computeIfAbsent(id, unknown -> new OperatorChanges(spill));
  }

  /** The changes of an operator, if there are any. */
  public Optional<OperatorChanges> find(OperatorId id) {
    return Optional.ofNullable(operators.get(id)).filter(changes -> !changes.isEmpty());
  }

  /** The operators that were asked for, which may have no changes. */
  public Set<OperatorId> operators() {
    return operators.keySet();
  }

  public boolean isEmpty() {
    return operators.values().stream().allMatch(OperatorChanges::isEmpty);
  }

  /**
   * Takes the changes of a later statement, which win, and leaves it without any. Takes all of them
   * or none.
   *
   * @throws io.statesql.StateSqlException if the work folder cannot be written to or read; both are
   *     as they were
   */
  public void takeAll(SnapshotChanges later) {
    if (isEmpty()) {
      ChangeSpill unused = spill;
      spill = later.spill;
      later.spill = unused;
      operators.clear();
      operators.putAll(later.operators);
    } else {
      // What may fail comes first: from then on it is a matter of memory alone.
      spill.makeRoomFor(later.spill);
      spill.adopt(later.spill);
      later.spill = new ChangeSpill(later.host, later.budget);
      later.operators.forEach((id, changes) -> operator(id).addAll(changes));
    }
    later.operators.clear();
  }

  /** Forgets all changes and removes the file. */
  @Override
  public void close() {
    operators.clear();
    spill.close();
  }
}
