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
import io.statesql.StateSqlAssert;
import io.statesql.StateSqlException;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.calcite.schema.Table;
import org.apache.calcite.schema.lookup.Lookup;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class MetadataTest {
  private Connection connection;
  private DatabaseMetaData metaData;

  @BeforeEach
  void connect() throws SQLException {
    connection = StateSqlAssert.connect(ToyCatalogs::open, "snapshot=/toy");
    metaData = connection.getMetaData();
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  private static List<String> read(ResultSet results, String... columns) throws SQLException {
    var rows = new ArrayList<String>();
    try (results) {
      while (results.next()) {
        var values = new ArrayList<String>();
        for (String column : columns) {
          values.add(results.getString(column));
        }
        rows.add(String.join("|", values));
      }
    }
    return rows;
  }

  private List<String> tables(String catalog, String schema, String table) throws SQLException {
    return read(
        metaData.getTables(catalog, schema, table, null), "TABLE_CAT", "TABLE_SCHEM", "TABLE_NAME");
  }

  @Test
  void productIsNamed() throws SQLException {
    assertThat(metaData.getDatabaseProductName()).isEqualTo("StateSQL");
    assertThat(metaData.getDatabaseProductVersion()).startsWith("0.1");
    assertThat(metaData.getDriverName()).isEqualTo("StateSQL JDBC Driver");
    assertThat(metaData.isReadOnly()).isFalse();
    assertThat(connection.isReadOnly()).isFalse();
    assertThat(connection.getAutoCommit()).isTrue();
    assertThat(metaData.getSearchStringEscape()).isEqualTo("\\");
    assertThat(metaData.getIdentifierQuoteString()).isEqualTo("\"");
  }

  @Test
  void namesHaveThreeLevels() throws SQLException {
    assertThat(read(metaData.getCatalogs(), "TABLE_CAT")).containsExactly("other-shop", "shop");
    assertThat(read(metaData.getSchemas("shop", "%"), "TABLE_CATALOG", "TABLE_SCHEM"))
        .containsExactly(
            "shop|a.b \"c\"",
            "shop|My-Uid",
            "shop|my-uid",
            "shop|orders",
            "shop|other-shop",
            "shop|sys");
    assertThat(read(metaData.getSchemas(), "TABLE_CATALOG", "TABLE_SCHEM"))
        .hasSize(9)
        .startsWith("other-shop|far");
    assertThat(tables("other-shop", null, "%"))
        .containsExactly(
            "other-shop|far|t", "other-shop|orders|keyed_state", "other-shop|sys|operators");
    assertThat(tables(null, "orders", "keyed_state"))
        .containsExactly("other-shop|orders|keyed_state", "shop|orders|keyed_state");
  }

  @Test
  void patternsAreThoseOfJdbc() throws SQLException {
    assertThat(tables("shop", "a.b%", "t_1%"))
        .containsExactly("shop|a.b \"c\"|t_1%", "shop|a.b \"c\"|tx1");
    assertThat(tables("shop", "a.b%", "t_1")).containsExactly("shop|a.b \"c\"|tx1");
    assertThat(tables("shop", "a.b%", "__1")).containsExactly("shop|a.b \"c\"|tx1");
    assertThat(tables("shop", "a.b%", "t\\_1\\%")).containsExactly("shop|a.b \"c\"|t_1%");
    assertThat(tables("shop", "my_uid", "%")).containsExactly("shop|my-uid|keyed_state");
    assertThat(tables("shop", "%", "k%_state")).hasSize(3);
    assertThat(tables("nowhere", "%", "%")).isEmpty();
  }

  @Test
  void columnsTellTheirTypes() throws SQLException {
    assertThat(
            read(
                metaData.getColumns("shop", "orders", "decimals", "%"),
                "COLUMN_NAME",
                "DATA_TYPE",
                "TYPE_NAME",
                "COLUMN_SIZE",
                "ORDINAL_POSITION",
                "IS_NULLABLE"))
        .containsExactly(
            "id|4|INTEGER|10|1|YES", "d|3|DECIMAL|1000|2|YES", "bounded|3|DECIMAL(10, 2)|10|3|YES");
    assertThat(
            read(
                metaData.getColumns("shop", "orders", "keyed\\_state", "_ey%"),
                "COLUMN_NAME",
                "TYPE_NAME"))
        .containsExactly("key_group|INTEGER");
    assertThat(read(metaData.getColumns("shop", "orders", "composites", "items"), "TYPE_NAME"))
        .containsExactly("VARCHAR ARRAY");
  }

  @Test
  void typesAreListed() throws SQLException {
    assertThat(read(metaData.getTypeInfo(), "TYPE_NAME"))
        .contains("BOOLEAN", "BIGINT", "DECIMAL", "VARCHAR", "TIMESTAMP")
        .doesNotContain("UUID", "GEOMETRY");
  }

  /** A tool lists tables by these types alone. */
  @Test
  void typesOfTablesAreThoseThatTablesHave() throws SQLException {
    assertThat(read(metaData.getTableTypes(), "TABLE_TYPE"))
        .containsExactly("SYSTEM TABLE", "TABLE");
    assertThat(read(metaData.getTables(null, null, "%", null), "TABLE_TYPE"))
        .isSubsetOf("SYSTEM TABLE", "TABLE");
  }

  /** As tools do that ask all that JDBC knows of, and pass null, nothing or anything. */
  @ParameterizedTest
  @NullSource
  @ValueSource(strings = {"", "%"})
  void everyQuestionOfJdbcHasAnAnswer(String pattern) throws Exception {
    for (Method question : DatabaseMetaData.class.getMethods()) {
      Object[] arguments =
          Arrays.stream(question.getParameterTypes())
              .map(type -> argument(type, pattern))
              .toArray();
      Object answer = question.invoke(metaData, arguments);
      if (answer instanceof ResultSet rows) {
        assertThat(rows.getMetaData().getColumnCount()).as(question.getName()).isPositive();
        while (rows.next()) {
          assertThat(rows.getObject(1)).as(question.getName()).isNotNull();
        }
      }
    }
  }

  private static Object argument(Class<?> type, String pattern) {
    if (type == int.class) {
      return ResultSet.TYPE_FORWARD_ONLY;
    }
    if (type == boolean.class) {
      return true;
    }
    if (type == Class.class) {
      return DatabaseMetaData.class;
    }
    return type == String.class ? pattern : null;
  }

  @Test
  void aSchemaThatCannotBeListedIsASqlException() throws SQLException {
    ToySchema broken =
        new ToySchema() {
          @Override
          public Lookup<Table> tables() {
            throw new StateSqlException(
                ErrorCode.MALFORMED_SNAPSHOT, "File f is truncated at offset 7.");
          }
        };
    CatalogSource source =
        options -> List.of(new MountedCatalog("c", new ToySchema().schema("s", broken)));
    try (Connection other = StateSqlAssert.connect(source, "snapshot=/toy")) {
      assertThatThrownBy(() -> other.getMetaData().getTables(null, null, null, null))
          .isInstanceOf(SQLException.class)
          .hasMessage("File f is truncated at offset 7.");
    }
  }
}
