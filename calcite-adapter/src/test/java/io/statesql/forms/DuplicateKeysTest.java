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

import com.google.common.primitives.Bytes;
import com.google.common.primitives.Longs;
import io.statesql.StateSqlAssert;
import io.statesql.forms.KeyedForms.Form;
import io.statesql.type.KeyGroups;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A key that damage makes another of the same key group: then that one is there twice. */
class DuplicateKeysTest {
  @TempDir private Path folder;

  /** Files of RocksDB have checksums, and their keys are sorted. */
  @ParameterizedTest
  @EnumSource(names = {"CANONICAL", "HEAP"})
  void noRowOfKeyedStateHidesAnother(Form form) throws Exception {
    List<Long> keys =
        LongStream.range(123_456_789_000L, 123_456_789_100L)
            .filter(key -> keyGroup(key) == 3)
            .limit(2)
            .boxed()
            .toList();
    Path snapshot = KeyedForms.write(folder, form, LongSerializer.INSTANCE, keys);
    Path metadata = snapshot.resolve("_metadata");
    Files.write(
        metadata,
        replaced(Files.readAllBytes(metadata), Longs.toByteArray(keys.get(1)), keys.get(0)));

    try (Connection connection =
        DriverManager.getConnection("jdbc:statesql:snapshot=" + snapshot)) {
      StateSqlAssert sql = StateSqlAssert.on(connection);
      String total = KeyLookupTest.table(connection, "total");
      String keyedState = total.substring(0, total.indexOf('.')) + ".keyed_state";
      sql.sql("SELECT total FROM " + keyedState)
          .throwsSql("XX001", "state \"total\"", "the state has this key twice in its key group");
      sql.sql("SELECT parts FROM " + keyedState).throwsSql("XX001", "twice");
      sql.sql("SELECT COUNT(*) FROM " + keyedState).throwsSql("XX001", "twice");
    }
  }

  private static int keyGroup(long key) {
    return KeyGroups.of(Long.hashCode(key), KeyedForms.MAX_PARALLELISM);
  }

  private static byte[] replaced(byte[] all, byte[] key, long other) {
    byte[] result = all.clone();
    int at = Bytes.indexOf(result, key);
    while (at >= 0) {
      System.arraycopy(Longs.toByteArray(other), 0, result, at, key.length);
      at = Bytes.indexOf(result, key);
    }
    return result;
  }
}
