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
package io.statesql.sqljob;

import static org.assertj.core.api.Assertions.assertThat;

import io.statesql.StateSqlAssert;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The savepoint of a job, in a transaction. In its statements <code>{name}</code> is the table of
 * the one state that is called so.
 */
record JobState(Path savepoint, Connection connection) implements AutoCloseable {
  private static final Pattern STATE = Pattern.compile("\\{([^}]+)}");

  static JobState of(Path savepoint) throws SQLException {
    Connection connection =
        DriverManager.getConnection("jdbc:statesql:snapshot=" + savepoint + ";composites=json");
    connection.setAutoCommit(false);
    return new JobState(savepoint, connection);
  }

  List<String> rows(String sql) throws SQLException {
    return StateSqlAssert.on(connection).sql(named(sql)).rows();
  }

  /** Changes a number of rows. */
  void change(int count, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      assertThat(statement.executeUpdate(named(sql))).as(sql).isEqualTo(count);
    }
  }

  /** Yields the savepoint that the changes make. */
  Path commit() throws SQLException {
    connection.commit();
    return savepoint.resolveSibling(savepoint.getFileName() + "-edited-1");
  }

  private String named(String sql) throws SQLException {
    StringBuilder named = new StringBuilder();
    var states = STATE.matcher(sql);
    while (states.find()) {
      states.appendReplacement(named, table(states.group(1)));
    }
    return states.appendTail(named).toString();
  }

  private String table(String state) throws SQLException {
    List<String> tables =
        StateSqlAssert.on(connection)
            .sql(
                "SELECT '\"' || schema_name || '\".\"' || table_name || '\"' FROM sys.states"
                    + " WHERE state_name = '"
                    + state
                    + "'")
            .rows();
    assertThat(tables).as("tables of a state " + state).hasSize(1);
    return tables.get(0);
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
