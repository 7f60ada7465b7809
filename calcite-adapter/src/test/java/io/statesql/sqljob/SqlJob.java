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
package io.statesql.sqljob;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
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
import org.apache.flink.runtime.executiongraph.AccessExecutionVertex;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobgraph.SavepointRestoreSettings;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.types.Row;
import org.apache.flink.types.RowKind;
import org.codehaus.commons.compiler.CompilerFactoryFactory;

/** A query of Flink SQL that runs on a MiniCluster in this JVM until it is stopped. */
final class SqlJob implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofMinutes(5);
  private static final long POLL_MILLIS = 10;
  private static final int MAX_PARALLELISM = 128;

  private final String run = UUID.randomUUID().toString();
  private final MiniCluster cluster;
  private JobID job;

  private SqlJob(MiniCluster cluster) {
    this.cluster = cluster;
  }

  /**
   * Starts a query over the table {@code events} of {@link Events}.
   *
   * @param options of Flink SQL
   * @param savepoint where it goes on from, or null
   */
  static SqlJob start(
      String query, Map<String, String> options, String backend, int parallelism, Path savepoint)
      throws Exception {
    Configuration configuration = Configuration.fromMap(options);
    configuration.set(RestOptions.BIND_PORT, "0");
    configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "none");
    configuration.set(CoreOptions.DEFAULT_PARALLELISM, parallelism);
    configuration.set(PipelineOptions.MAX_PARALLELISM, MAX_PARALLELISM);
    configuration.set(StateBackendOptions.STATE_BACKEND, backend);
    SqlJob started =
        new SqlJob(
            new MiniCluster(
                new MiniClusterConfiguration.Builder()
                    .setConfiguration(configuration)
                    .setNumTaskManagers(1)
                    .setNumSlotsPerTaskManager(parallelism)
                    .build()));
    try {
      started.run(query, configuration, savepoint);
    } catch (Exception e) {
      started.close();
      throw e;
    }
    return started;
  }

  /**
   * The loader of Flink's planner hides the resource that names Janino, and finds what was found
   * before: by other tests, if any ran.
   */
  private static void findCompiler() throws Exception {
    CompilerFactoryFactory.getDefaultCompilerFactory(SqlJob.class.getClassLoader());
  }

  private void run(String query, Configuration configuration, Path savepoint) throws Exception {
    findCompiler();
    StreamExecutionEnvironment env =
        StreamExecutionEnvironment.getExecutionEnvironment(configuration);
    StreamTableEnvironment tables = StreamTableEnvironment.create(env);
    DataStream<Row> sent =
        env.fromSource(
                new NumberSequenceSource(0, Long.MAX_VALUE - 1),
                WatermarkStrategy.noWatermarks(),
                "ticks")
            .setParallelism(1)
            .flatMap(new SentRows(run))
            .returns(Events.ROWS)
            .setParallelism(1);
    tables.createTemporaryView("events", tables.fromDataStream(sent, Events.SCHEMA));
    tables
        .toChangelogStream(tables.sqlQuery(query))
        .filter(new Changelog(run))
        .sinkTo(new DiscardingSink<>());
    JobGraph graph = env.getStreamGraph().getJobGraph();
    if (savepoint != null) {
      graph.setSavepointRestoreSettings(
          SavepointRestoreSettings.forPath(savepoint.toUri().toString(), false));
    }
    cluster.start();
    cluster.submitJob(graph).get();
    job = graph.getJobID();
  }

  /** Sends events behind those that were sent before. */
  void send(Row... events) {
    SentRows.of(run).addAll(List.of(events));
  }

  /** All changes so far, as in {@code +I[a, 1]}. */
  List<String> changes() {
    return Changelog.of(run);
  }

  /** The rows that the changes so far amount to, their values parted by commas. */
  List<String> result() {
    List<String> rows = new ArrayList<>();
    List<String> removed = new ArrayList<>();
    for (String change : changes()) {
      String row = change.substring(RowKind.INSERT.shortString().length() + 1, change.length() - 1);
      boolean adds = change.charAt(0) == '+';
      (adds ? rows : removed).add(row);
    }
    for (String row : removed) {
      if (!rows.remove(row)) {
        throw new AssertionError("removed but never added: " + row);
      }
    }
    return rows;
  }

  /** Waits until so many changes have come out. */
  void awaitChanges(int count) throws Exception {
    await(() -> changes().size() >= count, count + " changes");
  }

  /** Ends the job when it has had all events, and yields its savepoint. */
  Path stop(SavepointFormatType format, Path folder) throws Exception {
    await(() -> SentRows.of(run).isEmpty() && isRunning(), "the end of the events");
    String savepoint =
        cluster.stopWithSavepoint(job, folder.toUri().toString(), false, format).get();
    return Path.of(URI.create(savepoint));
  }

  private void await(Callable<Boolean> condition, String what) throws Exception {
    Instant end = Instant.now().plus(LIMIT);
    while (!condition.call()) {
      if (Instant.now().isAfter(end) || state().isTerminalState()) {
        throw new AssertionError(
            what + " does not come; the job " + state() + " with " + changes());
      }
      Thread.sleep(POLL_MILLIS);
    }
  }

  /** A savepoint needs every task to run. */
  private boolean isRunning() throws Exception {
    for (AccessExecutionVertex vertex :
        cluster.getArchivedExecutionGraph(job).get().getAllExecutionVertices()) {
      if (vertex.getExecutionState() != ExecutionState.RUNNING) {
        return false;
      }
    }
    return true;
  }

  private JobStatus state() throws Exception {
    return cluster.getJobStatus(job).get();
  }

  @Override
  public void close() throws ExecutionException {
    try {
      cluster.close();
    } catch (Exception e) {
      throw new ExecutionException("the cluster does not end", e);
    }
  }
}
