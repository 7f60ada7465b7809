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

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.StringJoiner;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.state.StateBackend;
import org.apache.flink.runtime.state.hashmap.HashMapStateBackend;
import org.apache.flink.state.api.OperatorIdentifier;
import org.apache.flink.state.api.SavepointReader;
import org.apache.flink.state.rocksdb.EmbeddedRocksDBStateBackend;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/** Asks Flink's State Processor API one question, once or again and again. */
public final class AskPeer {
  private final Configuration configuration = new Configuration();
  private final String snapshot;
  private final StateBackend backend;
  private final PeerQuestion question;
  private final Set<Long> wanted;

  private AskPeer(String snapshot, StateBackend backend, PeerQuestion question, Set<Long> wanted) {
    this.snapshot = snapshot;
    this.backend = backend;
    this.question = question;
    this.wanted = wanted;
    configuration.set(ExecutionOptions.RUNTIME_MODE, RuntimeExecutionMode.BATCH);
  }

  /**
   * The arguments: the snapshot; {@code hashmap} or {@code rocksdb}; the question; a file with the
   * keys that it asks for, one a line; for how many seconds to ask until the JVM is warm; how often
   * to ask then. Prints for each time a line with nanoseconds and the answer.
   */
  public static void main(String[] args) throws Exception {
    Set<Long> wanted = new HashSet<>();
    Files.readAllLines(Path.of(args[3])).forEach(line -> wanted.add(Long.valueOf(line)));
    AskPeer peer =
        new AskPeer(
            args[0],
            args[1].equals("rocksdb")
                ? new EmbeddedRocksDBStateBackend()
                : new HashMapStateBackend(),
            PeerQuestion.valueOf(args[2].toUpperCase(Locale.ROOT)),
            wanted);
    MiniCluster cluster = LocalCluster.start(peer.configuration);
    try {
      long warm = System.nanoTime() + TimeUnit.SECONDS.toNanos(Long.parseLong(args[4]));
      while (System.nanoTime() < warm) {
        peer.askOnce(cluster);
      }
      for (int i = 0; i < Integer.parseInt(args[5]); i++) {
        peer.askOnce(cluster);
      }
    } finally {
      cluster.close();
    }
  }

  private void askOnce(MiniCluster cluster) throws Exception {
    long begin = System.nanoTime();
    String answer = ask(cluster);
    System.out.println((System.nanoTime() - begin) + "\t" + answer);
  }

  private String ask(MiniCluster cluster) throws Exception {
    JobExecutionResult result = cluster.executeJobBlocking(job());
    StringJoiner sums = new StringJoiner(",");
    for (int i = 0; i < question.sums(); i++) {
      sums.add(String.valueOf(result.<Long>getAccumulatorResult(SumUp.SUM + i)));
    }
    return sums.toString();
  }

  private JobGraph job() throws Exception {
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.getExecutionEnvironment(configuration);
    environment.setParallelism(UserStates.PARALLELISM);
    environment.getConfig().enableObjectReuse();
    SavepointReader.read(environment, snapshot, backend)
        .readKeyedState(
            OperatorIdentifier.forUid(UserStates.UID),
            new ReadUsers(question, wanted),
            Types.LONG,
            PrimitiveArrayTypeInfo.LONG_PRIMITIVE_ARRAY_TYPE_INFO)
        .filter(new SumUp(question.sums()))
        .sinkTo(new DiscardingSink<>());
    return environment.getStreamGraph().getJobGraph();
  }
}
