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
package io.statesql.location;

import io.statesql.HostContext;
import io.statesql.OpenSplits;
import io.statesql.OpenSplits.OpenSplit;
import io.statesql.coordinator.CoordinatorEndpoint;
import io.statesql.coordinator.CoordinatorSettings;
import io.statesql.coordinator.InstanceReport;
import io.statesql.coordinator.StoreCoordinator;
import io.statesql.coordinator.StoreId;
import io.statesql.coordinator.StoreInstanceId;
import io.statesql.coordinator.StoreLocation;
import io.statesql.coordinator.client.ClientOptions;
import io.statesql.coordinator.client.CoordinatorClient;
import io.statesql.coordinator.client.ReporterOptions;
import io.statesql.coordinator.client.StoreReporter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This process as an executor: what it reads is in a registry of its own, and is reported to each
 * coordinator that a connection named, from then on until the process ends. Its executor id is the
 * process number, and its run a number that no other process has. Safe for use by many threads.
 */
public final class ProcessStores {
  private static final Logger LOG = LoggerFactory.getLogger(ProcessStores.class);
  private static final String ENGINE = "statesql";
  private static final StoreLocation LOCATION =
      new StoreLocation(hostName(), Long.toString(ProcessHandle.current().pid()));
  private static final String RUN_ID = UUID.randomUUID().toString();
  private static final CoordinatorEndpoint REGISTRY = registry();

  /** By what they were made from. */
  private static final Map<ClientOptions, CoordinatorEndpoint> COORDINATORS =
      new ConcurrentHashMap<>();

  private ProcessStores() {}

  private static CoordinatorEndpoint registry() {
    StoreCoordinator registry = new StoreCoordinator(CoordinatorSettings.EMBEDDED);
    HostContext.ofThisProcess()
        .openSplits()
        .addListener(
            new OpenSplits.Listener() {
              @Override
              public void opened(OpenSplit split) {
                registry.reportActiveInstance(LOCATION, InstanceReport.now(id(split), ENGINE));
              }

              @Override
              public void closed(OpenSplit split) {
                registry.withdrawInstances(LOCATION, List.of(id(split)));
              }
            });
    return registry;
  }

  /** The registry of this process, which knows its own stores and no others. */
  public static CoordinatorEndpoint ofThisProcess() {
    return REGISTRY;
  }

  /**
   * A coordinator elsewhere, to which this process reports what it reads. Nothing is sent before
   * this returns, and nobody waits for what is sent afterwards.
   */
  public static CoordinatorEndpoint at(ClientOptions options) {
    return COORDINATORS.computeIfAbsent(options, ProcessStores::reportTo);
  }

  @SuppressWarnings("resource") // reports as long as the process lives
  private static CoordinatorEndpoint reportTo(ClientOptions options) {
    CoordinatorClient client = new CoordinatorClient(options);
    reportTo(client);
    return client;
  }

  /** Reports what this process reads to a coordinator, until the result is closed. */
  public static Reports reportTo(CoordinatorEndpoint coordinator) {
    Reports reports =
        new Reports(new StoreReporter(coordinator, LOCATION, ReporterOptions.DEFAULT));
    HostContext.ofThisProcess().openSplits().addListener(reports);
    return reports;
  }

  /** What this process tells one coordinator. */
  public static final class Reports implements OpenSplits.Listener, AutoCloseable {
    private final StoreReporter reporter;

    private Reports(StoreReporter reporter) {
      this.reporter = reporter;
    }

    @Override
    public void opened(OpenSplit split) {
      reporter.active(id(split), ENGINE, null);
    }

    @Override
    public void closed(OpenSplit split) {
      reporter.inactive(id(split));
    }

    @Override
    public void close() {
      HostContext.ofThisProcess().openSplits().removeListener(this);
      reporter.close();
    }
  }

  private static StoreInstanceId id(OpenSplit split) {
    return new StoreInstanceId(
        new StoreId(split.snapshot(), split.operatorId(), split.subtask(), split.store()), RUN_ID);
  }

  /** The kernel knows it at once; Java asks for its address too, which may take seconds. */
  private static String hostName() {
    Path kernel = Path.of("/proc/sys/kernel/hostname");
    if (Files.isReadable(kernel)) {
      try {
        return Files.readString(kernel).strip();
      } catch (IOException e) {
        LOG.debug("{} cannot be read", kernel, e);
      }
    }
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      // A machine without a name of its own is at least this.
      return InetAddress.getLoopbackAddress().getHostName();
    }
  }
}
