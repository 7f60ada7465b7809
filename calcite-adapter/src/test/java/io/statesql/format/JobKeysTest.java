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
package io.statesql.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.statesql.StateSqlAssert;
import io.statesql.format.KeyedForms.Form;
import io.statesql.job.JobProject;
import io.statesql.job.ShopSources;
import java.io.DataInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.EnumSerializer;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.api.java.typeutils.runtime.TupleSerializer;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.runtime.state.KeyedStateHandle;
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
  private static final ValueStateDescriptor<Long> TOTAL =
      new ValueStateDescriptor<>("total", LongSerializer.INSTANCE);

  @TempDir private Path folder;
  private JobProject job;

  @BeforeEach
  void compileJob() throws Exception {
    job = JobProject.compile(folder.resolve("shop.jar"), ShopSources.all());
  }

  @AfterEach
  void closeJob() {
    job.close();
  }

  @ParameterizedTest
  @EnumSource(names = {"CANONICAL", "HEAP", "ROCKSDB"})
  void flinkFindsANewKeyOfAPojo(Form form) throws Exception {
    Path snapshot = writePlaces(form);
    try (Connection connection = connect(snapshot, job);
        Statement statement = connection.createStatement()) {
      String table = KeyLookupTest.table(connection, "total");
      connection.setAutoCommit(false);
      for (int number = 0; number < 10; number++) {
        assertThat(statement.executeUpdate(INSERT.formatted(table, number))).isOne();
      }
      connection.commit();
    }
    for (int number = 0; number < 10; number++) {
      Object key = job.make("shop.Place", "Chur", number);
      assertThat(restoredTotal(form, key)).as("total of Chur %d", number).isEqualTo(77);
    }
    assertThat(restoredTotal(form, job.make("shop.Place", "town 3", 3))).isEqualTo(3);
  }

  @Test
  void withoutTheJarANewKeyIsRefused() throws Exception {
    Path snapshot = writePlaces(Form.CANONICAL);
    try (Connection connection = DriverManager.getConnection("jdbc:statesql:snapshot=" + snapshot);
        Statement statement = connection.createStatement()) {
      String insert = INSERT.formatted(KeyLookupTest.table(connection, "total"), 1);
      assertThatThrownBy(() -> statement.executeUpdate(insert))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("22000"))
          .hasMessageContaining("without the job's jar (the connection property 'jars')");
    }
  }

  /** What is read is found by its bytes, so it does not hang on the jar. */
  @Test
  void keysAreLookedUpAsWithoutTheJar() throws Exception {
    Path snapshot = writePlaces(Form.CANONICAL);
    try (Connection connection = connect(snapshot, job)) {
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
        job.within(
            () -> {
              List<Tuple2<Object, Integer>> keys = new ArrayList<>();
              for (int i = 0; i < 10; i++) {
                keys.add(Tuple2.of(job.make("shop.Place", "town " + i, i), i));
              }
              return KeyedForms.write(folder, Form.CANONICAL, pairs(), keys);
            });
    try (Connection connection = connect(snapshot, job);
        Statement statement = connection.createStatement()) {
      String table = KeyLookupTest.table(connection, "total");
      assertThat(
              statement.executeUpdate(
                  "INSERT INTO "
                      + table
                      + " (state_key_f0, state_key_f1, state_value)"
                      + " SELECT ROW(5, 'Chur'), 4, 77"))
          .isOne();
      Object key = Tuple2.of(job.make("shop.Place", "Chur", 5), 4);
      StateSqlAssert.on(connection)
          .sql("SELECT key_group FROM " + table + " WHERE state_value = 77")
          .returns(String.valueOf(KeyGroupRangeAssignment.assignToKeyGroup(key, MAX_PARALLELISM)));
    }
  }

  @Test
  void aTimerOfANewKeyIsAdded() throws Exception {
    Path snapshot =
        job.within(
            () -> {
              try (HeapBackend<Object> backend =
                  new HeapBackend<>(
                      places(), MAX_PARALLELISM, UncompressedStreamCompressionDecorator.INSTANCE)) {
                backend
                    .timers("_timer_state/event_t", VoidNamespaceSerializer.INSTANCE)
                    .add(
                        new TimerHeapInternalTimer<>(
                            5L, job.make("shop.Place", "Bern", 1), VoidNamespace.INSTANCE));
                return Path.of(
                    backend
                        .write(folder.resolve("timers"), backend.canonicalSnapshot())
                        .folder()
                        .getPath());
              }
            });
    try (Connection connection = connect(snapshot, job);
        Statement statement = connection.createStatement()) {
      String timers = '"' + HeapBackend.OPERATOR.toHexString() + "\".timers";
      assertThat(
              statement.executeUpdate(
                  "INSERT INTO "
                      + timers
                      + " (state_key_town, state_key_number, time_domain, timer_timestamp,"
                      + " timer_service) VALUES ('Chur', 2, 'EVENT', 9, 't')"))
          .isOne();
      Object key = job.make("shop.Place", "Chur", 2);
      StateSqlAssert.on(connection)
          .sql("SELECT key_group FROM " + timers + " WHERE timer_timestamp = 9")
          .returns(String.valueOf(KeyGroupRangeAssignment.assignToKeyGroup(key, MAX_PARALLELISM)));
    }
  }

  @Test
  void aClassWithoutAHashCodeOfItsOwnIsRefused() throws Exception {
    assertRefused(
        writePlaces(Form.CANONICAL),
        replacingHash("int hash() {"),
        "the class shop.Place does not override hashCode");
  }

  /** An array hashes as an object of its own, an enum constant too. */
  @Test
  void aHashCodeThatDiffersBetweenProcessesIsRefused() throws Exception {
    Path snapshot = writePlaces(Form.CANONICAL);
    assertRefused(
        snapshot,
        replacingHash(
            "@Override public int hashCode() { return Status.PAID.hashCode(); } int h() {"),
        "is another one in each process");
    assertRefused(
        snapshot,
        replacingHash(
            "@Override public int hashCode() { return new int[1].hashCode(); } int h() {"),
        "is another one in each process");
  }

  @Test
  void aClassOfAnotherVersionIsRefused() throws Exception {
    Path snapshot = writePlaces(Form.CANONICAL);
    assertRefused(
        snapshot,
        replacingHash("@Override public int hashCode() { return 3 * number; } int h() {"),
        "the job's keys have another hash code");
    assertRefused(
        snapshot,
        replacingHash(
            "@Override public int hashCode() { throw new IllegalStateException(); } int h() {"),
        "the code in changed");
    assertRefused(
        snapshot,
        JobProject.compile(
            folder.resolve("other.jar"),
            java.util.Map.of("other.Other", "package other; public class Other {}")),
        "the class shop.Place is not in other.jar");
  }

  @Test
  void anEnumIsRefused() throws Exception {
    Path snapshot =
        job.within(
            () -> {
              @SuppressWarnings({"unchecked", "rawtypes"})
              TypeSerializer<Object> statuses =
                  (TypeSerializer) new EnumSerializer(job.type("shop.Status"));
              Object open = job.type("shop.Status").getEnumConstants()[0];
              return KeyedForms.write(folder, Form.CANONICAL, statuses, List.of(open));
            });
    try (Connection connection = connect(snapshot, job);
        Statement statement = connection.createStatement()) {
      String table = KeyLookupTest.table(connection, "total");
      assertThatThrownBy(
              () ->
                  statement.executeUpdate(
                      "INSERT INTO " + table + " (state_key, state_value) VALUES ('PAID', 1)"))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("the enum shop.Status has another hash code in each process");
    }
  }

  private JobProject replacingHash(String method) throws Exception {
    return JobProject.compile(
        Files.createTempFile(folder, "changed", ".jar"),
        ShopSources.replacing("shop.Place", "@Override public int hashCode() {", method));
  }

  private void assertRefused(Path snapshot, JobProject given, String reason) throws Exception {
    try (given;
        Connection connection = connect(snapshot, given);
        Statement statement = connection.createStatement()) {
      String table = KeyLookupTest.table(connection, "total");
      assertThatThrownBy(() -> statement.executeUpdate(INSERT.formatted(table, 1)))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("22000"))
          .hasMessageContaining(reason);
      assertThat(
              statement.executeUpdate(
                  "UPDATE " + table + " SET state_value = 1 WHERE state_key_number = 1"))
          .isOne();
    }
  }

  private Path writePlaces(Form form) throws Exception {
    return job.within(
        () -> {
          List<Object> places = new ArrayList<>();
          for (int i = 0; i < 10; i++) {
            places.add(job.make("shop.Place", "town " + i, i));
          }
          return KeyedForms.write(folder, form, places(), places);
        });
  }

  @SuppressWarnings("unchecked")
  private TypeSerializer<Object> places() throws ClassNotFoundException {
    return ((TypeInformation<Object>) TypeInformation.of(job.type("shop.Place")))
        .createSerializer(new SerializerConfigImpl());
  }

  @SuppressWarnings("unchecked")
  private TypeSerializer<Tuple2<Object, Integer>> pairs() throws ClassNotFoundException {
    return new TupleSerializer<>(
        (Class<Tuple2<Object, Integer>>) (Class<?>) Tuple2.class,
        new TypeSerializer<?>[] {places(), IntSerializer.INSTANCE});
  }

  private Connection connect(Path snapshot, JobProject given) throws SQLException {
    return DriverManager.getConnection(
        "jdbc:statesql:snapshot="
            + snapshot
            + ";jars="
            + given.jar()
            + ";commitTo="
            + folder.resolve("edits"));
  }

  /** What Flink has for a key when it restores what was committed. */
  private Long restoredTotal(Form form, Object key) throws Exception {
    return job.within(
        () -> {
          KeyedStateHandle handle = load();
          if (form == Form.ROCKSDB) {
            try (RocksDbBackend<Object> backend =
                new RocksDbBackend<>(
                    folder,
                    places(),
                    MAX_PARALLELISM,
                    new KeyGroupRange(0, MAX_PARALLELISM - 1),
                    List.of(handle))) {
              return backend
                  .state(key, VoidNamespace.INSTANCE, VoidNamespaceSerializer.INSTANCE, TOTAL)
                  .value();
            }
          }
          try (HeapBackend<Object> backend =
              new HeapBackend<>(
                  places(),
                  MAX_PARALLELISM,
                  UncompressedStreamCompressionDecorator.INSTANCE,
                  List.of(handle))) {
            return backend
                .state(key, VoidNamespace.INSTANCE, VoidNamespaceSerializer.INSTANCE, TOTAL)
                .value();
          }
        });
  }

  private KeyedStateHandle load() throws Exception {
    Path committed;
    try (var edits = Files.list(folder.resolve("edits"))) {
      committed = edits.filter(Files::isDirectory).findFirst().orElseThrow();
    }
    try (var in = new DataInputStream(Files.newInputStream(committed.resolve("_metadata")))) {
      return Checkpoints.loadCheckpointMetadata(
              in, Thread.currentThread().getContextClassLoader(), committed.toUri().toString())
          .getOperatorStates()
          .iterator()
          .next()
          .getState(0)
          .getManagedKeyedState()
          .iterator()
          .next();
    }
  }
}
