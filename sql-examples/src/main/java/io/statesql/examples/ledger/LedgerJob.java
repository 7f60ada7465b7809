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
package io.statesql.examples.ledger;

import io.statesql.examples.keys.NumbersRun;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Counts some numbers by their last digit and commits each in two phases, on a MiniCluster in this
 * JVM; ends with a savepoint, whose folder it prints. What the last one covers is committed then,
 * unless commits are held back.
 */
@Command(name = "ledger-job", mixinStandardHelpOptions = true)
public final class LedgerJob implements Callable<Integer> {
  private static final int MAX_PARALLELISM = 128;

  /** Savepoints alone make numbers committable; the pause delays the first checkpoint. */
  private static final Duration NEVER = Duration.ofDays(365);

  @Option(names = "--backend", defaultValue = "rocksdb")
  private String backend;

  @Option(names = "--parallelism", defaultValue = "2")
  private int parallelism;

  @Option(names = "--format", defaultValue = "CANONICAL")
  private SavepointFormatType format;

  @Option(names = "--hold", description = "commit nothing")
  private boolean holds;

  @Option(names = "--ledger", required = true, description = "the folder of what is committed")
  private Path ledger;

  @Option(names = "--from", required = true, description = "the first number")
  private long from;

  @Option(names = "--to", required = true, description = "behind the last number")
  private long to;

  @Option(names = "--restore-from")
  private Path restoreFrom;

  @Option(names = "--target", required = true)
  private Path target;

  public static void main(String[] args) {
    System.exit(new CommandLine(new LedgerJob()).execute(args));
  }

  @Override
  public Integer call() throws Exception {
    Configuration configuration = NumbersRun.configuration(backend, parallelism, MAX_PARALLELISM);
    configuration.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, NEVER);
    configuration.set(CheckpointingOptions.MIN_PAUSE_BETWEEN_CHECKPOINTS, NEVER);
    StreamExecutionEnvironment env =
        StreamExecutionEnvironment.getExecutionEnvironment(configuration);
    NumbersRun run = NumbersRun.of(from, to);
    SingleOutputStreamOperator<Long> numbers = run.numbers(env);
    count(numbers, "digits").sinkTo(new LedgerSink(ledger, holds)).uid("ledger").name("ledger");
    count(numbers, "other-digits").sinkTo(new DiscardingSink<>());
    System.out.println(
        run.run(
            env.getStreamGraph().getJobGraph(),
            configuration,
            restoreFrom,
            target,
            (cluster, job, folder) ->
                holds
                    ? cluster.triggerSavepoint(job, folder, true, format)
                    : cluster.stopWithSavepoint(job, folder, false, format)));
    return CommandLine.ExitCode.OK;
  }

  private static SingleOutputStreamOperator<Long> count(
      SingleOutputStreamOperator<Long> numbers, String uid) {
    return numbers
        .keyBy(number -> number % 10, Types.LONG)
        .process(new CountPerDigit())
        .returns(Types.LONG)
        .uid(uid)
        .name(uid);
  }
}
