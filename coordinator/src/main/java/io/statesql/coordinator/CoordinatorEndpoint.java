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
package io.statesql.coordinator;

import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * The messages of the coordinator, with the names and meaning of Spark's {@code
 * StateStoreCoordinator} where Spark has them. Implementations are safe for use by many threads.
 *
 * <p>Every call may throw {@link CoordinatorStoppedException}.
 */
public interface CoordinatorEndpoint {
  /**
   * {@code ReportActiveInstance} without a reply: registers the instance at the location or moves
   * it there. Ignored if its run was deactivated, or if another executor loaded the instance later.
   */
  void reportActiveInstance(StoreLocation location, InstanceReport report);

  /**
   * {@code ReportActiveInstance} with a reply.
   *
   * @param providerIdsToCheck other instances that the executor has loaded
   */
  ReportReply reportActiveInstance(
      StoreLocation location, InstanceReport report, List<StoreInstanceId> providerIdsToCheck);

  /** {@code ReportActiveInstance} for many instances of one executor. */
  void reportActiveInstances(StoreLocation location, List<InstanceReport> reports);

  /** {@code VerifyIfInstanceActive}: whether the instance is registered at that executor. */
  boolean verifyIfInstanceActive(StoreInstanceId id, String executorId);

  /** {@code GetLocation}: where the instance is active, if it is. */
  Optional<StoreLocation> getLocation(LocationQuery query);

  /** {@code GetLocation} for many, answered in their order. */
  List<Optional<StoreLocation>> getLocations(List<LocationQuery> queries);

  /**
   * {@code DeactivateInstances}: removes all of a run. Its later reports are ignored.
   *
   * @return how many were active
   */
  int deactivateInstances(String runId);

  /**
   * {@code ReportSnapshotUploaded}.
   *
   * @return whether it is newer than what was known, and kept; false too for a deactivated run
   */
  boolean reportSnapshotUploaded(StoreInstanceId id, SnapshotUpload upload);

  /**
   * {@code GetLaggingStores}: the active stores of a run that lag behind, the worst first.
   *
   * @param latestVersion the version that the run has reached
   * @param terminating whether the run ends by itself, so that only versions count
   */
  List<LaggingStore> getLaggingStores(String runId, long latestVersion, boolean terminating);

  /**
   * {@code WithdrawInstances}: the executor closed these instances. One that is active elsewhere
   * stays there.
   *
   * @return how many were active at this executor
   */
  int withdrawInstances(StoreLocation location, List<StoreInstanceId> ids);

  /**
   * {@code Heartbeat}: the executor lives.
   *
   * @return the number of its registration. Another one than before means that the coordinator does
   *     not know what the executor reported before: it was restarted, or took the executor for
   *     lost. The executor then reports all it has.
   */
  long heartbeat(StoreLocation location);

  /**
   * {@code RemoveExecutor}: the executor leaves, with all its instances.
   *
   * @return whether it was known
   */
  boolean removeExecutor(StoreLocation location);

  /** {@code ListInstances}: the active instances, in no particular order. */
  List<StoreInstance> listInstances(InstanceFilter filter);

  /**
   * {@code ListInstances} where there may be many: those that are active when it is called, page by
   * page, each as it is when its page is taken. One that is active no more then is left out.
   */
  default Iterator<List<StoreInstance>> pageInstances(InstanceFilter filter) {
    return List.of(listInstances(filter)).iterator();
  }

  /** {@code CountInstances}: how many {@link #listInstances} would give. */
  long countInstances(InstanceFilter filter);

  /** {@code StopCoordinator}: all later calls fail. */
  void stopCoordinator();
}
