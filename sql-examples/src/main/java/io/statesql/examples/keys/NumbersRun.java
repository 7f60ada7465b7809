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
package io.statesql.examples.keys;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.HeartbeatManagerOptions;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.runtime.execution.ExecutionState;
import org.apache.flink.runtime.executiongraph.AccessExecutionGraph;
import org.apache.flink.runtime.executiongraph.AccessExecutionVertex;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobgraph.SavepointRestoreSettings;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * One run of a job over numbers on a MiniCluster in this JVM, which ends with a savepoint.
 *
 * @param name another one for each run
 * @param from the first number
 * @param to behind the last number
 */
public record NumbersRun(String name, long from, long to) {
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final long POLL_MILLIS = 20;

  /** Ends a job. */
  @FunctionalInterface
  public interface End {
    /** Takes a savepoint below a folder and yields its address. */
    CompletableFuture<String> of(MiniCluster cluster, JobID job, String folder);
  }

  /** A run over some numbers. */
  public static NumbersRun of(long from, long to) {
    return new NumbersRun(UUID.randomUUID().toString(), from, to);
  }

  /** What all such jobs have in common. */
  public static Configuration configuration(String backend, int parallelism, int maxParallelism) {
    Configuration configuration = new Configuration();
    configuration.set(RestOptions.BIND_PORT, "0");
    // All of the cluster is in this JVM: one that is late is busy, not lost.
    configuration.set(HeartbeatManagerOptions.HEARTBEAT_TIMEOUT, PATIENCE);
    configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "none");
    configuration.set(CoreOptions.DEFAULT_PARALLELISM, parallelism);
    configuration.set(PipelineOptions.MAX_PARALLELISM, maxParallelism);
    configuration.set(StateBackendOptions.STATE_BACKEND, backend);
    return configuration;
  }

  /** The numbers, by an operator that starts anew in each run. */
  public SingleOutputStreamOperator<Long> numbers(StreamExecutionEnvironment env) {
    return env.fromSource(
            new NumberSequenceSource(from, Long.MAX_VALUE - 1),
            WatermarkStrategy.noWatermarks(),
            "numbers")
        .uid("numbers-" + name)
        .setParallelism(1)
        .filter(new NumbersUpTo(name, to))
        .setParallelism(1);
  }

  /**
   * Runs a job until it has had all numbers.
   *
   * @param restoreFrom a savepoint to start from, or null
   * @param target the folder below which the savepoint goes
   * @return the address of the savepoint
   */
  public String run(
      JobGraph job, Configuration configuration, Path restoreFrom, Path target, End end)
      throws Exception {
    if (restoreFrom != null) {
      job.setSavepointRestoreSettings(
          SavepointRestoreSettings.forPath(restoreFrom.toUri().toString(), true));
    }
    MiniCluster cluster =
        new MiniCluster(
            new MiniClusterConfiguration.Builder()
                .setConfiguration(configuration)
                .setNumTaskManagers(1)
                .setNumSlotsPerTaskManager(configuration.get(CoreOptions.DEFAULT_PARALLELISM))
                .build());
    try {
      cluster.start();
      cluster.submitJob(job).get();
      if (!NumbersUpTo.passed(name).await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        throw new IllegalStateException("The job did not take all numbers in " + PATIENCE);
      }
      while (!isRunning(cluster.getArchivedExecutionGraph(job.getJobID()).get())) {
        Thread.sleep(POLL_MILLIS);
      }
      String folder = Files.createDirectories(target).toAbsolutePath().toUri().toString();
      return end.of(cluster, job.getJobID(), folder).get();
    } finally {
      cluster.close();
    }
  }

  /** A savepoint needs every task to run. */
  private static boolean isRunning(AccessExecutionGraph graph) {
    if (graph.getState().isTerminalState()) {
      throw new IllegalStateException("The job is " + graph.getState());
    }
    for (AccessExecutionVertex vertex : graph.getAllExecutionVertices()) {
      if (vertex.getExecutionState() != ExecutionState.RUNNING) {
        return false;
      }
    }
    return true;
  }
}
