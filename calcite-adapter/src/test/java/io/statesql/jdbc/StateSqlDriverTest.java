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
package io.statesql.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.statesql.ErrorCode;
import io.statesql.ScanLimits;
import io.statesql.StateSqlAssert;
import io.statesql.StateSqlException;
import io.statesql.coordinator.client.ClientOptions;
import io.statesql.snapshot.PathMap;
import io.statesql.value.Composites;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class StateSqlDriverTest {
  private static ConnectionOptions options(String properties) throws SQLException {
    var seen = new AtomicReference<ConnectionOptions>();
    StateSqlAssert.connect(
            options -> {
              seen.set(options);
              return ToyCatalogs.open(options);
            },
            properties)
        .close();
    return seen.get();
  }

  @Test
  void severalSnapshotsAreSeparatedByCommas() throws SQLException {
    assertThat(options("snapshot=a=/x,b=/y z, /w").snapshots())
        .containsExactly("a=/x", "b=/y z", "/w");
    assertThat(options("snapshot='\"/data/a,b;c\",n=/d'").snapshots())
        .containsExactly("/data/a,b;c", "n=/d");
    List<String> paths = List.of("/a,b", "\"q\"", "c=/d e");
    assertThat(options("snapshot='" + ListValue.join(paths) + "'").snapshots()).isEqualTo(paths);
  }

  @Test
  void everyPropertyIsRead() throws SQLException {
    ConnectionOptions options =
        options(
            "snapshot=/s;uids=a,b;pathMap=/old=/new,s3://x=/y;jars=j.jar;commitTo=/out;dryRun=true;isolate=true;coordinator=http://h:1;composites=json;statementSeconds=7;memory=64m;parallelism=3");
    assertThat(options)
        .isEqualTo(
            new ConnectionOptions(
                List.of("/s"),
                List.of("a", "b"),
                PathMap.parse(List.of("/old=/new", "s3://x=/y")),
                List.of("j.jar"),
                Optional.of("/out"),
                true,
                true,
                Optional.of(ClientOptions.of("http://h:1")),
                Composites.JSON,
                7,
                new ScanLimits(64 << 20, 3)));
  }

  @Test
  void wrongPropertiesAreRefused() {
    assertThatThrownBy(() -> options("snapshot=/s;snapshots=/t"))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("22023"))
        .hasMessage(
            "Unknown connection property 'snapshots'; known are snapshot, uids, pathMap, jars, commitTo, dryRun, isolate, coordinator, coordinatorTokenFile, composites, statementSeconds, memory, parallelism.");
    assertThatThrownBy(() -> options("snapshot=/s;lex=ORACLE")).hasMessageContaining("'lex'");
    assertThatThrownBy(() -> options("snapshot=/s;composites=xml"))
        .hasMessageContaining("one of objects, json");
    assertThatThrownBy(() -> options("snapshot=/s;dryRun=yes"))
        .hasMessage("The connection property 'dryRun' is 'yes'; it must be true or false.");
    for (String memory : List.of("1000k", "64mb", "-1g", "9999999999g", "lots")) {
      assertThatThrownBy(() -> options("snapshot=/s;memory=" + memory))
          .hasMessageContaining("'memory' is '" + memory + "'; it must be a number of bytes");
    }
    for (String parallelism : List.of("0", "1025", "2.5", "all")) {
      assertThatThrownBy(() -> options("snapshot=/s;parallelism=" + parallelism))
          .hasMessageContaining("'parallelism' is '" + parallelism + "'; it must be a number");
    }
    assertThatThrownBy(() -> options("snapshot=/s;statementSeconds=-1"))
        .hasMessageContaining("'statementSeconds' is '-1'; it must be a number of seconds");
    assertThatThrownBy(() -> options("snapshot=/s;pathMap=x")).hasMessageContaining("not FROM=TO");
    assertThatThrownBy(() -> options("snapshot=/s;coordinator=here:1"))
        .hasMessage("The URL of a coordinator looks like http://HOST:PORT, not here:1.");
    assertThatThrownBy(() -> options("snapshot=/s;coordinatorTokenFile=/t"))
        .hasMessageContaining("needs 'coordinator'");
    assertThatThrownBy(() -> options("snapshot=/s;coordinator=http://h:1;coordinatorTokenFile=/no"))
        .hasMessageContaining("cannot be read: /no");
    assertThatThrownBy(() -> options("snapshot='\"/s'")).hasMessageContaining("never closed");
  }

  @Test
  void failuresToOpenAreSqlExceptions() {
    assertThatThrownBy(
            () ->
                StateSqlAssert.connect(
                    options -> {
                      throw new StateSqlException(ErrorCode.FILE_NOT_FOUND, "There is no /s.");
                    },
                    "snapshot=/s"))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("58P01"))
        .hasMessage("There is no /s.");
    assertThatThrownBy(() -> StateSqlAssert.connect(options -> List.of(), ""))
        .hasMessageContaining("names no snapshot");
    assertThatThrownBy(
            () ->
                StateSqlAssert.connect(
                    options ->
                        List.of(
                            new MountedCatalog("a", new ToySchema()),
                            new MountedCatalog("a", new ToySchema())),
                    "snapshot=/s"))
        .hasMessageContaining("Two snapshots would be mounted as catalog \"a\"");
  }

  @Test
  void existingPathWinsOverTheReadingWithAName() {
    assertThat(Mount.parse("a=/x", path -> false)).isEqualTo(new Mount(Optional.of("a"), "/x"));
    assertThat(Mount.parse("a=/x", path -> path.equals("a=/x")))
        .isEqualTo(new Mount(Optional.empty(), "a=/x"));
    assertThat(Mount.parse("/x=y", path -> false)).isEqualTo(new Mount(Optional.empty(), "/x=y"));
  }

  @Test
  void bothDriversAreRegistered() throws SQLException {
    assertThat(DriverManager.getDriver("jdbc:statesql:snapshot=/x"))
        .isInstanceOf(StateSqlDriver.class);
    try (Connection connection = DriverManager.getConnection("jdbc:calcite:", new Properties())) {
      StateSqlAssert.on(connection).sql("VALUES 1, 2").returns("1", "2");
      assertThat(connection.getMetaData().getDatabaseProductName()).isEqualTo("Calcite");
    }
    assertThat(new StateSqlDriver(ToyCatalogs::open).connect("jdbc:calcite:", new Properties()))
        .isNull();
  }
}
