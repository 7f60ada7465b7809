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
package io.statesql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.statesql.jdbc.CatalogSource;
import io.statesql.jdbc.StateSqlDriver;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.regex.Pattern;

/**
 * Asserts plan, types and rows of a statement together:
 *
 * <pre>{@code
 * StateSqlAssert.on(connection)
 *     .sql("SELECT state_key, total FROM \"orders\".totals WHERE state_key = 'a'")
 *     .explainContains("access=[point]")
 *     .types("state_key VARCHAR, total BIGINT")
 *     .returns("a, 3");
 * }</pre>
 *
 * <p>A row is written as its values' text, separated by {@code ", "}; NULL is {@code null}.
 */
public final class StateSqlAssert {
  private final Connection connection;

  private StateSqlAssert(Connection connection) {
    this.connection = connection;
  }

  /** Asserts on an open connection, which stays open. */
  public static StateSqlAssert on(Connection connection) {
    return new StateSqlAssert(connection);
  }

  /** Opens a connection to the catalogs of a source; the caller closes it. */
  public static Connection connect(CatalogSource source, String properties) throws SQLException {
    return new StateSqlDriver(source)
        .connect(StateSqlDriver.URL_PREFIX + properties, new Properties());
  }

  /** Begins the assertions on one statement. Nothing runs before the first assertion. */
  public Query sql(String sql) {
    return new Query(connection, sql);
  }

  /** Assertions on one statement; each runs it anew. */
  public static final class Query {
    private final Connection connection;
    private final String sql;

    private Query(Connection connection, String sql) {
      this.connection = connection;
      this.sql = sql;
    }

    /** Asserts all rows, in order. */
    public Query returns(String... rows) throws SQLException {
      assertThat(rows()).as(sql).containsExactly(rows);
      return this;
    }

    /** Asserts all rows, in any order. */
    public Query returnsUnordered(String... rows) throws SQLException {
      assertThat(rows()).as(sql).containsExactlyInAnyOrder(rows);
      return this;
    }

    /** Asserts the number of rows. */
    public Query returnsCount(int count) throws SQLException {
      assertThat(rows()).as(sql).hasSize(count);
      return this;
    }

    /** Asserts labels and types of the columns, as in {@code "id INTEGER, name VARCHAR"}. */
    public Query types(String columns) throws SQLException {
      try (Statement statement = connection.createStatement();
          ResultSet results = statement.executeQuery(sql)) {
        ResultSetMetaData metaData = results.getMetaData();
        var actual = new ArrayList<String>();
        for (int i = 1; i <= metaData.getColumnCount(); i++) {
          actual.add(metaData.getColumnLabel(i) + " " + metaData.getColumnTypeName(i));
        }
        assertThat(String.join(", ", actual)).as(sql).isEqualTo(columns);
      }
      return this;
    }

    /**
     * Asserts that the physical plan contains every text; white space between words does not
     * matter.
     */
    public Query explainContains(String... texts) throws SQLException {
      String plan = squeeze(plan());
      for (String text : texts) {
        assertThat(plan).as("plan of %s", sql).contains(squeeze(text));
      }
      return this;
    }

    /** Asserts that the physical plan contains none of the texts. */
    public Query explainLacks(String... texts) throws SQLException {
      String plan = squeeze(plan());
      for (String text : texts) {
        assertThat(plan).as("plan of %s", sql).doesNotContain(squeeze(text));
      }
      return this;
    }

    /**
     * Asserts that running the statement, prepared or not, fails with an SQLState and one sentence
     * that contains every text.
     */
    public Query throwsSql(String sqlState, String... messageParts) {
      assertFailure(catchThrowableOfType(SQLException.class, this::rows), sqlState, messageParts);
      assertFailure(
          catchThrowableOfType(SQLException.class, this::preparedRows), sqlState, messageParts);
      return this;
    }

    private void assertFailure(SQLException failure, String sqlState, String... messageParts) {
      assertThat((Throwable) failure).as(sql).isNotNull();
      for (String part : messageParts) {
        assertThat(failure.getMessage()).as(sql).contains(part);
      }
      assertThat(failure.getMessage())
          .as("one sentence, without class names")
          .doesNotContain("\n", "Exception", "java.", "org.");
      if (!sqlState.equals(failure.getSQLState())) {
        throw new AssertionError(
            "%s: expected SQLState %s but was %s: %s"
                .formatted(sql, sqlState, failure.getSQLState(), failure.getMessage()),
            failure);
      }
    }

    /** The rows as text, for assertions that this class lacks. */
    public List<String> rows() throws SQLException {
      try (Statement statement = connection.createStatement();
          ResultSet results = statement.executeQuery(sql)) {
        return text(results);
      }
    }

    private List<String> preparedRows() throws SQLException {
      try (var statement = connection.prepareStatement(sql);
          ResultSet results = statement.executeQuery()) {
        return text(results);
      }
    }

    private String plan() throws SQLException {
      try (Statement statement = connection.createStatement();
          ResultSet results = statement.executeQuery("EXPLAIN PLAN FOR " + sql)) {
        return String.join("\n", text(results));
      }
    }

    private static String squeeze(String text) {
      return Pattern.compile("\\s+").matcher(text).replaceAll(" ");
    }

    private static List<String> text(ResultSet results) throws SQLException {
      int columns = results.getMetaData().getColumnCount();
      var rows = new ArrayList<String>();
      while (results.next()) {
        var values = new ArrayList<String>();
        for (int i = 1; i <= columns; i++) {
          values.add(String.valueOf(results.getString(i)));
        }
        rows.add(String.join(", ", values));
      }
      return rows;
    }
  }
}
