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
package io.statesql.coordinator.client;

import io.statesql.coordinator.CoordinatorEndpoint;
import io.statesql.coordinator.CoordinatorStoppedException;
import io.statesql.coordinator.InstanceFilter;
import io.statesql.coordinator.InstanceReport;
import io.statesql.coordinator.LaggingStore;
import io.statesql.coordinator.LocationQuery;
import io.statesql.coordinator.RegistryFullException;
import io.statesql.coordinator.ReportReply;
import io.statesql.coordinator.SnapshotUpload;
import io.statesql.coordinator.StoreInstance;
import io.statesql.coordinator.StoreInstanceId;
import io.statesql.coordinator.StoreLocation;
import io.statesql.coordinator.wire.IdJson;
import io.statesql.coordinator.wire.InstanceJson;
import io.statesql.coordinator.wire.Json;
import io.statesql.coordinator.wire.Messages;
import io.statesql.coordinator.wire.UploadJson;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;

/**
 * A coordinator elsewhere. Calls wait for the answer. Queries that fail are tried again, after a
 * pause that doubles and is partly random, so that the clients of a restarted coordinator do not
 * all come at once. Safe for use by many threads; its connections are closed when it is collected.
 *
 * <p>Beside {@link CoordinatorStoppedException}, calls throw {@link
 * CoordinatorUnavailableException}, {@link CoordinatorRefusedException} and {@link
 * RegistryFullException}; each names the coordinator's URL.
 */
public final class CoordinatorClient implements CoordinatorEndpoint {
  private static final long FIRST_PAUSE_MILLIS = 50;
  private static final int UNAVAILABLE = 503;
  private static final int INSUFFICIENT_STORAGE = 507;
  private static final int MAX_CONNECTIONS = 64;

  private final ClientOptions options;
  private final CloseableHttpClient http;

  public CoordinatorClient(ClientOptions options) {
    this.options = options;
    Timeout timeout = Timeout.of(options.timeout());
    // Calls block: handing each to a selector and back costs more than all the rest of it.
    this.http =
        HttpClients.custom()
            .setConnectionManager(
                PoolingHttpClientConnectionManagerBuilder.create()
                    .setMaxConnTotal(MAX_CONNECTIONS)
                    .setMaxConnPerRoute(MAX_CONNECTIONS)
                    .setDefaultConnectionConfig(
                        ConnectionConfig.custom()
                            .setConnectTimeout(timeout)
                            .setSocketTimeout(timeout)
                            .setValidateAfterInactivity(TimeValue.ofMilliseconds(100))
                            .build())
                    .build())
            .setDefaultRequestConfig(
                RequestConfig.custom().setConnectionRequestTimeout(timeout).build())
            .disableAutomaticRetries()
            .disableRedirectHandling()
            .disableCookieManagement()
            .disableContentCompression()
            .build();
  }

  @Override
  public void reportActiveInstance(StoreLocation location, InstanceReport report) {
    tell(report(location, report, null));
  }

  @Override
  public ReportReply reportActiveInstance(
      StoreLocation location, InstanceReport report, List<StoreInstanceId> providerIdsToCheck) {
    Messages.ReportActiveInstanceReply reply =
        ask(
            report(location, report, ids(providerIdsToCheck)),
            Messages.ReportActiveInstanceReply.class,
            1);
    return new ReportReply(
        reply.active(), reply.providerIdsToUnload().stream().map(IdJson::toInstanceId).toList());
  }

  private static Messages.ReportActiveInstance report(
      StoreLocation location, InstanceReport report, List<IdJson> toCheck) {
    Messages.Report fields = Messages.Report.of(report);
    return new Messages.ReportActiveInstance(
        location.host(),
        location.executorId(),
        fields.id(),
        fields.engine(),
        fields.vertexId(),
        fields.ageMillis(),
        fields.lastUpload(),
        toCheck);
  }

  private static List<IdJson> ids(List<StoreInstanceId> ids) {
    return ids.stream().map(IdJson::of).toList();
  }

  @Override
  public void reportActiveInstances(StoreLocation location, List<InstanceReport> reports) {
    tell(
        new Messages.ReportActiveInstances(
            location.host(),
            location.executorId(),
            reports.stream().map(Messages.Report::of).toList()));
  }

  @Override
  public boolean verifyIfInstanceActive(StoreInstanceId id, String executorId) {
    return query(
            new Messages.VerifyIfInstanceActive(IdJson.of(id), executorId),
            Messages.VerifyIfInstanceActiveReply.class)
        .active();
  }

  @Override
  public Optional<StoreLocation> getLocation(LocationQuery query) {
    return Optional.ofNullable(
            query(new Messages.GetLocation(IdJson.of(query)), Messages.GetLocationReply.class)
                .location())
        .map(Messages.LocationJson::toLocation);
  }

  @Override
  public List<Optional<StoreLocation>> getLocations(List<LocationQuery> queries) {
    Messages.GetLocationsReply reply =
        query(
            new Messages.GetLocations(queries.stream().map(IdJson::of).toList()),
            Messages.GetLocationsReply.class);
    List<Optional<StoreLocation>> locations = new ArrayList<>();
    reply
        .locations()
        .forEach(
            location ->
                locations.add(
                    Optional.ofNullable(location).map(Messages.LocationJson::toLocation)));
    return locations;
  }

  @Override
  public int deactivateInstances(String runId) {
    return ask(new Messages.DeactivateInstances(runId), Messages.DeactivateInstancesReply.class, 1)
        .deactivated();
  }

  @Override
  public boolean reportSnapshotUploaded(StoreInstanceId id, SnapshotUpload upload) {
    UploadJson fields = new UploadJson(upload.version(), upload.timeMillis());
    return ask(
            new Messages.ReportSnapshotUploaded(
                IdJson.of(id), fields.version(), fields.timeMillis()),
            Messages.ReportSnapshotUploadedReply.class,
            1)
        .kept();
  }

  @Override
  public List<LaggingStore> getLaggingStores(
      String runId, long latestVersion, boolean terminating) {
    return query(
            new Messages.GetLaggingStores(runId, latestVersion, terminating),
            Messages.GetLaggingStoresReply.class)
        .stores()
        .stream()
        .map(Messages.LaggingJson::toStore)
        .toList();
  }

  @Override
  public int withdrawInstances(StoreLocation location, List<StoreInstanceId> ids) {
    return ask(
            new Messages.WithdrawInstances(location.host(), location.executorId(), ids(ids)),
            Messages.WithdrawInstancesReply.class,
            1)
        .withdrawn();
  }

  @Override
  public long heartbeat(StoreLocation location) {
    return query(
            new Messages.Heartbeat(location.host(), location.executorId()),
            Messages.HeartbeatReply.class)
        .registration();
  }

  @Override
  public boolean removeExecutor(StoreLocation location) {
    return ask(
            new Messages.RemoveExecutor(location.host(), location.executorId()),
            Messages.RemoveExecutorReply.class,
            1)
        .removed();
  }

  @Override
  public List<StoreInstance> listInstances(InstanceFilter filter) {
    return query(Messages.ListInstances.of(filter), Messages.ListInstancesReply.class)
        .instances()
        .stream()
        .map(InstanceJson::toInstance)
        .toList();
  }

  @Override
  public long countInstances(InstanceFilter filter) {
    Messages.ListInstances list = Messages.ListInstances.of(filter);
    return query(
            new Messages.CountInstances(list.runIds(), list.operatorIds(), list.partitionIds()),
            Messages.CountInstancesReply.class)
        .count();
  }

  /** Stops the coordinator for all its clients; needs the admin token. */
  @Override
  public void stopCoordinator() {
    ask(new Messages.StopCoordinator(), Messages.StopCoordinatorReply.class, 1);
  }

  /** Where the coordinator is. */
  public String url() {
    return options.url().toString();
  }

  private <T> T query(Record message, Class<T> reply) {
    return ask(message, reply, options.attempts());
  }

  private void tell(Record message) {
    try {
      send(message);
    } catch (IOException e) {
      throw unavailable(e);
    }
  }

  private <T> T ask(Record message, Class<T> type, int attempts) {
    for (int attempt = 1; ; attempt++) {
      try {
        return Json.readReply(send(message), type);
      } catch (IOException e) {
        if (attempt >= attempts) {
          throw unavailable(e);
        }
        pause(attempt, e);
      }
    }
  }

  private void pause(int attempt, IOException failure) {
    long most = FIRST_PAUSE_MILLIS << attempt;
    try {
      TimeUnit.MILLISECONDS.sleep(ThreadLocalRandom.current().nextLong(most / 2, most));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unavailable(failure);
    }
  }

  /** Sends a message once, and returns the body of the reply if it was not refused. */
  private byte[] send(Record message) throws IOException {
    HttpPost request =
        new HttpPost(options.url().resolve(Messages.PATH + message.getClass().getSimpleName()));
    request.setEntity(new ByteArrayEntity(Json.write(message), ContentType.APPLICATION_JSON));
    options.token().ifPresent(token -> request.setHeader("Authorization", "Bearer " + token));
    CompletableFuture<Boolean> isLate = new CompletableFuture<>();
    // The socket's own time limit starts again with each packet of the reply.
    CompletableFuture<Void> limit =
        isLate
            .completeOnTimeout(true, options.timeout().toMillis(), TimeUnit.MILLISECONDS)
            .thenAccept(
                late -> {
                  if (late) {
                    request.cancel();
                  }
                });
    try {
      return http.execute(request, this::read);
    } catch (IOException e) {
      if (e instanceof SocketTimeoutException || isLate.getNow(false)) {
        throw new IOException("no answer within " + options.timeout().toMillis() + " ms", e);
      }
      throw e;
    } finally {
      isLate.complete(false);
      limit.join();
    }
  }

  private byte[] read(ClassicHttpResponse response) throws IOException {
    byte[] body =
        response.getEntity() == null ? new byte[0] : EntityUtils.toByteArray(response.getEntity());
    if (response.getCode() >= 300) {
      refuse(response.getCode(), body);
    }
    return body;
  }

  private void refuse(int status, byte[] body) throws IOException {
    String reason = Json.readReply(body, Messages.ErrorReply.class).error();
    String message = "The coordinator at " + url() + " answered " + status + ": " + reason;
    if (status == UNAVAILABLE) {
      throw new CoordinatorStoppedException(message);
    }
    if (status == INSUFFICIENT_STORAGE) {
      throw new RegistryFullException(message);
    }
    if (status >= 500) {
      throw new IOException("it answered " + status + ": " + reason);
    }
    throw new CoordinatorRefusedException(status, message);
  }

  private CoordinatorUnavailableException unavailable(IOException failure) {
    return new CoordinatorUnavailableException(
        "The coordinator at " + url() + " cannot be reached (" + reason(failure) + ").", failure);
  }

  private static String reason(Throwable failure) {
    if (failure instanceof ConnectException) {
      return "nothing listens there";
    }
    return failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
  }
}
