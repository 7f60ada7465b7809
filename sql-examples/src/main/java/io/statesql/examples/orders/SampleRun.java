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
package io.statesql.examples.orders;

import io.statesql.examples.orders.input.OrderFacts;
import io.statesql.examples.orders.input.RuleFacts;
import io.statesql.examples.orders.job.OrdersJob;
import io.statesql.examples.orders.source.StageGate;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.ExternalizedCheckpointRetention;
import org.apache.flink.configuration.HeartbeatManagerOptions;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.core.execution.CheckpointType;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.execution.ExecutionState;
import org.apache.flink.runtime.executiongraph.AccessExecutionGraph;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobgraph.SavepointRestoreSettings;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;

/**
 * One run of the {@link OrdersJob} on a MiniCluster in this JVM, which ends with a snapshot.
 *
 * @param backend {@code hashmap} or {@code rocksdb}
 * @param form the snapshot to write
 * @param compression whether Flink compresses the state with snappy
 * @param parallelism of every operator but the sources, which have at most {@link OrderFacts#LANES}
 * @param maxParallelism the number of key groups
 * @param orders how many orders the snapshot covers
 * @param stages how many snapshots are taken on the way, the last one included: stage k of n covers
 *     {@code orders * k / n} orders
 * @param inlineBelow state handles of at most so many bytes go into the metadata file
 * @param restoreFrom a snapshot to start from, of at most as many orders
 * @param claim whether that snapshot belongs to the job from then on
 * @param target the folder below which Flink makes a folder for each snapshot
 */
public record SampleRun(
    String backend,
    SnapshotForm form,
    boolean compression,
    int parallelism,
    int maxParallelism,
    long orders,
    int stages,
    MemorySize inlineBelow,
    Optional<Path> restoreFrom,
    boolean claim,
    Path target) {

  private static final Duration PATIENCE = Duration.ofMinutes(10);

  /**
   * Checkpoints are taken on demand only: the period is never reached. The pause delays the first
   * one, which the coordinator takes on its own as soon as the job runs.
   */
  private static final Duration NEVER = Duration.ofDays(365);

  /**
   * Runs the job and returns the folder of the last snapshot.
   *
   * @throws IllegalStateException if the job fails, or does not get that far within ten minutes
   */
  public Path write() throws Exception {
    String run = UUID.randomUUID().toString();
    OrdersJob.Gates gates = new OrdersJob.Gates(run + "-orders", run + "-rules");
    MiniCluster cluster = new MiniCluster(clusterConfiguration());
    try (StageGate orderGate = StageGate.open(gates.orders(), OrderFacts.LANES);
        StageGate ruleGate = StageGate.open(gates.rules(), 1)) {
      cluster.start();
      JobGraph job = OrdersJob.streamGraph(configuration(), gates).getJobGraph();
      restoreFrom.ifPresent(
          path ->
              job.setSavepointRestoreSettings(
                  SavepointRestoreSettings.fromConfiguration(recovery(path))));
      cluster.submitJob(job).get();
      awaitRunning(cluster, job.getJobID());
      ruleGate.raise(RuleFacts.COUNT);
      await(cluster, job.getJobID(), ruleGate, RuleFacts.COUNT);
      Path snapshot = null;
      for (int stage = 1; stage <= stages; stage++) {
        long limit = orders * stage / stages;
        orderGate.raise(limit);
        await(cluster, job.getJobID(), orderGate, limit);
        snapshot = takeSnapshot(cluster, job.getJobID());
      }
      cluster.cancelJob(job.getJobID()).get();
      cluster.requestJobResult(job.getJobID()).get();
      return snapshot;
    } finally {
      cluster.close();
    }
  }

  /** A run that starts from a snapshot of this one and ends with a canonical savepoint. */
  public SampleRun continuedFrom(Path snapshot, long moreOrders) {
    return new SampleRun(
        backend,
        SnapshotForm.CANONICAL,
        compression,
        parallelism,
        maxParallelism,
        moreOrders,
        1,
        inlineBelow,
        Optional.of(snapshot),
        false,
        target);
  }

  /** By texts: Flink 1.20, which tests compile this for too, has the modes in another class. */
  private Configuration recovery(Path path) {
    return Configuration.fromMap(
        Map.of(
            StateRecoveryOptions.SAVEPOINT_PATH.key(),
            path.toUri().toString(),
            StateRecoveryOptions.RESTORE_MODE.key(),
            claim ? "CLAIM" : "NO_CLAIM"));
  }

  private MiniClusterConfiguration clusterConfiguration() {
    return new MiniClusterConfiguration.Builder()
        .setConfiguration(configuration())
        .setNumTaskManagers(1)
        .setNumSlotsPerTaskManager(parallelism)
        .build();
  }

  private Configuration configuration() {
    Configuration configuration = new Configuration();
    configuration.set(RestOptions.BIND_PORT, "0");
    // All of the cluster is in this JVM: one that is late is busy, not lost.
    configuration.set(HeartbeatManagerOptions.HEARTBEAT_TIMEOUT, PATIENCE);
    configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "none");
    configuration.set(CoreOptions.DEFAULT_PARALLELISM, parallelism);
    configuration.set(PipelineOptions.MAX_PARALLELISM, maxParallelism);
    configuration.set(StateBackendOptions.STATE_BACKEND, backend);
    configuration.set(ExecutionOptions.SNAPSHOT_COMPRESSION, compression);
    configuration.set(CheckpointingOptions.FS_SMALL_FILE_THRESHOLD, inlineBelow);
    configuration.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, target.toUri().toString());
    if (!form.isSavepoint()) {
      configureCheckpoints(configuration);
    }
    return configuration;
  }

  private void configureCheckpoints(Configuration configuration) {
    configuration.set(
        CheckpointingOptions.INCREMENTAL_CHECKPOINTS, form == SnapshotForm.INCREMENTAL_CHECKPOINT);
    configuration.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, NEVER);
    configuration.set(CheckpointingOptions.MIN_PAUSE_BETWEEN_CHECKPOINTS, NEVER);
    configuration.set(CheckpointingOptions.MAX_RETAINED_CHECKPOINTS, stages);
    configuration.set(
        CheckpointingOptions.EXTERNALIZED_CHECKPOINT_RETENTION,
        ExternalizedCheckpointRetention.RETAIN_ON_CANCELLATION);
  }

  /** A snapshot needs every task to run; the sources may be ahead of the others. */
  private static void awaitRunning(MiniCluster cluster, JobID job) throws Exception {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!isRunning(cluster.getArchivedExecutionGraph(job).get())) {
      failIfEnded(cluster, job);
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("The job does not run after " + PATIENCE);
      }
      Thread.sleep(20);
    }
  }

  /** Not so for a graph without vertices, which is what a job has that still initializes. */
  private static boolean isRunning(AccessExecutionGraph graph) {
    List<ExecutionState> states = new ArrayList<>();
    graph.getAllExecutionVertices().forEach(vertex -> states.add(vertex.getExecutionState()));
    return !states.isEmpty() && states.stream().allMatch(ExecutionState.RUNNING::equals);
  }

  private static void await(MiniCluster cluster, JobID job, StageGate gate, long limit)
      throws Exception {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!gate.awaitReached(limit, Duration.ofSeconds(1))) {
      failIfEnded(cluster, job);
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("The source did not reach " + limit + " in " + PATIENCE);
      }
    }
  }

  private static void failIfEnded(MiniCluster cluster, JobID job)
      throws ExecutionException, InterruptedException {
    if (cluster.getJobStatus(job).get().isTerminalState()) {
      throw new IllegalStateException(
          "The job ended before its snapshot",
          cluster.requestJobResult(job).get().getSerializedThrowable().orElse(null));
    }
  }

  /**
   * Takes a snapshot. Its barriers travel behind everything that the sources have emitted, so it
   * covers all of that, wherever the records are now.
   */
  private Path takeSnapshot(MiniCluster cluster, JobID job) throws Exception {
    if (form.isSavepoint()) {
      SavepointFormatType format =
          form == SnapshotForm.CANONICAL
              ? SavepointFormatType.CANONICAL
              : SavepointFormatType.NATIVE;
      return Path.of(
          URI.create(
              cluster.triggerSavepoint(job, target.toUri().toString(), false, format).get()));
    }
    CheckpointType type =
        form == SnapshotForm.FULL_CHECKPOINT ? CheckpointType.FULL : CheckpointType.INCREMENTAL;
    long id = cluster.triggerCheckpoint(job, type).get();
    return target.resolve(job.toHexString()).resolve("chk-" + id);
  }
}
