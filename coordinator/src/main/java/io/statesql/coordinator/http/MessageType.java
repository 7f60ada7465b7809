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
package io.statesql.coordinator.http;

import io.statesql.coordinator.CoordinatorEndpoint;
import io.statesql.coordinator.InstanceReport;
import io.statesql.coordinator.ReportReply;
import io.statesql.coordinator.StoreInstanceId;
import io.statesql.coordinator.StoreLocation;
import io.statesql.coordinator.wire.IdJson;
import io.statesql.coordinator.wire.InstanceJson;
import io.statesql.coordinator.wire.Json;
import io.statesql.coordinator.wire.Messages;
import io.statesql.coordinator.wire.Messages.LocationJson;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Spliterators;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * A message: how its request is read and carried out.
 *
 * @param name the last part of its path
 * @param needsAdmin whether a token of the admin role is needed
 * @param handler what to do; gives the reply, a {@link RowStream} if it may be long, or null if the
 *     sender waits for none
 */
record MessageType<T>(
    String name,
    Class<T> request,
    boolean needsAdmin,
    BiFunction<CoordinatorEndpoint, T, Object> handler) {

  private static final int PAGE_ROWS = 500;

  private static final Map<String, MessageType<?>> BY_NAME =
      Stream.of(
              of(Messages.ReportActiveInstance.class, MessageType::report),
              of(
                  Messages.ReportActiveInstances.class,
                  (coordinator, message) -> {
                    coordinator.reportActiveInstances(message.location(), message.toReports());
                    return null;
                  }),
              of(
                  Messages.VerifyIfInstanceActive.class,
                  (coordinator, message) ->
                      new Messages.VerifyIfInstanceActiveReply(
                          coordinator.verifyIfInstanceActive(
                              message.toId(), required("executorId", message.executorId())))),
              of(
                  Messages.GetLocation.class,
                  (coordinator, message) ->
                      new Messages.GetLocationReply(
                          LocationJson.of(coordinator.getLocation(message.toQuery())))),
              of(
                  Messages.GetLocations.class,
                  (coordinator, message) ->
                      new Messages.GetLocationsReply(
                          map(coordinator.getLocations(message.toQueries()), LocationJson::of))),
              of(
                  Messages.DeactivateInstances.class,
                  (coordinator, message) ->
                      new Messages.DeactivateInstancesReply(
                          coordinator.deactivateInstances(message.runId()))),
              of(
                  Messages.ReportSnapshotUploaded.class,
                  (coordinator, message) ->
                      new Messages.ReportSnapshotUploadedReply(
                          coordinator.reportSnapshotUploaded(message.toId(), message.toUpload()))),
              of(
                  Messages.GetLaggingStores.class,
                  (coordinator, message) ->
                      new RowStream(
                          "stores",
                          pages(
                              coordinator.getLaggingStores(
                                  required("runId", message.runId()),
                                  message.version(),
                                  message.isTerminating()),
                              Messages.LaggingJson::of))),
              of(
                  Messages.WithdrawInstances.class,
                  (coordinator, message) ->
                      new Messages.WithdrawInstancesReply(
                          coordinator.withdrawInstances(message.location(), message.toIds()))),
              of(
                  Messages.Heartbeat.class,
                  (coordinator, message) ->
                      new Messages.HeartbeatReply(coordinator.heartbeat(message.location()))),
              of(
                  Messages.RemoveExecutor.class,
                  (coordinator, message) ->
                      new Messages.RemoveExecutorReply(
                          coordinator.removeExecutor(message.location()))),
              of(
                  Messages.ListInstances.class,
                  (coordinator, message) ->
                      new RowStream(
                          "instances",
                          map(coordinator.pageInstances(message.toFilter()), InstanceJson::of))),
              of(
                  Messages.CountInstances.class,
                  (coordinator, message) ->
                      new Messages.CountInstancesReply(
                          coordinator.countInstances(message.toFilter()))),
              new MessageType<>(
                  "StopCoordinator",
                  Messages.StopCoordinator.class,
                  true,
                  (coordinator, message) -> {
                    coordinator.stopCoordinator();
                    return new Messages.StopCoordinatorReply(true);
                  }))
          .collect(Collectors.toUnmodifiableMap(MessageType::name, Function.identity()));

  static Optional<MessageType<?>> find(String name) {
    return Optional.ofNullable(BY_NAME.get(name));
  }

  private static <T> MessageType<T> of(
      Class<T> request, BiFunction<CoordinatorEndpoint, T, Object> handler) {
    return new MessageType<>(request.getSimpleName(), request, false, handler);
  }

  /**
   * Carries out a request.
   *
   * @return the reply, or nothing if the sender waits for none
   * @throws IllegalArgumentException if the request is not what the message says
   */
  Optional<Object> handle(CoordinatorEndpoint coordinator, byte[] body, int length) {
    return Optional.ofNullable(handler.apply(coordinator, Json.readRequest(body, length, request)));
  }

  private static Object report(
      CoordinatorEndpoint coordinator, Messages.ReportActiveInstance message) {
    StoreLocation location = message.location();
    InstanceReport report = message.toReport();
    Optional<List<StoreInstanceId>> toCheck = message.toCheck();
    if (toCheck.isEmpty()) {
      coordinator.reportActiveInstance(location, report);
      return null;
    }
    ReportReply reply = coordinator.reportActiveInstance(location, report, toCheck.get());
    return new Messages.ReportActiveInstanceReply(
        reply.active(), map(reply.providerIdsToUnload(), IdJson::of));
  }

  private static String required(String name, String value) {
    if (value == null) {
      throw new IllegalArgumentException(name + " is missing");
    }
    return value;
  }

  /** The values may be null, which {@code Stream.toList} allows. */
  private static <T, R> List<R> map(List<T> values, Function<T, R> function) {
    return values.stream().map(function).toList();
  }

  private static <T, R> Iterator<List<R>> map(Iterator<List<T>> pages, Function<T, R> function) {
    Stream<List<T>> stream =
        StreamSupport.stream(Spliterators.spliteratorUnknownSize(pages, 0), false);
    return stream.map(page -> map(page, function)).iterator();
  }

  /** The parts of a list, each to be mapped when its turn comes. */
  private static <T, R> Iterator<List<R>> pages(List<T> values, Function<T, R> function) {
    return IntStream.iterate(0, from -> from < values.size(), from -> from + PAGE_ROWS)
        .mapToObj(from -> values.subList(from, Math.min(values.size(), from + PAGE_ROWS)))
        .map(page -> map(page, function))
        .iterator();
  }
}
