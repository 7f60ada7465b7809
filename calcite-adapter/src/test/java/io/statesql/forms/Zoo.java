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
package io.statesql.forms;

import io.statesql.format.keygroup.HeapBackend;
import io.statesql.format.operator.OperatorStateWriter;
import io.statesql.format.rocksdb.RocksDbBackend;
import io.statesql.job.JobProject;
import io.statesql.snapshot.Snapshot;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.State;
import org.apache.flink.api.common.state.StateDescriptor;
import org.apache.flink.api.common.state.StateTtlConfig;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.SnappyStreamCompressionDecorator;
import org.apache.flink.runtime.state.StreamCompressionDecorator;
import org.apache.flink.runtime.state.UncompressedStreamCompressionDecorator;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.streaming.api.operators.TimerHeapInternalTimer;

/**
 * The state of a zoo, whose job has not registered the class {@code zoo.Dog} that extends the POJO
 * {@code zoo.Animal}. Flink's heap backend makes the serializer of such a class where it writes
 * values, and forgets it before it writes the header.
 */
final class Zoo {
  static final int MAX_PARALLELISM = 4;

  /** How the heap backend stores it. */
  enum Form {
    CANONICAL,
    CANONICAL_COMPRESSED,
    HEAP,
    HEAP_COMPRESSED
  }

  private final JobProject job;

  private Zoo(JobProject job) {
    this.job = job;
  }

  /** Compiles the job. */
  static Zoo in(Path folder) throws Exception {
    return new Zoo(
        JobProject.compile(
            folder.resolve("zoo.jar"),
            Map.of(
                "zoo.Animal",
                ANIMAL,
                "zoo.Dog",
                DOG,
                "zoo.Shape",
                SHAPE,
                "zoo.Dot",
                DOT,
                "zoo.Box",
                BOX)));
  }

  JobProject job() {
    return job;
  }

  /** A jar of a later version of the job, whose Dog has one more field. */
  static Path laterJar(Path folder) throws Exception {
    String dog = DOG.replace("public String breed;", "public String breed; public long born;");
    Path jar = folder.resolve("later.jar");
    JobProject.compile(jar, Map.of("zoo.Animal", ANIMAL, "zoo.Dog", dog)).close();
    return jar;
  }

  private static final String ANIMAL =
      """
      package zoo;
      public class Animal {
        public int legs;
        public String name;
        public Animal() {}
        public Animal(int legs, String name) { this.legs = legs; this.name = name; }
        @Override public int hashCode() { return legs; }
        @Override public boolean equals(Object other) {
          return getClass() == other.getClass() && legs == ((Animal) other).legs;
        }
      }
      """;

  private static final String DOG =
      """
      package zoo;
      public class Dog extends Animal {
        public String breed;
        public boolean good = true;
        public Dog() {}
        public Dog(int legs, String name, String breed) { super(legs, name); this.breed = breed; }
      }
      """;

  private static final String SHAPE =
      "package zoo; public abstract class Shape { public String colour = \"red\"; }";

  private static final String DOT =
      """
      package zoo;
      public class Dot extends Shape {
        public double x;
        public Dot() {}
        public Dot(double x) { this.x = x; }
      }
      """;

  private static final String BOX =
      """
      package zoo;
      public class Box {
        public Animal pet;
        public java.util.List<Animal> all;
        public int number;
        public Box() {}
        public Box(Animal pet, java.util.List<Animal> all, int number) {
          this.pet = pet;
          this.all = all;
          this.number = number;
        }
      }
      """;

  Object animal(String name) throws ReflectiveOperationException {
    return job.make("zoo.Animal", 4, name);
  }

  Object dog(String name) throws ReflectiveOperationException {
    return job.make("zoo.Dog", 3, name, "Collie");
  }

  Object box(Object pet, int number) throws ReflectiveOperationException {
    return job.make("zoo.Box", pet, List.of(pet, animal("Rex")), number);
  }

  @SuppressWarnings("unchecked")
  TypeSerializer<Object> serializer(String className) throws ClassNotFoundException {
    return ((TypeInformation<Object>) TypeInformation.of(job.type(className)))
        .createSerializer(new SerializerConfigImpl());
  }

  /** A key's state, by the backend that holds it. */
  interface Backend {
    <S extends State> S state(String key, StateDescriptor<S, ?> descriptor) throws Exception;
  }

  /** What a test does with the state. */
  interface Filling {
    void fill(Backend backend) throws Exception;
  }

  /**
   * Writes a value {@code animal} (a Dog under {@code bob}), one with a time to live {@code aged},
   * a map {@code byName}, a list {@code pack}, a value {@code box} with animals in it, a value
   * {@code shape} whose class is abstract, and a number {@code total}.
   *
   * @return the snapshot's folder
   */
  Path write(Path folder, Form form) throws Exception {
    return write(folder, form, this::fill);
  }

  Path write(Path folder, Form form, Filling filling) throws Exception {
    boolean compressed = form == Form.CANONICAL_COMPRESSED || form == Form.HEAP_COMPRESSED;
    StreamCompressionDecorator compression =
        compressed
            ? SnappyStreamCompressionDecorator.INSTANCE
            : UncompressedStreamCompressionDecorator.INSTANCE;
    return job.within(
        () -> {
          try (HeapBackend<String> backend =
              new HeapBackend<>(StringSerializer.INSTANCE, MAX_PARALLELISM, compression)) {
            filling.fill(
                new Backend() {
                  @Override
                  public <S extends State> S state(String key, StateDescriptor<S, ?> descriptor)
                      throws Exception {
                    return backend.state(
                        key, VoidNamespace.INSTANCE, VoidNamespaceSerializer.INSTANCE, descriptor);
                  }
                });
            boolean canonical = form == Form.CANONICAL || form == Form.CANONICAL_COMPRESSED;
            Snapshot snapshot =
                backend.write(
                    folder, canonical ? backend.canonicalSnapshot() : backend.nativeSnapshot());
            return Path.of(snapshot.folder().getPath());
          }
        });
  }

  private void fill(Backend backend) throws Exception {
    ValueStateDescriptor<Object> animal =
        new ValueStateDescriptor<>("animal", serializer("zoo.Animal"));
    backend.state("ada", animal).update(animal("Rex"));
    backend.state("bob", animal).update(dog("Bo"));
    ValueStateDescriptor<Object> aged =
        new ValueStateDescriptor<>("aged", serializer("zoo.Animal"));
    aged.enableTimeToLive(StateTtlConfig.newBuilder(Duration.ofDays(1)).build());
    backend.state("bob", aged).update(dog("Al"));
    backend
        .state(
            "ada",
            new MapStateDescriptor<>("byName", StringSerializer.INSTANCE, serializer("zoo.Animal")))
        .put("d", dog("Di"));
    ListState<Object> pack =
        backend.state("bob", new ListStateDescriptor<>("pack", serializer("zoo.Animal")));
    pack.add(animal("Rex"));
    pack.add(dog("Bo"));
    ValueStateDescriptor<Object> box = new ValueStateDescriptor<>("box", serializer("zoo.Box"));
    backend.state("ada", box).update(box(animal("Al"), 1));
    backend.state("bob", box).update(box(dog("Bo"), 2));
    backend
        .state("bob", new ValueStateDescriptor<>("shape", serializer("zoo.Shape")))
        // Its last bytes are not zeros, which might be a state without entries.
        .update(job.make("zoo.Dot", 0.1));
    ValueStateDescriptor<Long> total = new ValueStateDescriptor<>("total", LongSerializer.INSTANCE);
    backend.state("ada", total).update(1L);
    backend.state("bob", total).update(2L);
  }

  /**
   * Writes a number {@code total}, and a timer, under a Dog.
   *
   * @return the snapshot's folder
   */
  Path writeUnderDog(Path folder, Form form) throws Exception {
    return job.within(
        () -> {
          try (HeapBackend<Object> backend =
              new HeapBackend<>(
                  serializer("zoo.Animal"),
                  MAX_PARALLELISM,
                  UncompressedStreamCompressionDecorator.INSTANCE)) {
            backend
                .state(
                    dog("Bo"),
                    VoidNamespace.INSTANCE,
                    VoidNamespaceSerializer.INSTANCE,
                    new ValueStateDescriptor<>("total", LongSerializer.INSTANCE))
                .update(5L);
            backend
                .timers("_timer_state/event_closing", VoidNamespaceSerializer.INSTANCE)
                .add(new TimerHeapInternalTimer<>(7, dog("Bo"), VoidNamespace.INSTANCE));
            Snapshot snapshot =
                backend.write(
                    folder,
                    form == Form.HEAP ? backend.nativeSnapshot() : backend.canonicalSnapshot());
            return Path.of(snapshot.folder().getPath());
          }
        });
  }

  /**
   * Writes lists {@code flock} and a broadcast state {@code rules} of animals, a Dog last.
   *
   * @return the snapshot's folder
   */
  Path writeOperatorState(Path folder) throws Exception {
    Files.createDirectories(folder);
    return job.within(
        () ->
            new OperatorStateWriter(false)
                .add(
                    store -> {
                      ListState<Object> flock =
                          store.getListState(
                              new ListStateDescriptor<>("flock", serializer("zoo.Animal")));
                      flock.addAll(List.of(animal("Rex"), dog("Bo")));
                      store
                          .getBroadcastState(
                              new MapStateDescriptor<>(
                                  "rules", StringSerializer.INSTANCE, serializer("zoo.Animal")))
                          .put("r", dog("Bo"));
                    })
                .write(folder));
  }

  /**
   * Writes {@code box} by two subtasks with RocksDB, of which the second has met a Dog.
   *
   * @return the snapshot's folder
   */
  Path writeRocksDb(Path folder) throws Exception {
    return job.within(
        () -> {
          List<KeyedStateHandle> handles = new ArrayList<>();
          for (int subtask = 0; subtask < 2; subtask++) {
            KeyGroupRange half =
                new KeyGroupRange(
                    subtask * MAX_PARALLELISM / 2, (subtask + 1) * MAX_PARALLELISM / 2 - 1);
            try (RocksDbBackend<String> backend =
                new RocksDbBackend<>(
                    folder, StringSerializer.INSTANCE, MAX_PARALLELISM, half, List.of())) {
              String key = keyIn(half);
              backend
                  .state(
                      key,
                      VoidNamespace.INSTANCE,
                      VoidNamespaceSerializer.INSTANCE,
                      new ValueStateDescriptor<>("box", serializer("zoo.Box")))
                  .update(box(subtask == 0 ? animal("Al") : dog("Bo"), subtask));
              handles.add(backend.checkpoint(1 + subtask, 1 << 20));
            }
          }
          Snapshot snapshot =
              RocksDbBackend.write(folder.resolve("rocks"), MAX_PARALLELISM, handles);
          return Path.of(snapshot.folder().getPath());
        });
  }

  private static String keyIn(KeyGroupRange range) {
    for (char letter = 'a'; true; letter++) {
      String key = String.valueOf(letter);
      if (range.contains(KeyGroupRangeAssignment.assignToKeyGroup(key, MAX_PARALLELISM))) {
        return key;
      }
    }
  }
}
