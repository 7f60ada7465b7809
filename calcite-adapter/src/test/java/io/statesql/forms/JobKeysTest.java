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
import io.statesql.forms.KeyedForms.Form;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.api.java.typeutils.runtime.TupleSerializer;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.runtime.state.UncompressedStreamCompressionDecorator;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.streaming.api.operators.TimerHeapInternalTimer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** New keys of which the job's own classes know the hash code, and with it the key group. */
class JobKeysTest {
  private static final int MAX_PARALLELISM = KeyedForms.MAX_PARALLELISM;
  private static final String INSERT =
      "INSERT INTO %s (state_key_town, state_key_number, state_value) VALUES ('Chur', %d, 77)";

  @TempDir private Path folder;
  private JobKeys keys;

  @BeforeEach
  void compileJob() throws Exception {
    keys = JobKeys.in(folder);
  }

  @AfterEach
  void closeJob() {
    keys.close();
  }

  @ParameterizedTest
  @EnumSource(names = {"CANONICAL", "HEAP", "ROCKSDB"})
  void flinkFindsANewKeyOfAPojo(Form form) throws Exception {
    Path snapshot = keys.writePlaces(form);
    try (Connection connection = keys.connect(snapshot);
        Statement statement = connection.createStatement()) {
      String table = KeyLookupTest.table(connection, "total");
      connection.setAutoCommit(false);
      for (int number = 0; number < 10; number++) {
        assertThat(statement.executeUpdate(INSERT.formatted(table, number))).isOne();
      }
      connection.commit();
    }
    for (int number = 0; number < 10; number++) {
      assertThat(restoredTotal(form, "Chur", number)).as("total of Chur %d", number).isEqualTo(77);
    }
    assertThat(restoredTotal(form, "town 3", 3)).isEqualTo(3);
  }

  private Long restoredTotal(Form form, String town, int number) throws Exception {
    return keys.restoredTotal(form, keys.serializer("shop.Place"), keys.place(town, number));
  }

  /** What is read is found by its bytes, so it does not hang on the jar. */
  @Test
  void keysAreLookedUpAsWithoutTheJar() throws Exception {
    Path snapshot = keys.writePlaces(Form.CANONICAL);
    try (Connection connection = keys.connect(snapshot)) {
      StateSqlAssert.on(connection)
          .sql(
              "SELECT state_value FROM "
                  + KeyLookupTest.table(connection, "total")
                  + " WHERE state_key_town = 'town 3' AND state_key_number = 3")
          .explainContains("access=[full]")
          .returns("3");
    }
  }

  @Test
  void aTupleWithAPojoIsHashedAsAWhole() throws Exception {
    Path snapshot =
        keys.write(
            Form.CANONICAL,
            pairs(),
            number -> Tuple2.of(keys.place("town " + number, number), number));
    try (Connection connection = keys.connect(snapshot);
        Statement statement = connection.createStatement()) {
      String table = KeyLookupTest.table(connection, "total");
      assertThat(
              statement.executeUpdate(
                  "INSERT INTO "
                      + table
                      + " (state_key_f0, state_key_f1, state_value)"
                      + " SELECT ROW(5, 'Chur'), 4, 77"))
          .isOne();
      Object key = Tuple2.of(keys.place("Chur", 5), 4);
      StateSqlAssert.on(connection)
          .sql("SELECT key_group FROM " + table + " WHERE state_value = 77")
          .returns(String.valueOf(KeyGroupRangeAssignment.assignToKeyGroup(key, MAX_PARALLELISM)));
    }
  }

  @Test
  void aTimerOfANewKeyIsAdded() throws Exception {
    Path snapshot =
        keys.job()
            .within(
                () -> {
                  try (HeapBackend<Object> backend =
                      new HeapBackend<>(
                          keys.serializer("shop.Place"),
                          MAX_PARALLELISM,
                          UncompressedStreamCompressionDecorator.INSTANCE)) {
                    backend
                        .timers("_timer_state/event_t", VoidNamespaceSerializer.INSTANCE)
                        .add(
                            new TimerHeapInternalTimer<>(
                                5L, keys.place("Bern", 1), VoidNamespace.INSTANCE));
                    return Path.of(
                        backend
                            .write(folder.resolve("timers"), backend.canonicalSnapshot())
                            .folder()
                            .getPath());
                  }
                });
    try (Connection connection = keys.connect(snapshot);
        Statement statement = connection.createStatement()) {
      String timers = '"' + HeapBackend.OPERATOR.toHexString() + "\".timers";
      assertThat(
              statement.executeUpdate(
                  "INSERT INTO "
                      + timers
                      + " (state_key_town, state_key_number, time_domain, timer_timestamp,"
                      + " timer_service) VALUES ('Chur', 2, 'EVENT', 9, 't')"))
          .isOne();
      Object key = keys.place("Chur", 2);
      StateSqlAssert.on(connection)
          .sql("SELECT key_group FROM " + timers + " WHERE timer_timestamp = 9")
          .returns(String.valueOf(KeyGroupRangeAssignment.assignToKeyGroup(key, MAX_PARALLELISM)));
    }
  }

  @SuppressWarnings("unchecked")
  private TypeSerializer<Tuple2<Object, Integer>> pairs() throws ClassNotFoundException {
    return new TupleSerializer<>(
        (Class<Tuple2<Object, Integer>>) (Class<?>) Tuple2.class,
        new TypeSerializer<?>[] {keys.serializer("shop.Place"), IntSerializer.INSTANCE});
  }
}
