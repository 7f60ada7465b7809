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
import io.statesql.job.JobProject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.State;
import org.apache.flink.api.common.state.StateDescriptor;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.runtime.state.UncompressedStreamCompressionDecorator;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;

/**
 * A snapshot of the job of {@link io.statesql.job.ShopSources}, in each form that Flink's backends
 * write: {@code orders}, {@code items}, {@code kept} and {@code extras} by Kryo, {@code balance} by
 * a serializer of the job's own, the POJO {@code basket} with a field by Kryo, and {@code total}, a
 * number; under the keys {@code ada} and {@code bob}.
 */
public enum ShopSnapshot {
  CANONICAL,
  HEAP,
  ROCKSDB;

  private static final int MAX_PARALLELISM = 8;

  /** A key's state, by the backend that holds it. */
  private interface Backend {
    <S extends State> S state(String key, StateDescriptor<S, ?> descriptor) throws Exception;
  }

  /** The uid or id of the operator. */
  public String operator() {
    return this == ROCKSDB ? RocksDbBackend.UID : HeapBackend.OPERATOR.toHexString();
  }

  /**
   * Writes a snapshot.
   *
   * @param folder below which it goes
   * @param cents the balance of {@code ada}
   * @return its own folder
   */
  public Path write(Path folder, JobProject job, long cents) throws Exception {
    return job.within(
        () -> this == ROCKSDB ? writeRocksDb(folder, job, cents) : writeHeap(folder, job, cents));
  }

  private static Path writeRocksDb(Path folder, JobProject job, long cents) throws Exception {
    try (RocksDbBackend<String> backend =
        RocksDbBackend.empty(folder, StringSerializer.INSTANCE, MAX_PARALLELISM)) {
      fill(
          new Backend() {
            @Override
            public <S extends State> S state(String key, StateDescriptor<S, ?> descriptor)
                throws Exception {
              return backend.state(
                  key, VoidNamespace.INSTANCE, VoidNamespaceSerializer.INSTANCE, descriptor);
            }
          },
          job,
          cents);
      Path snapshot = folder.resolve("chk-1");
      RocksDbBackend.write(snapshot, MAX_PARALLELISM, List.of(backend.checkpoint(1, 0)));
      return snapshot;
    }
  }

  private Path writeHeap(Path folder, JobProject job, long cents) throws Exception {
    try (HeapBackend<String> backend =
        new HeapBackend<>(
            StringSerializer.INSTANCE,
            MAX_PARALLELISM,
            UncompressedStreamCompressionDecorator.INSTANCE)) {
      fill(
          new Backend() {
            @Override
            public <S extends State> S state(String key, StateDescriptor<S, ?> descriptor)
                throws Exception {
              return backend.state(
                  key, VoidNamespace.INSTANCE, VoidNamespaceSerializer.INSTANCE, descriptor);
            }
          },
          job,
          cents);
      Path snapshot = folder.resolve("heap");
      backend.write(
          snapshot, this == HEAP ? backend.nativeSnapshot() : backend.canonicalSnapshot());
      return snapshot;
    }
  }

  private static void fill(Backend backend, JobProject job, long cents) throws Exception {
    ValueStateDescriptor<Object> orders =
        new ValueStateDescriptor<>("orders", serializer(job, "shop.Order"));
    ListStateDescriptor<Object> items =
        new ListStateDescriptor<>("items", serializer(job, "shop.Item"));
    ValueStateDescriptor<Object> baskets =
        new ValueStateDescriptor<>("basket", serializer(job, "shop.Basket"));
    ValueStateDescriptor<Object> balance = new ValueStateDescriptor<>("balance", money(job));
    ValueStateDescriptor<Long> total = new ValueStateDescriptor<>("total", LongSerializer.INSTANCE);
    ValueStateDescriptor<Object> extras =
        new ValueStateDescriptor<>("extras", serializer(Object.class));
    backend.state("ada", extras).update(new ArrayList<>(List.of(job.make("shop.Item", "bag"), 5)));
    backend.state("bob", extras).update(new ArrayList<>(List.of("none")));
    ValueStateDescriptor<Object> kept =
        new ValueStateDescriptor<>("kept", serializer(job, "shop.Counting$Kept"));
    backend.state("ada", kept).update(job.make("shop.Counting$Kept", 3));
    backend.state("ada", orders).update(job.make("shop.Order", "o-1", 0));
    ListState<Object> itemsOfAda = backend.state("ada", items);
    itemsOfAda.add(job.make("shop.Item", "pen"));
    itemsOfAda.add(job.make("shop.Gift", "ink", "hi"));
    backend.state("ada", balance).update(job.make("shop.Money", cents, "CHF"));
    backend.state("ada", total).update(1L);
    Object order = job.make("shop.Order", "o-2", 2);
    backend.state("bob", orders).update(order);
    backend.state("bob", baskets).update(job.make("shop.Basket", "left", order, 7));
    backend.state("bob", total).update(2L);
  }

  @SuppressWarnings("unchecked")
  private static TypeSerializer<Object> money(JobProject job) throws ReflectiveOperationException {
    return (TypeSerializer<Object>) job.make("shop.MoneySerializer", "CHF");
  }

  private static TypeSerializer<Object> serializer(JobProject job, String className)
      throws ClassNotFoundException {
    return serializer(job.type(className));
  }

  @SuppressWarnings("unchecked")
  private static TypeSerializer<Object> serializer(Class<?> type) {
    return ((TypeInformation<Object>) TypeInformation.of(type))
        .createSerializer(new SerializerConfigImpl());
  }
}
