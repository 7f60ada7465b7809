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
import io.statesql.format.rocksdb.RocksDbBackend;
import io.statesql.type.Shop;
import java.io.DataInputStream;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.common.ExecutionConfig;
import org.apache.flink.api.common.functions.AggregateFunction;
import org.apache.flink.api.common.state.AggregatingState;
import org.apache.flink.api.common.state.AggregatingStateDescriptor;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ReducingState;
import org.apache.flink.api.common.state.ReducingStateDescriptor;
import org.apache.flink.api.common.state.State;
import org.apache.flink.api.common.state.StateDescriptor;
import org.apache.flink.api.common.state.StateTtlConfig;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.UncompressedStreamCompressionDecorator;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;

/**
 * A snapshot with a state of every kind and of many types, under String keys, in each form that
 * Flink's backends write; and what Flink's backends restore of one.
 */
public enum EntryForms {
  CANONICAL,
  HEAP,
  ROCKSDB;

  public static final int MAX_PARALLELISM = 16;

  private static final Map<String, StateDescriptor<?, ?>> STATES = states();

  /** A key's state, by the backend that holds it. */
  private interface Backend {
    <S extends State> S state(String key, StateDescriptor<S, ?> descriptor) throws Exception;
  }

  private static Map<String, StateDescriptor<?, ?>> states() {
    Map<String, StateDescriptor<?, ?>> states = new LinkedHashMap<>();
    add(states, value("count", Types.LONG));
    add(states, value("name", Types.STRING));
    add(states, value("flag", Types.BOOLEAN));
    add(states, value("ratio", Types.DOUBLE));
    add(states, value("price", Types.BIG_DEC));
    add(states, value("day", Types.LOCAL_DATE));
    add(states, value("seen", Types.INSTANT));
    add(states, value("pair", Types.TUPLE(Types.STRING, Types.INT)));
    add(states, value("level", TypeInformation.of(Shop.Level.class)));
    add(states, value("address", Types.POJO(Shop.Address.class)));
    add(states, value("numbers", Types.LIST(Types.INT)));
    add(states, new ReducingStateDescriptor<>("largest", Math::max, Types.LONG));
    add(states, new AggregatingStateDescriptor<>("total", new Total(), Types.LONG));
    add(states, new ListStateDescriptor<>("words", Types.STRING));
    add(states, new MapStateDescriptor<>("parts", Types.STRING, Types.LONG));
    add(states, withTtl(value("visited", Types.STRING)));
    add(states, withTtl(new ListStateDescriptor<>("pages", Types.STRING)));
    add(states, withTtl(new MapStateDescriptor<>("hits", Types.STRING, Types.INT)));
    return states;
  }

  private static void add(
      Map<String, StateDescriptor<?, ?>> states, StateDescriptor<?, ?> descriptor) {
    states.put(descriptor.getName(), descriptor);
  }

  private static <T> ValueStateDescriptor<T> value(String name, TypeInformation<T> type) {
    return new ValueStateDescriptor<>(name, type);
  }

  private static <D extends StateDescriptor<?, ?>> D withTtl(D descriptor) {
    descriptor.enableTimeToLive(StateTtlConfig.newBuilder(Duration.ofDays(9)).build());
    return descriptor;
  }

  /** The names of all states. */
  public static List<String> names() {
    return List.copyOf(STATES.keySet());
  }

  /** The uid or id of the operator that has them. */
  public String operator() {
    return this == ROCKSDB ? RocksDbBackend.UID : HeapBackend.OPERATOR.toHexString();
  }

  /**
   * Writes a snapshot.
   *
   * @param folder to be filled
   * @param keys how many; each has all states
   * @return the snapshot's own folder
   */
  public Path write(Path folder, int keys) throws Exception {
    Files.createDirectories(folder);
    if (this == ROCKSDB) {
      try (RocksDbBackend<String> backend =
          RocksDbBackend.empty(folder, StringSerializer.INSTANCE, MAX_PARALLELISM)) {
        fill(of(backend), keys);
        RocksDbBackend.write(
            folder.resolve("chk-1"), MAX_PARALLELISM, List.of(backend.savepoint(1, 0)));
      }
      // Beside a folder that looks like a job's checkpoint nothing may be written.
      return Files.move(folder.resolve("chk-1"), folder.resolve("rocks"));
    }
    try (HeapBackend<String> backend =
        new HeapBackend<>(
            StringSerializer.INSTANCE,
            MAX_PARALLELISM,
            UncompressedStreamCompressionDecorator.INSTANCE)) {
      fill(of(backend), keys);
      Path snapshot = folder.resolve("heap");
      backend.write(
          snapshot, this == HEAP ? backend.nativeSnapshot() : backend.canonicalSnapshot());
      return snapshot;
    }
  }

  private static Backend of(RocksDbBackend<String> backend) {
    return new Backend() {
      @Override
      public <S extends State> S state(String key, StateDescriptor<S, ?> descriptor)
          throws Exception {
        return backend.state(
            key, VoidNamespace.INSTANCE, VoidNamespaceSerializer.INSTANCE, descriptor);
      }
    };
  }

  private static Backend of(HeapBackend<String> backend) {
    return new Backend() {
      @Override
      public <S extends State> S state(String key, StateDescriptor<S, ?> descriptor)
          throws Exception {
        descriptor.initializeSerializerUnlessSet(new ExecutionConfig());
        return backend.state(
            key, VoidNamespace.INSTANCE, VoidNamespaceSerializer.INSTANCE, descriptor);
      }
    };
  }

  @SuppressWarnings("unchecked")
  private static void fill(Backend backend, int keys) throws Exception {
    for (int i = 0; i < keys; i++) {
      String key = "key" + i;
      for (Map.Entry<String, Object> value : values(i).entrySet()) {
        State state = backend.state(key, STATES.get(value.getKey()));
        if (state instanceof ListState<?> list) {
          ((ListState<Object>) list).update((List<Object>) value.getValue());
        } else if (state instanceof MapState<?, ?> map) {
          ((MapState<Object, Object>) map).putAll((Map<Object, Object>) value.getValue());
        } else if (state instanceof ValueState<?> single) {
          ((ValueState<Object>) single).update(value.getValue());
        } else if (state instanceof ReducingState<?> reducing) {
          ((ReducingState<Object>) reducing).add(value.getValue());
        } else {
          ((AggregatingState<Object, ?>) state).add(value.getValue());
        }
      }
    }
  }

  private static Map<String, Object> values(int i) {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("count", (long) i);
    values.put("name", "name " + i);
    values.put("flag", i % 2 == 0);
    values.put("ratio", i / 4.0);
    values.put("price", new BigDecimal(i + ".50"));
    values.put("day", LocalDate.of(2026, 3, 1).plusDays(i));
    values.put("seen", Instant.ofEpochSecond(i, 5_000_000));
    values.put("pair", Tuple2.of("p" + i, i));
    values.put("level", i % 2 == 0 ? Shop.Level.BASIC : Shop.Level.GOLD);
    Shop.Address address = new Shop.Address();
    address.street = "street " + i;
    address.number = i;
    values.put("address", address);
    values.put("numbers", List.of(i, i + 1));
    values.put("largest", (long) i);
    values.put("total", (long) i);
    values.put("words", List.of("a" + i, "b" + i));
    values.put("parts", Map.of("x", (long) i, "y", i + 1L));
    values.put("visited", "visit " + i);
    values.put("pages", List.of("/a", "/b"));
    values.put("hits", Map.of("/a", i));
    return values;
  }

  /** The text of what Flink restores for a key, by the names of the states that it has. */
  public Map<String, String> restore(Path snapshot, Path work, String key) throws Exception {
    KeyedStateHandle handle = load(snapshot);
    Files.createDirectories(work);
    if (this == ROCKSDB) {
      try (RocksDbBackend<String> backend =
          new RocksDbBackend<>(
              work,
              StringSerializer.INSTANCE,
              MAX_PARALLELISM,
              new KeyGroupRange(0, MAX_PARALLELISM - 1),
              List.of(handle))) {
        return texts(of(backend), key);
      }
    }
    try (HeapBackend<String> backend =
        new HeapBackend<>(
            StringSerializer.INSTANCE,
            MAX_PARALLELISM,
            UncompressedStreamCompressionDecorator.INSTANCE,
            List.of(handle))) {
      return texts(of(backend), key);
    }
  }

  private static Map<String, String> texts(Backend backend, String key) throws Exception {
    Map<String, String> texts = new TreeMap<>();
    for (StateDescriptor<?, ?> descriptor : STATES.values()) {
      State state = backend.state(key, descriptor);
      Object value = content(state);
      if (value != null) {
        texts.put(descriptor.getName(), text(value));
      }
    }
    return texts;
  }

  private static Object content(State state) throws Exception {
    if (state instanceof ListState<?> list) {
      List<Object> elements = new ArrayList<>();
      list.get().forEach(elements::add);
      return elements.isEmpty() ? null : elements;
    }
    if (state instanceof MapState<?, ?> map) {
      Map<Object, Object> entries = new TreeMap<>();
      map.entries().forEach(entry -> entries.put(entry.getKey(), entry.getValue()));
      return entries.isEmpty() ? null : entries;
    }
    if (state instanceof ValueState<?> single) {
      return single.value();
    }
    return state instanceof ReducingState<?> reducing
        ? reducing.get()
        : ((AggregatingState<?, ?>) state).get();
  }

  private static String text(Object value) {
    return value instanceof Shop.Address address
        ? address.street + " " + address.number
        : value.toString();
  }

  private static KeyedStateHandle load(Path folder) throws Exception {
    try (var in = new DataInputStream(Files.newInputStream(folder.resolve("_metadata")))) {
      return Checkpoints.loadCheckpointMetadata(
              in, EntryForms.class.getClassLoader(), folder.toUri().toString())
          .getOperatorStates()
          .iterator()
          .next()
          .getState(0)
          .getManagedKeyedState()
          .iterator()
          .next();
    }
  }

  /** Adds numbers. */
  private static final class Total implements AggregateFunction<Long, Long, Long> {
    private static final long serialVersionUID = 1L;

    @Override
    public Long createAccumulator() {
      return 0L;
    }

    @Override
    public Long add(Long value, Long accumulator) {
      return value + accumulator;
    }

    @Override
    public Long getResult(Long accumulator) {
      return accumulator;
    }

    @Override
    public Long merge(Long a, Long b) {
      return a + b;
    }
  }
}
