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
package io.statesql.coordinator.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.statesql.coordinator.InstanceFilter;
import io.statesql.coordinator.InstanceReport;
import io.statesql.coordinator.LaggingStore;
import io.statesql.coordinator.LocationQuery;
import io.statesql.coordinator.SnapshotUpload;
import io.statesql.coordinator.StoreInstanceId;
import io.statesql.coordinator.StoreLocation;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The bodies of requests, each a record with the name of its message, and of replies. A field that
 * is not described as optional is required.
 */
public final class Messages {
  /** The path below which messages are posted, each under its name. */
  public static final String PATH = "/coordinator/v1/";

  /** The longest body of a request, in bytes. */
  public static final int MAX_BODY = 1024 * 1024;

  private static final String UNKNOWN_ENGINE = "unknown";

  private Messages() {}

  /**
   * An instance that an executor has loaded.
   *
   * @param engine optional
   * @param vertexId optional
   * @param ageMillis optional: how long ago it was loaded
   * @param lastUpload optional
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Report(
      IdJson id, String engine, String vertexId, Long ageMillis, UploadJson lastUpload) {
    public static Report of(InstanceReport report) {
      return new Report(
          IdJson.of(report.id()),
          report.engine(),
          report.vertexId(),
          report.ageMillis() == 0 ? null : report.ageMillis(),
          UploadJson.of(report.lastUpload()));
    }

    public InstanceReport toReport() {
      return new InstanceReport(
          Required.field("id", id).toInstanceId(),
          engine == null ? UNKNOWN_ENGINE : engine,
          vertexId,
          ageMillis == null ? 0 : ageMillis,
          lastUpload == null ? SnapshotUpload.NONE : lastUpload.toUpload());
    }
  }

  /**
   * One report; the fields of {@link Report} beside those of the executor.
   *
   * @param providerIdsToCheck optional: if there, the sender waits for a reply
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record ReportActiveInstance(
      String host,
      String executorId,
      IdJson id,
      String engine,
      String vertexId,
      Long ageMillis,
      UploadJson lastUpload,
      List<IdJson> providerIdsToCheck) {
    public StoreLocation location() {
      return new StoreLocation(host, executorId);
    }

    public InstanceReport toReport() {
      return new Report(id, engine, vertexId, ageMillis, lastUpload).toReport();
    }

    /** Empty if no reply is wanted. */
    public Optional<List<StoreInstanceId>> toCheck() {
      return providerIdsToCheck == null
          ? Optional.empty()
          : Optional.of(
              Required.elements("providerIdsToCheck", providerIdsToCheck, IdJson::toInstanceId));
    }
  }

  /** The reply to a report. */
  public record ReportActiveInstanceReply(boolean active, List<IdJson> providerIdsToUnload) {}

  /** Many reports of one executor. */
  public record ReportActiveInstances(String host, String executorId, List<Report> reports) {
    public StoreLocation location() {
      return new StoreLocation(host, executorId);
    }

    public List<InstanceReport> toReports() {
      return Required.elements("reports", reports, Report::toReport);
    }
  }

  /** Whether an instance is at an executor. */
  public record VerifyIfInstanceActive(IdJson id, String executorId) {
    public StoreInstanceId toId() {
      return Required.field("id", id).toInstanceId();
    }
  }

  /** The reply to it. */
  public record VerifyIfInstanceActiveReply(boolean active) {}

  /** Where an instance is; its {@code runId} is optional. */
  public record GetLocation(IdJson id) {
    public LocationQuery toQuery() {
      return Required.field("id", id).toQuery();
    }
  }

  /** Where an instance is, or null if nowhere. */
  public record GetLocationReply(LocationJson location) {}

  /** Where many are. */
  public record GetLocations(List<IdJson> ids) {
    public List<LocationQuery> toQueries() {
      return Required.elements("ids", ids, IdJson::toQuery);
    }
  }

  /** In the order of the ids; null for one that is nowhere. */
  public record GetLocationsReply(List<LocationJson> locations) {}

  /** An executor and its host. */
  public record LocationJson(String host, String executorId) {
    /** Null if empty. */
    public static LocationJson of(Optional<StoreLocation> location) {
      return location.map(at -> new LocationJson(at.host(), at.executorId())).orElse(null);
    }

    public StoreLocation toLocation() {
      return new StoreLocation(host, executorId);
    }
  }

  /** The end of a run. */
  public record DeactivateInstances(String runId) {}

  /** How many instances were active. */
  public record DeactivateInstancesReply(int deactivated) {}

  /** A snapshot that was uploaded. */
  public record ReportSnapshotUploaded(IdJson id, Long version, Long timeMillis) {
    public StoreInstanceId toId() {
      return Required.field("id", id).toInstanceId();
    }

    public SnapshotUpload toUpload() {
      return new UploadJson(version, timeMillis).toUpload();
    }
  }

  /** Whether it was newer than the one known. */
  public record ReportSnapshotUploadedReply(boolean kept) {}

  /**
   * Which stores of a run lag behind.
   *
   * @param terminating optional: whether the run ends by itself
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record GetLaggingStores(String runId, Long latestVersion, Boolean terminating) {
    public long version() {
      return Required.field("latestVersion", latestVersion);
    }

    public boolean isTerminating() {
      return terminating != null && terminating;
    }
  }

  /** The worst first. */
  public record GetLaggingStoresReply(List<LaggingJson> stores) {}

  /** A store that lags. */
  public record LaggingJson(IdJson id, UploadJson lastUpload, long versionsBehind) {
    public static LaggingJson of(LaggingStore store) {
      return new LaggingJson(
          IdJson.of(store.id()), UploadJson.of(store.lastUpload()), store.versionsBehind());
    }

    public LaggingStore toStore() {
      return new LaggingStore(
          id.toInstanceId(),
          lastUpload == null ? SnapshotUpload.NONE : lastUpload.toUpload(),
          versionsBehind);
    }
  }

  /** Instances that an executor closed. */
  public record WithdrawInstances(String host, String executorId, List<IdJson> ids) {
    public StoreLocation location() {
      return new StoreLocation(host, executorId);
    }

    public List<StoreInstanceId> toIds() {
      return Required.elements("ids", ids, IdJson::toInstanceId);
    }
  }

  /** How many were there. */
  public record WithdrawInstancesReply(int withdrawn) {}

  /** A sign of life. */
  public record Heartbeat(String host, String executorId) {
    public StoreLocation location() {
      return new StoreLocation(host, executorId);
    }
  }

  /** Another number than before: report all again. */
  public record HeartbeatReply(long registration) {}

  /** An executor leaves. */
  public record RemoveExecutor(String host, String executorId) {
    public StoreLocation location() {
      return new StoreLocation(host, executorId);
    }
  }

  /** Whether it was known. */
  public record RemoveExecutorReply(boolean removed) {}

  /** What to list: all three conditions are optional. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record ListInstances(
      List<String> runIds, List<String> operatorIds, List<Integer> partitionIds) {
    public static ListInstances of(InstanceFilter filter) {
      return new ListInstances(
          filter.runIds().map(List::copyOf).orElse(null),
          filter.operatorIds().map(List::copyOf).orElse(null),
          filter.partitionIds().map(List::copyOf).orElse(null));
    }

    public InstanceFilter toFilter() {
      return new InstanceFilter(
          set("runIds", runIds),
          set("operatorIds", operatorIds),
          set("partitionIds", partitionIds));
    }

    private static <T> Optional<Set<T>> set(String name, List<T> values) {
      return values == null
          ? Optional.empty()
          : Optional.of(Set.copyOf(Required.<T, T>elements(name, values, value -> value)));
    }
  }

  /** The instances. */
  public record ListInstancesReply(List<InstanceJson> instances) {}

  /** What to count, as for {@link ListInstances}. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record CountInstances(
      List<String> runIds, List<String> operatorIds, List<Integer> partitionIds) {
    public InstanceFilter toFilter() {
      return new ListInstances(runIds, operatorIds, partitionIds).toFilter();
    }
  }

  /** How many instances there are. */
  public record CountInstancesReply(long count) {}

  /** The end; no fields. */
  public record StopCoordinator() {}

  /** The reply to it. */
  public record StopCoordinatorReply(boolean stopped) {}

  /** Any reply to what was refused or failed. */
  public record ErrorReply(String error) {}
}
