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
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Values of a subclass of a POJO that the job has not registered, see {@link Zoo}. */
class UnregisteredSubclassesTest {
  @TempDir private Path folder;
  private Zoo zoo;

  @BeforeEach
  void compileJob() throws Exception {
    zoo = Zoo.in(folder);
  }

  @AfterEach
  void closeJob() {
    zoo.job().close();
  }

  @ParameterizedTest
  @EnumSource(
      value = Zoo.Form.class,
      names = {"CANONICAL", "CANONICAL_COMPRESSED"})
  void aValueOfAnUnregisteredSubclassShowsItsClassAndItsBytes(Zoo.Form form) throws Exception {
    try (Connection connection = connect(zoo.write(folder.resolve("zoo"), form))) {
      sql(connection, "SELECT * FROM %s", "animal")
          .types(
              "state_key VARCHAR, pojo_class VARCHAR, legs INTEGER, name VARCHAR, pojo_bytes"
                  + " VARBINARY, key_group INTEGER");
      sql(connection, "SELECT state_key, pojo_class, legs, name, pojo_bytes FROM %s", "animal")
          .returnsUnordered("ada, zoo.Animal, 4, Rex, null", "bob, zoo.Dog, null, null, " + BO);
      sql(connection, "SELECT state_key, map_key, pojo_class, name FROM %s", "byName")
          .returns("ada, d, zoo.Dog, null");
      sql(connection, "SELECT pojo_class, colour FROM %s", "shape").returns("zoo.Dot, null");
      sql(
              connection,
              "SELECT pojo_class, last_access > TIMESTAMP '2000-01-01 00:00:00' FROM %s",
              "aged")
          .returns("zoo.Dog, true");
      sql(connection, "SELECT state_key, state_value FROM %s ORDER BY 1", "total")
          .returns("ada, 1", "bob, 2");
      assertThat(reason(connection, "animal")).contains("zoo.Dog");
      assertThat(reason(connection, "total")).isEqualTo("null");
    }
  }

  @ParameterizedTest
  @EnumSource
  void withTheJarAllItsFieldsAreThere(Zoo.Form form) throws Exception {
    try (Connection connection = connect(zoo.write(folder.resolve("zoo"), form), zoo.job().jar())) {
      sql(connection, "SELECT state_key, pojo_class, legs, name, breed, good FROM %s", "animal")
          .returnsUnordered(
              "ada, zoo.Animal, 4, Rex, null, null", "bob, zoo.Dog, 3, Bo, Collie, true");
      sql(connection, "SELECT map_key, pojo_class, name, breed FROM %s", "byName")
          .returns("d, zoo.Dog, Di, Collie");
      sql(connection, "SELECT list_index, pojo_class, name, breed FROM %s ORDER BY 1", "pack")
          .returns("0, zoo.Animal, Rex, null", "1, zoo.Dog, Bo, Collie");
      sql(connection, "SELECT state_key, number, pet FROM %s ORDER BY 1", "box")
          .returns(
              "ada, 1, {zoo.Animal, 4, Al, null, null, null}",
              "bob, 2, {zoo.Dog, 3, Bo, Collie, true, null}");
      sql(connection, "SELECT pojo_class, colour, x FROM %s", "shape").returns("zoo.Dot, red, 0.1");
      sql(connection, "SELECT name, breed FROM %s", "aged").returns("Al, Collie");
      sql(connection, "SELECT state_key, state_value FROM %s ORDER BY 1", "total")
          .returns("ada, 1", "bob, 2");
      assertThat(reason(connection, "animal")).isEqualTo("null");
      assertThat(reason(connection, "total")).isEqualTo("null");
    }
  }

  /** Within another value, only the class tells where it ends. */
  @Test
  void insideOfAnotherValueItIsAnErrorThatNamesTheClass() throws Exception {
    try (Connection connection = connect(zoo.write(folder.resolve("zoo"), Zoo.Form.CANONICAL))) {
      for (String state : List.of("pack", "box")) {
        sql(connection, "SELECT * FROM %s", state)
            .throwsSql("58S02", "zoo.Dog", "--jars", "state \"" + state + "\"");
        assertThat(reason(connection, state)).contains("zoo.Dog");
      }
      sql(connection, "SELECT state_key FROM %s ORDER BY 1", "box").returns("ada", "bob");
    }
  }

  /** All other states hold a dog, of which nobody knows where it ends. */
  @ParameterizedTest
  @EnumSource(
      value = Zoo.Form.class,
      names = {"HEAP", "HEAP_COMPRESSED"})
  void inHeapLayoutTheStatesBehindItAreFound(Zoo.Form form) throws Exception {
    try (Connection connection = connect(zoo.write(folder.resolve("zoo"), form))) {
      sql(connection, "SELECT state_value FROM %s ORDER BY 1", "total").returns("1", "2");
      sql(connection, "SELECT COUNT(*) FROM %s", "total").returns("2");
      assertThat(reason(connection, "total")).isEqualTo("null");
      for (String state : List.of("animal", "aged", "byName", "pack", "box", "shape")) {
        assertThat(reason(connection, state)).contains("zoo.");
        sql(connection, "SELECT * FROM %s", state)
            .throwsSql("58S02", "state \"" + state + "\"", "from offset ", "zoo.", "--jars");
      }
      sql(connection, "SELECT state_key, name FROM %s WHERE state_key = 'ada'", "animal")
          .returns("ada, Rex");
    }
  }

  /** Its fields do not fit, which is no damage. */
  @Test
  void aJarOfAnotherVersionLeavesItsBytes() throws Exception {
    Path snapshot = zoo.write(folder.resolve("zoo"), Zoo.Form.CANONICAL);
    try (Connection connection = connect(snapshot, Zoo.laterJar(folder))) {
      sql(connection, "SELECT state_key, pojo_class, name, born, pojo_bytes FROM %s", "animal")
          .returnsUnordered("ada, zoo.Animal, Rex, null, null", "bob, zoo.Dog, null, null, " + BO);
      sql(connection, "SELECT pet FROM %s", "box")
          .throwsSql("58S02", "zoo.Dog", "give the jar that the job ran with");
    }
  }

  @Test
  void changesOfOtherRowsCarryItsBytes() throws Exception {
    Path snapshot = zoo.write(folder.resolve("zoo"), Zoo.Form.CANONICAL);
    String url = url(snapshot) + ";commitTo=" + folder.resolve("edits");
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      String table = KeyLookupTest.table(connection, "animal");
      statement.executeUpdate("UPDATE " + table + " SET name = 'Max' WHERE state_key = 'ada'");
      sql(connection, "SELECT state_key, pojo_class, name, pojo_bytes FROM %s", "animal")
          .returnsUnordered("ada, zoo.Animal, Max, null", "bob, zoo.Dog, null, " + BO);
      StateSqlAssert.on(connection)
          .sql("UPDATE " + table + " SET name = 'Max' WHERE state_key = 'bob'")
          .throwsSql("22000", "zoo.Dog");
      statement.executeUpdate("DELETE FROM " + table + " WHERE state_key = 'ada'");
      sql(connection, "SELECT state_key, pojo_class, pojo_bytes FROM %s", "animal")
          .returns("bob, zoo.Dog, " + BO);
      statement.executeUpdate("DELETE FROM " + table + " WHERE state_key = 'bob'");
      sql(connection, "SELECT state_key FROM %s", "animal").returns();
    }
  }

  @ParameterizedTest
  @EnumSource
  void withTheJarItsFieldsAreAssigned(Zoo.Form form) throws Exception {
    Path snapshot = zoo.write(folder.resolve("zoo"), form);
    String url = url(snapshot, zoo.job().jar()) + ";commitTo=" + folder.resolve("edits");
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      String table = KeyLookupTest.table(connection, "animal");
      statement.executeUpdate(
          "UPDATE " + table + " SET name = 'Max', breed = 'Pug' WHERE state_key = 'bob'");
      sql(connection, "SELECT state_key, pojo_class, legs, name, breed, good FROM %s", "animal")
          .returnsUnordered(
              "ada, zoo.Animal, 4, Rex, null, null", "bob, zoo.Dog, 3, Max, Pug, true");
      sql(connection, "SELECT map_key, name, breed FROM %s", "byName").returns("d, Di, Collie");
    }
  }

  @Test
  void subtasksThatHaveMetDifferentSubclassesHaveOneTable() throws Exception {
    try (Connection connection = connect(zoo.writeRocksDb(folder))) {
      sql(connection, "SELECT number, pet FROM %s ORDER BY 1", "box")
          .returns(
              "0, {zoo.Animal, 4, Al, null, null, null}",
              "1, {zoo.Dog, 3, Bo, Collie, true, null}");
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Zoo.Form.class,
      names = {"CANONICAL", "HEAP"})
  void aKeyOfAnUnregisteredSubclassNeedsTheJar(Zoo.Form form) throws Exception {
    Path snapshot = zoo.writeUnderDog(folder.resolve("keys"), form);
    try (Connection connection = connect(snapshot)) {
      sql(connection, "SELECT * FROM %s", "total").throwsSql("58S02", "zoo.Dog", "--jars");
      assertThat(reason(connection, "total")).contains("zoo.Dog");
      assertThat(reason(connection, "_timer_state/event_closing")).contains("zoo.Dog");
    }
    try (Connection connection = connect(snapshot, zoo.job().jar())) {
      sql(connection, "SELECT state_key_pojo_class, state_key_breed, state_value FROM %s", "total")
          .returns("zoo.Dog, Collie, 5");
      sql(
              connection,
              "SELECT state_key_pojo_class, state_key_name, timer_timestamp FROM %s",
              "timers")
          .returns("zoo.Dog, Bo, 7");
    }
  }

  @Test
  void inOperatorStateItShowsItsClassAndItsBytesToo() throws Exception {
    Path snapshot = zoo.writeOperatorState(folder.resolve("operator"));
    try (Connection connection = connect(snapshot)) {
      sql(connection, "SELECT list_index, pojo_class, name, pojo_bytes FROM %s ORDER BY 1", "flock")
          .returns("0, zoo.Animal, Rex, null", "1, zoo.Dog, null, " + BO);
      sql(connection, "SELECT * FROM %s", "rules").throwsSql("58S02", "zoo.Dog", "\"rules\"");
      assertThat(reason(connection, "rules")).contains("zoo.Dog");
    }
    try (Connection connection = connect(snapshot, zoo.job().jar())) {
      sql(connection, "SELECT list_index, name, breed FROM %s ORDER BY 1", "flock")
          .returns("0, Rex, null", "1, Bo, Collie");
      sql(connection, "SELECT map_key, name, breed FROM %s", "rules").returns("r, Bo, Collie");
    }
  }

  /** What follows the name of the class: Flink's PojoSerializer of zoo.Dog. */
  private static final String BO = "020007436f6c6c6965000100000000030003426f";

  private static Connection connect(Path snapshot, Path... jars) throws SQLException {
    return DriverManager.getConnection(url(snapshot, jars));
  }

  private static String url(Path snapshot, Path... jars) {
    return "jdbc:statesql:snapshot=" + snapshot + (jars.length == 0 ? "" : ";jars=" + jars[0]);
  }

  private static StateSqlAssert.Query sql(Connection connection, String sql, String state)
      throws SQLException {
    return StateSqlAssert.on(connection).sql(sql.formatted(KeyLookupTest.table(connection, state)));
  }

  private static String reason(Connection connection, String state) throws SQLException {
    return StateSqlAssert.on(connection)
        .sql("SELECT reason FROM sys.states WHERE state_name = '" + state + "'")
        .rows()
        .get(0);
  }
}
