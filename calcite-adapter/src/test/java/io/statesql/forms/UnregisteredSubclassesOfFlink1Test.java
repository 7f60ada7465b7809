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
import io.statesql.job.JobProject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Savepoints of a job of Flink 1.20 ({@code AnimalJob} in {@code src/kryo-2}) which keeps dogs as
 * animals without having registered them. Under the key 3 there is an animal that is no dog.
 */
class UnregisteredSubclassesOfFlink1Test {
  private static final Path KRYO_2 = Path.of("..", "src", "kryo-2");

  @TempDir private Path folder;

  @Test
  void aCanonicalSavepointShowsTheClassAndTheBytes() throws SQLException {
    try (Connection connection = connect("canonical")) {
      sql(
              connection,
              "SELECT state_key, pojo_class, legs, name, pojo_bytes IS NOT NULL"
                  + " FROM animals.animal WHERE state_key IN (1, 3) ORDER BY 1")
          .returns(
              "1, io.statesql.kryo2.Dog, null, null, true",
              "3, io.statesql.kryo2.Animal, 3, name3, false");
      assertHasNumbers(connection);
    }
  }

  /** RocksDB serializes each value at once, so that the serializer is there when it is written. */
  @Test
  void rocksDbHasStoredTheSerializer() throws SQLException {
    try (Connection connection = connect("rocksdb")) {
      assertHasDogs(connection);
      assertHasNumbers(connection);
    }
  }

  /** The numbers are stored behind the dogs, in the same key groups. */
  @Test
  void inHeapLayoutTheStatesBehindThemAreFound() throws SQLException {
    try (Connection connection = connect("heap")) {
      assertHasNumbers(connection);
      sql(connection, "SELECT COUNT(*) FROM animals.\"last\"").returns("6");
      sql(connection, "SELECT legs, name FROM animals.animal WHERE state_key = 3")
          .returns("3, name3");
      sql(connection, "SELECT * FROM animals.animal")
          .throwsSql(
              "58S02",
              "state \"animal\", key group 2",
              "_metadata cannot be found from offset ",
              "io.statesql.kryo2.Dog",
              "--jars");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"canonical", "heap", "rocksdb"})
  void withTheJarAllTheirFieldsAreThere(String form) throws Exception {
    try (Connection connection = connect(form, jar())) {
      assertHasDogs(connection);
      assertHasNumbers(connection);
      sql(connection, "SELECT reason FROM states WHERE state_name = 'animal'").returns("null");
    }
  }

  /** The Kryo of Flink 2, which would read them, does not know what that of Flink 1 wrote. */
  @ParameterizedTest
  @ValueSource(strings = {"canonical", "heap", "rocksdb"})
  void aListOfThemThatKryoWroteIsAnErrorThatNamesTheClassAlsoWithTheJar(String form)
      throws Exception {
    for (Connection connection : List.of(connect(form), connect(form, jar()))) {
      try (connection) {
        sql(connection, "SELECT * FROM animals.kennel")
            .throwsSql("58S02", "state \"kennel\"", "class io.statesql.kryo2.", "Flink 1");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"canonical", "rocksdb"})
  void anObjectThatKryoWroteIsTheSameBytesWithTheJarAsWithout(String form) throws Exception {
    String table = "SELECT state_key, state_value FROM animals.written ORDER BY 1";
    try (Connection connection = connect(form);
        Connection withJar = connect(form, jar())) {
      assertThat(sql(withJar, table).rows()).hasSize(6).isEqualTo(sql(connection, table).rows());
      sql(
              withJar,
              "SELECT reason LIKE '%class io.statesql.kryo2.Animal%Kryo 2 data, written by Flink 1%'"
                  + " FROM states WHERE state_name = 'written'")
          .returns("true");
    }
  }

  private static void assertHasDogs(Connection connection) throws SQLException {
    sql(
            connection,
            "SELECT state_key, pojo_class, legs, name, breed, good FROM animals.animal"
                + " WHERE state_key IN (1, 2, 3) ORDER BY 1")
        .returns(
            "1, io.statesql.kryo2.Dog, 1, name1, breed1, false",
            "2, io.statesql.kryo2.Dog, 2, name2, breed2, true",
            "3, io.statesql.kryo2.Animal, 3, name3, null, null");
  }

  private static void assertHasNumbers(Connection connection) throws SQLException {
    sql(
            connection,
            "SELECT l.state_key, l.state_value, n.state_value FROM animals.\"last\" AS l"
                + " JOIN animals.\"next\" AS n ON l.state_key = n.state_key ORDER BY 1")
        .returns("0, 0, 10", "1, 10, 20", "2, 20, 30", "3, 30, 40", "4, 40, 50", "5, 50, 60");
  }

  private static StateSqlAssert.Query sql(Connection connection, String sql) {
    return StateSqlAssert.on(connection).sql(sql);
  }

  private static Connection connect(String form, Path... jars) throws SQLException {
    String url = "jdbc:statesql:snapshot=" + KRYO_2.resolve("animals").resolve(form);
    return DriverManager.getConnection(
        url + ";uids=animals" + (jars.length == 0 ? "" : ";jars=" + jars[0]));
  }

  private Path jar() throws IOException {
    Path jar = folder.resolve("job.jar");
    if (Files.notExists(jar)) {
      Path sources = KRYO_2.resolve(Path.of("src", "main", "java"));
      Map<String, String> job = new HashMap<>();
      for (String name : List.of("Animal", "Dog", "Kennel")) {
        String source = "io/statesql/kryo2/" + name + ".java";
        job.put("io.statesql.kryo2." + name, Files.readString(sources.resolve(source)));
      }
      JobProject.compile(jar, job).close();
    }
    return jar;
  }
}
