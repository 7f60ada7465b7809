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
package io.statesql.kryo2;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.streaming.api.functions.source.SourceFunction;

/** Runs a job that keeps something under a few keys, and takes its savepoint in each form. */
final class Savepoints {
  /** The keys are 0 to 5. */
  static final int KEYS = 6;

  static final int MAX_PARALLELISM = 4;

  private static volatile CountDownLatch kept;

  private Savepoints() {}

  /** What a job keeps under its keys, and how often there is one of it. */
  record Job(String uid, KeyedProcessFunction<Integer, Integer, Object> function, int parallelism) {}

  /** Says that a function has kept something under one of the keys. */
  static void keptOne() {
    kept.countDown();
  }

  /** Writes the folders {@code canonical}, {@code heap} and {@code rocksdb}. */
  static void write(Job job, Path target) throws Exception {
    Files.createDirectories(target);
    write(job, "hashmap", SavepointFormatType.CANONICAL, target.resolve("canonical"));
    write(job, "hashmap", SavepointFormatType.NATIVE, target.resolve("heap"));
    write(job, "rocksdb", SavepointFormatType.NATIVE, target.resolve("rocksdb"));
  }

  private static void write(Job job, String backend, SavepointFormatType format, Path target)
      throws Exception {
    Configuration configuration = new Configuration();
    configuration.setString("state.backend.type", backend);
    // All of it stands in the metadata.
    configuration.setString("execution.checkpointing.data-inline-threshold", "1mb");
    kept = new CountDownLatch(KEYS);
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.createLocalEnvironment(job.parallelism(), configuration);
    environment.setMaxParallelism(MAX_PARALLELISM);
    environment.addSource(new Numbers()).keyBy(n -> n).process(job.function()).uid(job.uid());
    JobClient client = environment.executeAsync();
    try {
      kept.await();
      String savepoint =
          client.triggerSavepoint(target.getParent().toString(), format).get();
      Files.move(Path.of(URI.create(savepoint)), target);
    } finally {
      client.cancel().get();
    }
  }

  /** The keys, and then nothing until the end. */
  public static final class Numbers implements SourceFunction<Integer> {
    private static final long serialVersionUID = 1;

    private volatile boolean running = true;

    @Override
    public void run(SourceContext<Integer> context) throws InterruptedException {
      synchronized (context.getCheckpointLock()) {
        for (int i = 0; i < KEYS; i++) {
          context.collect(i);
        }
      }
      while (running) {
        Thread.sleep(10);
      }
    }

    @Override
    public void cancel() {
      running = false;
    }
  }
}
