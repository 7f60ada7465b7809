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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.statesql.StateSqlAssert;
import io.statesql.format.keygroup.HeapBackend;
import io.statesql.format.rocksdb.RocksDbBackend;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.state.State;
import org.apache.flink.api.common.state.StateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
import org.apache.flink.api.java.tuple.Tuple3;
import org.apache.flink.runtime.state.UncompressedStreamCompressionDecorator;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.types.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Values with a field that may hold any object. In one of them it is of a class of the job, so that
 * nobody knows where it ends without that class.
 */
class ObjectAmidFieldsTest {
  private static final int MAX_PARALLELISM = 4;

  @TempDir private Path folder;

  /** A class of the job. */
  public static final class Foreign {
    private final int number;

    public Foreign(int number) {
      this.number = number;
    }

    @Override
    public String toString() {
      return "foreign " + number;
    }
  }

  /** What the job keeps. */
  public static final class Held {
    public int a;
    public Object m;
    public String z;

    public Held() {}

    Held(int a, Object m, String z) {
      this.a = a;
      this.m = m;
      this.z = z;
    }
  }

  /** Writes the state of a key. */
  private interface Backend {
    <S extends State> S state(int key, StateDescriptor<S, ?> descriptor) throws Exception;
  }

  @ParameterizedTest
  @CsvSource({
    "held, canonical",
    "held, rocksdb",
    "tuple, canonical",
    "tuple, rocksdb",
    "line, canonical",
    "line, rocksdb"
  })
  void hideNeitherTheFieldsBeforeItNorOtherValues(String table, String form) throws Exception {
    boolean isPojo = table.equals("held");
    String a = isPojo ? "a" : "f0";
    String m = isPojo ? "m" : "f1";
    String z = isPojo ? "z" : "f2";
    try (Connection connection = connect(write(form))) {
      sql(connection, "SELECT state_key, " + a + " FROM %s ORDER BY 1", table)
          .returns("1, 10", "2, 20", "3, 30");
      sql(connection, "SELECT COUNT(*), SUM(" + a + ") FROM %s", table).returns("3, 60");
      sql(
              connection,
              "SELECT " + m + ", " + z + " FROM %s WHERE state_key <> 2 ORDER BY " + z,
              table)
          .returns("5, x", "[\"c\"], z");
      for (String column : List.of(m, z)) {
        sql(connection, "SELECT " + column + " FROM %s", table)
            .throwsSql("58S02", "ObjectAmidFieldsTest$Foreign");
      }
    }
  }

  /** Whatever stands from the object on is copied. */
  @ParameterizedTest
  @CsvSource({"held, canonical", "held, rocksdb", "tuple, canonical", "line, rocksdb"})
  void keepNoFieldBeforeItFromBeingChanged(String table, String form) throws Exception {
    String a = table.equals("held") ? "a" : "f0";
    String z = table.equals("held") ? "z" : "f2";
    try (Connection connection =
            DriverManager.getConnection(url(write(form)) + ";commitTo=" + folder.resolve("edits"));
        Statement statement = connection.createStatement()) {
      String name = KeyLookupTest.table(connection, table);
      assertThat(statement.executeUpdate("UPDATE " + name + " SET " + a + " = " + a + " + 1"))
          .isEqualTo(3);
      sql(connection, "SELECT state_key, " + a + " FROM %s ORDER BY 1", table)
          .returns("1, 11", "2, 21", "3, 31");
      sql(connection, "SELECT " + z + " FROM %s WHERE state_key <> 2 ORDER BY 1", table)
          .returns("x", "z");
      sql(connection, "SELECT " + z + " FROM %s", table)
          .throwsSql("58S02", "ObjectAmidFieldsTest$Foreign");
      assertThatThrownBy(
              () -> statement.executeUpdate("UPDATE " + name + " SET " + z + " = 'other'"))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("ObjectAmidFieldsTest$Foreign");
    }
  }

  /** There, nothing but its own bytes tells where a value ends. */
  @Test
  void whereTheEndOfAValueIsNotKnownTheStateIsAnErrorThatNamesTheClass() throws Exception {
    try (Connection connection = connect(write("heap"))) {
      sql(connection, "SELECT a FROM %s", "held")
          .throwsSql("58S02", "ObjectAmidFieldsTest$Foreign");
    }
  }

  private static StateSqlAssert.Query sql(Connection connection, String sql, String table)
      throws SQLException {
    return StateSqlAssert.on(connection).sql(sql.formatted(KeyLookupTest.table(connection, table)));
  }

  private static Connection connect(Path snapshot) throws SQLException {
    return DriverManager.getConnection(url(snapshot));
  }

  private static String url(Path snapshot) {
    return "jdbc:statesql:snapshot=" + snapshot;
  }

  private Path write(String form) throws Exception {
    Path snapshot = folder.resolve("chk-1");
    if (form.equals("rocksdb")) {
      try (RocksDbBackend<Integer> backend =
          RocksDbBackend.empty(folder, IntSerializer.INSTANCE, MAX_PARALLELISM)) {
        fill(
            new Backend() {
              @Override
              public <S extends State> S state(int key, StateDescriptor<S, ?> descriptor)
                  throws Exception {
                return backend.state(
                    key, VoidNamespace.INSTANCE, VoidNamespaceSerializer.INSTANCE, descriptor);
              }
            });
        RocksDbBackend.write(snapshot, MAX_PARALLELISM, List.of(backend.checkpoint(1, 0)));
      }
      return snapshot;
    }
    try (HeapBackend<Integer> backend =
        new HeapBackend<>(
            IntSerializer.INSTANCE,
            MAX_PARALLELISM,
            UncompressedStreamCompressionDecorator.INSTANCE)) {
      fill(
          new Backend() {
            @Override
            public <S extends State> S state(int key, StateDescriptor<S, ?> descriptor)
                throws Exception {
              return backend.state(
                  key, VoidNamespace.INSTANCE, VoidNamespaceSerializer.INSTANCE, descriptor);
            }
          });
      backend.write(
          snapshot, form.equals("heap") ? backend.nativeSnapshot() : backend.canonicalSnapshot());
    }
    return snapshot;
  }

  private static void fill(Backend backend) throws Exception {
    TypeInformation<Object> any = Types.GENERIC(Object.class);
    ValueStateDescriptor<Held> held = descriptor("held", TypeInformation.of(Held.class));
    ValueStateDescriptor<Tuple3<Integer, Object, String>> tuple =
        descriptor("tuple", Types.TUPLE(Types.INT, any, Types.STRING));
    ValueStateDescriptor<Row> row = descriptor("line", Types.ROW(Types.INT, any, Types.STRING));
    Object[] objects = {5, new Foreign(7), List.of("c")};
    String[] texts = {"x", "y", "z"};
    for (int i = 0; i < objects.length; i++) {
      int a = 10 * (i + 1);
      ValueState<Held> ofHeld = backend.state(i + 1, held);
      ofHeld.update(new Held(a, objects[i], texts[i]));
      ValueState<Tuple3<Integer, Object, String>> ofTuple = backend.state(i + 1, tuple);
      ofTuple.update(Tuple3.of(a, objects[i], texts[i]));
      ValueState<Row> ofRow = backend.state(i + 1, row);
      ofRow.update(Row.of(a, objects[i], texts[i]));
    }
  }

  private static <T> ValueStateDescriptor<T> descriptor(String name, TypeInformation<T> type) {
    return new ValueStateDescriptor<>(name, type.createSerializer(new SerializerConfigImpl()));
  }
}
