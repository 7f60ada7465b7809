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

import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.SavepointFormatType;
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
    Configuration configuration = NumbersRun.configuration(backend, parallelism, maxParallelism);
    StreamExecutionEnvironment env =
        StreamExecutionEnvironment.getExecutionEnvironment(configuration);
    NumbersRun run = NumbersRun.of(from, to);
    SingleOutputStreamOperator<Long> numbers = run.numbers(env);
    KeyType.all().forEach(type -> count(numbers, type));
    System.out.println(
        run.run(
            env.getStreamGraph().getJobGraph(),
            configuration,
            restoreFrom,
            target,
            (cluster, job, folder) ->
                cluster.triggerSavepoint(job, folder, true, SavepointFormatType.CANONICAL)));
    return CommandLine.ExitCode.OK;
  }

  private static <K> void count(SingleOutputStreamOperator<Long> numbers, KeyType<K> type) {
    numbers
        .keyBy(type.ofNumber(), type.type())
        .process(new CountPerKey<>())
        .uid("by-" + type.name())
        .name("by-" + type.name())
        .sinkTo(new DiscardingSink<>());
  }
}
