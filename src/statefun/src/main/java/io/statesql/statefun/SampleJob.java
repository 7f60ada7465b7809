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
package io.statesql.statefun;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.statefun.flink.core.StatefulFunctionsConfig;
import org.apache.flink.statefun.flink.core.message.MessageFactoryType;
import org.apache.flink.statefun.flink.core.message.RoutableMessage;
import org.apache.flink.statefun.flink.datastream.RequestReplyFunctionBuilder;
import org.apache.flink.statefun.flink.datastream.StatefulFunctionDataStreamBuilder;
import org.apache.flink.streaming.api.CheckpointingMode;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * Runs embedded and remote functions in this process, and takes a savepoint when all messages have
 * arrived.
 */
public final class SampleJob {
  private static final int PARALLELISM = 2;
  private static final int MAX_PARALLELISM = 16;

  private SampleJob() {}

  /**
   * Writes a savepoint and prints where.
   *
   * @param args the folder in which the savepoint's folder is made; {@code canonical} or {@code
   *     native}; and, if the job shall begin with one, the savepoint to restore
   */
  public static void main(String[] args) throws Exception {
    Configuration configuration = new Configuration();
    configuration.setString("state.backend", "rocksdb");
    configuration.setString("state.backend.incremental", "true");
    configuration.setString("jobmanager.memory.process.size", "1g");
    configuration.setString(
        "classloader.parent-first-patterns.additional",
        "org.apache.flink.statefun;org.apache.kafka;com.google.protobuf");
    if (args.length > 2) {
      configuration.setString("execution.savepoint.path", Path.of(args[2]).toUri().toString());
    }
    StreamExecutionEnvironment env =
        StreamExecutionEnvironment.createLocalEnvironment(PARALLELISM, configuration);
    env.setMaxParallelism(MAX_PARALLELISM);
    env.enableCheckpointing(TimeUnit.HOURS.toMillis(1), CheckpointingMode.EXACTLY_ONCE);
    DataStream<RoutableMessage> visits = env.addSource(new Visits(args.length > 2)).uid("visits");
    try (Greeter greeter = new Greeter()) {
      StatefulFunctionsConfig functions = StatefulFunctionsConfig.fromEnvironment(env);
      functions.setFactoryType(MessageFactoryType.WITH_PROTOBUF_PAYLOADS);
      StatefulFunctionDataStreamBuilder.builder("sample")
          .withDataStreamAsIngress(visits)
          .withFunctionProvider(Basket.TYPE, type -> new Basket())
          .withRequestReplyRemoteFunction(
              RequestReplyFunctionBuilder.requestReplyFunctionBuilder(Greeter.TYPE, greeter.uri()))
          .withConfiguration(functions)
          .build(env);
      JobClient job = env.executeAsync("sample");
      // The functions keep no count of what they got; some seconds are plenty for twenty messages.
      TimeUnit.SECONDS.sleep(15);
      String savepoint =
          job.stopWithSavepoint(
                  false,
                  Path.of(args[0]).toAbsolutePath().toString(),
                  args[1].equals("native")
                      ? SavepointFormatType.NATIVE
                      : SavepointFormatType.CANONICAL)
              .get(2, TimeUnit.MINUTES);
      System.out.println(savepoint);
    }
  }
}
