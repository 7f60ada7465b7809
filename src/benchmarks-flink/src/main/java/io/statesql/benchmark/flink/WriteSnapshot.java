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
package io.statesql.benchmark.flink;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/** Runs a job on a MiniCluster that gives each of many users its states, and takes a savepoint. */
public final class WriteSnapshot {
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  private final Configuration configuration = new Configuration();
  private final SavepointFormatType format;
  private final long keys;
  private final Path folder;
  private final Path emitted;

  private WriteSnapshot(
      String backend, SavepointFormatType format, boolean compressed, long keys, Path folder) {
    this.format = format;
    this.keys = keys;
    this.folder = folder;
    this.emitted = folder.resolve("emitted");
    configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "none");
    configuration.set(PipelineOptions.MAX_PARALLELISM, UserStates.MAX_PARALLELISM);
    configuration.set(StateBackendOptions.STATE_BACKEND, backend);
    configuration.set(ExecutionOptions.SNAPSHOT_COMPRESSION, compressed);
    configuration.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, folder.toUri().toString());
  }

  /**
   * The arguments: {@code hashmap} or {@code rocksdb}; {@code CANONICAL} or {@code NATIVE}; whether
   * to compress; how many keys; an empty folder. Prints the folder of the savepoint, which is in
   * that one.
   */
  public static void main(String[] args) throws Exception {
    WriteSnapshot run =
        new WriteSnapshot(
            args[0],
            SavepointFormatType.valueOf(args[1]),
            Boolean.parseBoolean(args[2]),
            Long.parseLong(args[3]),
            Path.of(args[4]));
    System.out.println(run.write());
  }

  private Path write() throws Exception {
    MiniCluster cluster = LocalCluster.start(configuration);
    try {
      JobGraph job = job();
      cluster.submitJob(job).get();
      awaitEmitted(cluster, job.getJobID());
      String savepoint =
          cluster.triggerSavepoint(job.getJobID(), folder.toUri().toString(), true, format).get();
      return Path.of(URI.create(savepoint));
    } finally {
      cluster.close();
    }
  }

  private JobGraph job() {
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.getExecutionEnvironment(configuration);
    environment.getConfig().enableObjectReuse();
    DataGeneratorSource<Long> users =
        new DataGeneratorSource<>(
            user -> user, Long.MAX_VALUE, new FirstRecords<>(keys, emitted.toString()), Types.LONG);
    environment
        .fromSource(users, WatermarkStrategy.noWatermarks(), "users")
        .setParallelism(1)
        .keyBy(user -> user)
        .process(new FillStates())
        .uid(UserStates.UID)
        .setParallelism(UserStates.PARALLELISM)
        .sinkTo(new DiscardingSink<>())
        .setParallelism(UserStates.PARALLELISM);
    return environment.getStreamGraph().getJobGraph();
  }

  private void awaitEmitted(MiniCluster cluster, JobID job) throws Exception {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!Files.exists(emitted)) {
      if (cluster.getJobStatus(job).get().isTerminalState()) {
        cluster.requestJobResult(job).get().toJobExecutionResult(getClass().getClassLoader());
      }
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("The job has not filled its state after " + PATIENCE);
      }
      Thread.sleep(20);
    }
  }
}
