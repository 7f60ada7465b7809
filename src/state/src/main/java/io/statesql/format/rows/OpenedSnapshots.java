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
package io.statesql.format.rows;

import io.statesql.ErrorCode;
import io.statesql.HostContext;
import io.statesql.ScanContext;
import io.statesql.StateSqlException;
import io.statesql.format.model.KeyedSplit;
import io.statesql.format.model.OperatorSplit;
import io.statesql.format.split.KeyedSplits;
import io.statesql.format.split.OperatorSplits;
import io.statesql.format.split.RawTimerSplits;
import io.statesql.snapshot.FileAccess;
import io.statesql.snapshot.OperatorState;
import io.statesql.snapshot.PathMap;
import io.statesql.snapshot.Snapshot;
import io.statesql.type.serializer.JobClasses;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * A host that opens the snapshots of the specs that it meets, and keeps their metadata and the
 * headers of their operators. Safe for use by many threads.
 */
public final class OpenedSnapshots implements SplitHost {
  private final HostContext host;
  private final FileAccess files;
  private final Optional<JobClasses> jobClasses;
  private final ScanContext scan;
  private final Map<Place, Snapshot> snapshots = new HashMap<>();
  private final Map<Headers, List<KeyedSplit>> keyed = new HashMap<>();
  private final Map<Headers, List<OperatorSplit>> operators = new HashMap<>();

  private record Place(String snapshot, PathMap pathMap, boolean isolated) {}

  private record Headers(Place place, String operatorId, SplitSpec.Store store) {
    static Headers of(SplitSpec spec) {
      return new Headers(OpenedSnapshots.place(spec), spec.operatorId(), spec.store());
    }
  }

  /**
   * A host that has opened nothing yet.
   *
   * @param host within which they are read
   * @param jobClasses read values that need a class of the job; must stay open
   * @param scan that readers work within
   */
  public OpenedSnapshots(
      HostContext host, FileAccess files, Optional<JobClasses> jobClasses, ScanContext scan) {
    this.host = host;
    this.files = files;
    this.jobClasses = jobClasses;
    this.scan = scan;
  }

  private static Place place(SplitSpec spec) {
    return new Place(spec.snapshot(), spec.pathMap(), spec.isolated());
  }

  @Override
  public synchronized Snapshot snapshot(SplitSpec spec) {
    return snapshots.computeIfAbsent(
        place(spec),
        place ->
            Snapshot.open(place.snapshot(), files, place.pathMap())
                .on(host)
                .readBy(jobClasses)
                .isolated(place.isolated())
                .within(scan));
  }

  @Override
  public synchronized KeyedSplit keyed(SplitSpec spec) {
    List<KeyedSplit> splits =
        keyed.computeIfAbsent(
            Headers.of(spec),
            headers ->
                headers.store() == SplitSpec.Store.RAW_TIMERS
                    ? RawTimerSplits.of(snapshot(spec), operatorOf(spec))
                    : KeyedSplits.of(snapshot(spec), operatorOf(spec)));
    return ofSubtask(spec, splits, KeyedSplit::subtask).within(spec.keyGroups());
  }

  @Override
  public synchronized OperatorSplit operator(SplitSpec spec) {
    List<OperatorSplit> splits =
        operators.computeIfAbsent(
            Headers.of(spec), headers -> OperatorSplits.of(snapshot(spec), operatorOf(spec)));
    return ofSubtask(spec, splits, OperatorSplit::subtask);
  }

  private OperatorState operatorOf(SplitSpec spec) {
    return snapshot(spec).metadata().operators().stream()
        .filter(operator -> operator.id().hex().equals(spec.operatorId()))
        .findFirst()
        .orElseThrow(() -> unknown(spec));
  }

  private static <S> S ofSubtask(SplitSpec spec, List<S> splits, Function<S, Integer> subtask) {
    return splits.stream()
        .filter(split -> subtask.apply(split) == spec.subtask())
        .findFirst()
        .orElseThrow(() -> unknown(spec));
  }

  private static StateSqlException unknown(SplitSpec spec) {
    return new StateSqlException(
        ErrorCode.INVALID_ARGUMENT,
        "The snapshot "
            + spec.snapshot()
            + " holds no such state of subtask "
            + spec.subtask()
            + " of operator "
            + spec.operatorId()
            + ": it is another one than that of which the split was made.");
  }
}
