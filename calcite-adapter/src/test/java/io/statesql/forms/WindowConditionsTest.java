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

import static org.assertj.core.api.Assertions.assertThat;

import io.statesql.StateSqlAssert;
import io.statesql.format.keygroup.HeapBackend;
import io.statesql.format.rocksdb.RocksDbBackend;
import io.statesql.forms.KeyedForms.Form;
import io.statesql.snapshot.Snapshot;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.List;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.runtime.state.UncompressedStreamCompressionDecorator;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** What conditions on the windows of a state read. */
class WindowConditionsTest {
  private static final int KEYS = 100;
  private static final int WINDOWS = 3;
  private static final int MINUTE = 60_000;
  private static final ValueStateDescriptor<Long> SUM =
      new ValueStateDescriptor<>("sum", LongSerializer.INSTANCE);
  private static final TimeWindow.Serializer SERIALIZER = new TimeWindow.Serializer();
  private static final String SECOND_WINDOW =
      "window_start = TIMESTAMP '1970-01-01 00:01:00'"
          + " AND window_end = TIMESTAMP '1970-01-01 00:02:00'";
  private static final String LAST =
      "SELECT key_groups, entries, scanned_rows FROM sys.last_statement";

  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "ROCKSDB_RESCALED")
  void theWindowOfAKeyIsFoundAtOnce(Form form) throws Exception {
    try (Connection connection = connect(form)) {
      StateSqlAssert sql = StateSqlAssert.on(connection);
      sql.sql(
              "SELECT state_value FROM %s WHERE state_key = 7 AND %s"
                  .formatted(KeyLookupTest.table(connection, "\"sum\""), SECOND_WINDOW))
          .explainContains("access=[point]", "(window_start, window_end) = ", "keyGroups=[1 of 8]")
          .returns("701");
      if (form == Form.ROCKSDB) {
        assertThat(sql.sql(LAST).rows().get(0)).isEqualTo("1, 1, 1");
      } else {
        assertThat(sql.sql(LAST).rows().get(0)).startsWith("1, ").endsWith(", 1");
      }
    }
  }

  /** Windows stand behind their keys: entries of others are passed over, in each form. */
  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "ROCKSDB_RESCALED")
  void otherWindowsArePassedOver(Form form) throws Exception {
    try (Connection connection = connect(form)) {
      StateSqlAssert sql = StateSqlAssert.on(connection);
      sql.sql(
              "SELECT SUM(state_value) FROM %s WHERE %s"
                  .formatted(KeyLookupTest.table(connection, "\"sum\""), SECOND_WINDOW))
          .explainContains("access=[full]", "(window_start, window_end) = ")
          .returns(String.valueOf(100 * KEYS * (KEYS - 1) / 2 + KEYS));
      assertThat(sql.sql(LAST).rows().get(0)).isEqualTo("8, " + KEYS * WINDOWS + ", " + KEYS);
    }
  }

  private Connection connect(Form form) throws Exception {
    Snapshot snapshot = form == Form.ROCKSDB ? writeRocksDb() : writeHeap(form);
    return DriverManager.getConnection("jdbc:statesql:snapshot=" + snapshot.folder().getPath());
  }

  private Snapshot writeRocksDb() throws Exception {
    try (RocksDbBackend<Long> backend =
        RocksDbBackend.empty(folder, LongSerializer.INSTANCE, KeyedForms.MAX_PARALLELISM)) {
      for (long key = 0; key < KEYS; key++) {
        for (int window = 0; window < WINDOWS; window++) {
          backend.state(key, window(window), SERIALIZER, SUM).update(100 * key + window);
        }
      }
      return RocksDbBackend.write(
          folder.resolve("chk-1"), KeyedForms.MAX_PARALLELISM, List.of(backend.checkpoint(1, 0)));
    }
  }

  private Snapshot writeHeap(Form form) throws Exception {
    try (HeapBackend<Long> backend =
        new HeapBackend<>(
            LongSerializer.INSTANCE,
            KeyedForms.MAX_PARALLELISM,
            UncompressedStreamCompressionDecorator.INSTANCE)) {
      for (long key = 0; key < KEYS; key++) {
        for (int window = 0; window < WINDOWS; window++) {
          backend.state(key, window(window), SERIALIZER, SUM).update(100 * key + window);
        }
      }
      return backend.write(
          folder.resolve("snapshot"),
          form == Form.HEAP ? backend.nativeSnapshot() : backend.canonicalSnapshot());
    }
  }

  private static TimeWindow window(int number) {
    return new TimeWindow((long) MINUTE * number, (long) MINUTE * (number + 1));
  }
}
