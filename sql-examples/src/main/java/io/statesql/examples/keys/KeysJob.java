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
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.execution.ExecutionState;
import org.apache.flink.runtime.executiongraph.AccessExecutionGraph;
import org.apache.flink.runtime.executiongraph.AccessExecutionVertex;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobgraph.SavepointRestoreSettings;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Counts some numbers by a key of each {@link KeyType}, on a MiniCluster in this JVM, and ends with
 * a canonical savepoint, whose folder it prints.
 */
@Command(name = "keys-job", mixinStandardHelpOptions = true)
public final class KeysJob implements Callable<Integer> {
  private static final long MINUTES = 5;

  @Option(names = "--backend", defaultValue = "rocksdb")
  private String backend;

  @Option(names = "--parallelism", defaultValue = "2")
  private int parallelism;

  @Option(names = "--max-parallelism", defaultValue = "128")
  private int maxParallelism;

  @Option(names = "--from", required = true, description = "the first number")
  private long from;

  @Option(names = "--to", required = true, description = "behind the last number")
  private long to;

  @Option(names = "--restore-from")
  private Path restoreFrom;

  @Option(names = "--target", required = true)
  private Path target;

  public static void main(String[] args) {
    System.exit(new CommandLine(new KeysJob()).execute(args));
  }

  @Override
  public Integer call() throws Exception {
    String run = UUID.randomUUID().toString();
    MiniCluster cluster =
        new MiniCluster(
            new MiniClusterConfiguration.Builder()
                .setConfiguration(configuration())
                .setNumTaskManagers(1)
                .setNumSlotsPerTaskManager(parallelism)
                .build());
    try {
      cluster.start();
      JobGraph job = jobGraph(run);
      cluster.submitJob(job).get();
      if (!NumbersUpTo.passed(run).await(MINUTES, TimeUnit.MINUTES)) {
        throw new IllegalStateException("The job counts nothing after minutes: " + MINUTES);
      }
      while (!isRunning(cluster.getArchivedExecutionGraph(job.getJobID()).get())) {
        Thread.sleep(20);
      }
      String folder = Files.createDirectories(target).toAbsolutePath().toUri().toString();
      System.out.println(
          cluster
              .triggerSavepoint(job.getJobID(), folder, true, SavepointFormatType.CANONICAL)
              .get());
      return CommandLine.ExitCode.OK;
    } finally {
      cluster.close();
    }
  }

  /** A savepoint needs every task to run. */
  private static boolean isRunning(AccessExecutionGraph graph) {
    for (AccessExecutionVertex vertex : graph.getAllExecutionVertices()) {
      if (vertex.getExecutionState() != ExecutionState.RUNNING) {
        return false;
      }
    }
    return true;
  }

  private JobGraph jobGraph(String run) {
    StreamExecutionEnvironment env =
        StreamExecutionEnvironment.getExecutionEnvironment(configuration());
    SingleOutputStreamOperator<Long> numbers =
        env.fromSource(
                new NumberSequenceSource(from, Long.MAX_VALUE - 1),
                WatermarkStrategy.noWatermarks(),
                "numbers")
            // Another name in each run: it starts anew.
            .uid("numbers-" + run)
            .setParallelism(1)
            .filter(new NumbersUpTo(run, to))
            .setParallelism(1);
    KeyType.all().forEach(type -> count(numbers, type));
    JobGraph job = env.getStreamGraph().getJobGraph();
    if (restoreFrom != null) {
      job.setSavepointRestoreSettings(
          SavepointRestoreSettings.forPath(restoreFrom.toUri().toString(), true));
    }
    return job;
  }

  private static <K> void count(SingleOutputStreamOperator<Long> numbers, KeyType<K> type) {
    numbers
        .keyBy(type.ofNumber(), type.type())
        .process(new CountPerKey<>())
        .uid("by-" + type.name())
        .name("by-" + type.name())
        .sinkTo(new DiscardingSink<>());
  }

  private Configuration configuration() {
    Configuration configuration = new Configuration();
    configuration.set(RestOptions.BIND_PORT, "0");
    configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "none");
    configuration.set(CoreOptions.DEFAULT_PARALLELISM, parallelism);
    configuration.set(PipelineOptions.MAX_PARALLELISM, maxParallelism);
    configuration.set(StateBackendOptions.STATE_BACKEND, backend);
    return configuration;
  }
}
