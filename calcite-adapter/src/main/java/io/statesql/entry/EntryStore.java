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
package io.statesql.entry;

import io.statesql.ScanContext;
import io.statesql.SharedResources;
import io.statesql.StateSqlException;
import io.statesql.format.model.KeyedSplit;
import io.statesql.format.model.KeyedStateMeta;
import io.statesql.format.split.KeyedSplits;
import io.statesql.snapshot.OperatorId;
import io.statesql.snapshot.OperatorState;
import io.statesql.snapshot.Snapshot;
import java.io.Closeable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A snapshot of which single entries are asked for. Reads the headers of an operator once, and
 * keeps databases open between reads, until it is closed; readers that are at work then go on. Safe
 * for use by many threads.
 */
public final class EntryStore implements Closeable {
  /** Two for each database, which is in use besides: of so many subtasks at least. */
  private static final int KEPT_RESOURCES = 128;

  private final Snapshot snapshot;
  private final SharedResources shared = SharedResources.keepingIdle(KEPT_RESOURCES);
  private final Map<OperatorId, List<KeyedSplit>> splits = new ConcurrentHashMap<>();

  /** What is wrong with headers that cannot be read, however often one tries. */
  private final Map<OperatorId, StateSqlException> damaged = new ConcurrentHashMap<>();

  public EntryStore(Snapshot snapshot) {
    this.snapshot = snapshot;
  }

  public Snapshot snapshot() {
    return snapshot;
  }

  /** The snapshot for a read, which shares with others what this store keeps. */
  Snapshot within(ScanContext scan) {
    return snapshot.within(
        new ScanContext(scan.cancellation(), scan.counters(), scan.limits(), shared));
  }

  /** The operator of a uid or id. */
  public Optional<OperatorState> findOperator(String uidOrId) {
    return snapshot.metadata().findOperator(uidOrId);
  }

  /**
   * A keyed state of an operator; timers are none.
   *
   * @throws io.statesql.StateSqlException if a header of the operator cannot be read
   */
  public Optional<EntryState> findState(OperatorState operator, String name) {
    List<KeyedSplit> having =
        splits(operator).stream().filter(split -> meta(split, name).isPresent()).toList();
    return having.isEmpty()
        ? Optional.empty()
        : Optional.of(new EntryState(this, operator, name, having));
  }

  private List<KeyedSplit> splits(OperatorState operator) {
    StateSqlException known = damaged.get(operator.id());
    if (known != null) {
      throw known;
    }
    try {
      return splits.computeIfAbsent(operator.id(), unknown -> KeyedSplits.of(snapshot, operator));
    } catch (StateSqlException e) {
      if (e.code().isLasting()) {
        damaged.put(operator.id(), e);
      }
      throw e;
    }
  }

  static Optional<KeyedStateMeta> meta(KeyedSplit split, String name) {
    return split.header().states().stream().filter(state -> state.name().equals(name)).findFirst();
  }

  @Override
  public void close() {
    shared.close();
  }
}
