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
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.streaming.api.functions.source.SourceFunction;
import org.apache.flink.util.Collector;

/** Writes savepoints of state that Kryo wrote, one in each form. */
public final class ProfileJob {
  private static final int KEYS = 6;
  private static volatile CountDownLatch kept;

  private ProfileJob() {}

  public static void main(String[] args) throws Exception {
    Path target = Path.of(args[0]).toAbsolutePath();
    write("hashmap", SavepointFormatType.CANONICAL, target.resolve("canonical"));
    write("hashmap", SavepointFormatType.NATIVE, target.resolve("heap"));
    write("rocksdb", SavepointFormatType.NATIVE, target.resolve("rocksdb"));
  }

  private static void write(String backend, SavepointFormatType format, Path target)
      throws Exception {
    Configuration configuration = new Configuration();
    configuration.setString("state.backend.type", backend);
    kept = new CountDownLatch(KEYS);
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.createLocalEnvironment(1, configuration);
    environment.setMaxParallelism(4);
    environment.addSource(new Numbers()).keyBy(n -> n).process(new Keep()).uid("profiles");
    JobClient job = environment.executeAsync();
    try {
      kept.await();
      String savepoint = job.triggerSavepoint(target.getParent().toString(), format).get();
      // All of it stands in the metadata.
      Files.move(Path.of(URI.create(savepoint)), target);
    } finally {
      job.cancel().get();
    }
  }

  /** 0 to 5, and then nothing until the end. */
  public static final class Numbers implements SourceFunction<Integer> {
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

  /** Its states lie in the order of their names. */
  public static final class Keep extends KeyedProcessFunction<Integer, Integer, Object> {
    private transient ValueState<Profile> profile;
    private transient ValueState<Object> anything;
    private transient MapState<String, LocalDate> visits;
    private transient ValueState<Long> last;

    @Override
    public void open(Configuration unused) {
      profile = getRuntimeContext().getState(new ValueStateDescriptor<>("b-profile", Profile.class));
      anything =
          getRuntimeContext()
              .getState(new ValueStateDescriptor<>("a-thing", Types.GENERIC(Object.class)));
      visits =
          getRuntimeContext()
              .getMapState(
                  new MapStateDescriptor<>(
                      "c-visits", Types.STRING, Types.GENERIC(LocalDate.class)));
      last = getRuntimeContext().getState(new ValueStateDescriptor<>("d-last", Types.LONG));
    }

    @Override
    public void processElement(Integer n, Context context, Collector<Object> out)
        throws Exception {
      Profile value = new Profile();
      value.age = 20 + n;
      value.born = n == 1 ? null : LocalDate.of(2000, 1, 1 + n);
      value.counters = n == 2 ? null : new TreeMap<>();
      for (int i = 0; value.counters != null && i < n; i++) {
        value.counters.put("c" + i, i * 100);
      }
      value.name = "name" + n;
      profile.update(value);
      anything.update(new ArrayList<>(List.of(n, "text" + n, LocalDate.of(2026, 3, 1))));
      visits.put("first", LocalDate.of(2026, 1, 1 + n));
      visits.put("then", LocalDate.of(2026, 2, 1 + n));
      last.update(n * 10L);
      kept.countDown();
    }
  }
}
