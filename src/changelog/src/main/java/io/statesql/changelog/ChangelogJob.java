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
package io.statesql.changelog;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.execution.ExecutionState;
import org.apache.flink.runtime.executiongraph.AccessExecutionGraph;
import org.apache.flink.runtime.executiongraph.AccessExecutionVertex;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobgraph.SavepointRestoreSettings;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Runs rounds of a job with a changelog, each of which claims the last checkpoint of the one
 * before. Leaves the checkpoint of the last round and a canonical savepoint of the same state.
 */
@Command(name = "changelog-job", mixinStandardHelpOptions = true)
public final class ChangelogJob implements Callable<Integer> {
  static final int KEYS = 10;

  private static final long POLL_MILLIS = 20;
  private static final JobID JOB = JobID.fromHexString("c4a9e10900000000000000000000c4a9");

  @Option(names = "--backend", description = "hashmap, rocksdb or rocksdb-incremental")
  private String backend = "hashmap";

  @Option(names = "--storage", description = "of the changes: memory or filesystem")
  private String storage = "filesystem";

  @Option(names = "--compressed", description = "the changes, and what the backend writes")
  private boolean compressed;

  @Option(names = "--inline", description = "state below so many bytes goes into _metadata")
  private String inline = "0b";

  @Option(
      names = "--retained",
      description = "how many checkpoints are kept, a claimed savepoint among them")
  private int retained = 1;

  @Option(names = "--turns", description = "how many numbers each key gets in a round")
  private int turns = 5;

  @Option(
      names = "--rounds",
      split = ",",
      required = true,
      description =
          "for each round its parallelism, with an m if its state is to be materialized, and with an"
              + " s if the next one claims a canonical savepoint")
  private List<String> rounds;

  @Option(names = "--target", required = true)
  private Path target;

  public static void main(String[] args) {
    System.exit(new CommandLine(new ChangelogJob()).execute(args));
  }

  @Override
  public Integer call() throws Exception {
    String checkpoint = null;
    for (int i = 0; i < rounds.size(); i++) {
      checkpoint = run(i, checkpoint);
    }
    System.out.println(checkpoint);
    return CommandLine.ExitCode.OK;
  }

  /** Returns the checkpoint that the next round claims. */
  private String run(int round, String restoreFrom) throws Exception {
    boolean materialized = rounds.get(round).endsWith("m");
    boolean isLast = round == rounds.size() - 1;
    boolean isClaimedAsSavepoint = rounds.get(round).endsWith("s");
    int parallelism = Integer.parseInt(rounds.get(round).replaceAll("[ms]", ""));
    Configuration configuration = configuration(parallelism, materialized);
    if (restoreFrom != null) {
      configuration.setString("execution.state-recovery.path", restoreFrom);
      configuration.setString("execution.state-recovery.claim-mode", "CLAIM");
      // The source of each round is a new one.
      configuration.setString("execution.state-recovery.ignore-unclaimed-state", "true");
    }
    String name = UUID.randomUUID().toString();
    JobGraph job = job(configuration, name, round);
    try (MiniCluster cluster =
        new MiniCluster(
            new MiniClusterConfiguration.Builder()
                .setConfiguration(configuration)
                .setNumTaskManagers(1)
                .setNumSlotsPerTaskManager(parallelism)
                .build())) {
      cluster.start();
      cluster.submitJob(job).get();
      while (!isRunning(cluster.getArchivedExecutionGraph(JOB).get())
          || !NumbersOfRound.passed(name).await(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
        Thread.sleep(POLL_MILLIS);
      }
      String checkpoint = cluster.triggerCheckpoint(JOB).get();
      while (materialized && !Materialized.isAll(checkpoint)) {
        checkpoint = cluster.triggerCheckpoint(JOB).get();
      }
      if (isLast) {
        savepoint(cluster, target);
      } else if (isClaimedAsSavepoint) {
        checkpoint = savepoint(cluster, target.resolve("claimed"));
      }
      cluster.cancelJob(JOB).get();
      while (cluster.getJobStatus(JOB).get() != JobStatus.CANCELED) {
        Thread.sleep(POLL_MILLIS);
      }
      return checkpoint;
    }
  }

  private static String savepoint(MiniCluster cluster, Path parent) throws Exception {
    String folder = Files.createDirectories(parent).toAbsolutePath().toUri().toString();
    return cluster.triggerSavepoint(JOB, folder, false, SavepointFormatType.CANONICAL).get();
  }

  private Configuration configuration(int parallelism, boolean materialized) {
    String folder = target.toAbsolutePath().toUri().toString();
    Configuration configuration = new Configuration();
    configuration.set(RestOptions.BIND_PORT, "0");
    configuration.set(CoreOptions.DEFAULT_PARALLELISM, parallelism);
    configuration.setString("pipeline.max-parallelism", "16");
    configuration.setString("heartbeat.timeout", "5 min");
    configuration.setString("restart-strategy.type", "none");
    configuration.setString("state.backend.type", backend.replace("-incremental", ""));
    configuration.setString(
        "execution.checkpointing.incremental", "" + backend.endsWith("incremental"));
    configuration.setString("execution.checkpointing.interval", "1 d");
    configuration.setString("execution.checkpointing.snapshot-compression", "" + compressed);
    configuration.setString("execution.checkpointing.dir", folder);
    configuration.setString("execution.checkpointing.data-inline-threshold", inline);
    configuration.setString("execution.checkpointing.num-retained", "" + retained);
    configuration.setString(
        "execution.checkpointing.externalized-checkpoint-retention", "RETAIN_ON_CANCELLATION");
    configuration.setString("state.changelog.enabled", "true");
    configuration.setString("state.changelog.storage", storage);
    configuration.setString("state.changelog.periodic-materialize.enabled", "" + materialized);
    configuration.setString("state.changelog.periodic-materialize.interval", "100 ms");
    configuration.setString("dstl.dfs.base-path", folder);
    configuration.setString("dstl.dfs.compression.enabled", "" + compressed);
    return configuration;
  }

  private JobGraph job(Configuration configuration, String name, int round) {
    long from = (long) round * turns * KEYS;
    long to = from + (long) turns * KEYS;
    StreamExecutionEnvironment env =
        StreamExecutionEnvironment.getExecutionEnvironment(configuration);
    env.fromSource(
            new NumberSequenceSource(from, Long.MAX_VALUE - 1),
            WatermarkStrategy.noWatermarks(),
            "numbers")
        .uid("numbers-" + name)
        .setParallelism(1)
        .filter(new NumbersOfRound(name, to))
        .setParallelism(1)
        .keyBy(number -> number % KEYS, Types.LONG)
        .process(new AllChanges())
        .uid("changes")
        .sinkTo(new DiscardingSink<>());
    JobGraph job = env.getStreamGraph().getJobGraph();
    job.setJobID(JOB);
    job.setSavepointRestoreSettings(SavepointRestoreSettings.fromConfiguration(configuration));
    return job;
  }

  /** A checkpoint needs every task to run. */
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
