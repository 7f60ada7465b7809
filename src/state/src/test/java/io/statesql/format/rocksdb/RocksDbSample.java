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
package io.statesql.format.rocksdb;

import io.statesql.snapshot.Snapshot;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.state.rocksdb.RocksDBOptionsFactory;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;

/** A small snapshot whose tables hold values, merge operands and tombstones at several levels. */
final class RocksDbSample {
  static final int MAX_PARALLELISM = 8;

  private static final int KEYS = 200;
  private static final int ROUNDS = 3;

  private RocksDbSample() {}

  /**
   * Writes the sample below a folder.
   *
   * @return the folder of the snapshot
   */
  static Path write(Path folder) throws Exception {
    return write(folder, table -> table, CompressionType.SNAPPY_COMPRESSION);
  }

  /** Likewise, with tables of another form. */
  static Path write(
      Path folder, UnaryOperator<BlockBasedTableConfig> form, CompressionType compression)
      throws Exception {
    RocksDBOptionsFactory options =
        new RocksDBOptionsFactory() {
          @Override
          public DBOptions createDBOptions(
              DBOptions current, Collection<AutoCloseable> handlesToClose) {
            return current;
          }

          @Override
          public ColumnFamilyOptions createColumnOptions(
              ColumnFamilyOptions current, Collection<AutoCloseable> handlesToClose) {
            return current
                .setCompressionType(compression)
                .setTableFormatConfig(form.apply(new BlockBasedTableConfig()));
          }
        };
    List<Snapshot> snapshots = new ArrayList<>();
    try (RocksDbBackend<Long> backend =
        RocksDbBackend.empty(folder, LongSerializer.INSTANCE, MAX_PARALLELISM, options)) {
      for (int round = 1; round <= ROUNDS; round++) {
        for (long key = 0; key < KEYS; key++) {
          change(backend, key, round);
        }
        snapshots.add(
            RocksDbBackend.write(
                folder.resolve("chk-" + round),
                MAX_PARALLELISM,
                List.of(backend.checkpoint(round, 0))));
      }
    }
    return Path.of(snapshots.get(ROUNDS - 1).folder().getPath());
  }

  private static void change(RocksDbBackend<Long> backend, long key, int round) throws Exception {
    VoidNamespaceSerializer none = VoidNamespaceSerializer.INSTANCE;
    var value =
        backend.state(
            key,
            VoidNamespace.INSTANCE,
            none,
            new ValueStateDescriptor<>("value", StringSerializer.INSTANCE));
    if ((key + round) % 3 == 0) {
      value.clear();
    } else {
      value.update("some value of key " + key + " in round " + round);
    }
    backend
        .state(
            key,
            VoidNamespace.INSTANCE,
            none,
            new ListStateDescriptor<>("list", LongSerializer.INSTANCE))
        .add(key * round);
    backend
        .state(
            key,
            VoidNamespace.INSTANCE,
            none,
            new MapStateDescriptor<>("map", StringSerializer.INSTANCE, LongSerializer.INSTANCE))
        .put("map key " + round, key);
  }
}
