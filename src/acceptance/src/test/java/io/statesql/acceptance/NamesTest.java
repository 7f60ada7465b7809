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
package io.statesql.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.statesql.StateSqlAssert;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The name rules of operators, states and fields. */
class NamesTest {
  private static final StringSerializer TEXT = StringSerializer.INSTANCE;
  private static final LongSerializer LONG = LongSerializer.INSTANCE;

  @TempDir private Path folder;

  /** A type whose fields are called like columns of ours, or differ by case only. */
  public static final class Account {
    public long key_group;
    public long state_key;
    public long last_access;
    public long list_index;
    public long amount;
    public long Amount;

    public Account() {}
  }

  private static Account account(long first) {
    Account account = new Account();
    account.key_group = first;
    account.state_key = first + 1;
    account.last_access = first + 2;
    account.list_index = first + 3;
    account.amount = first + 4;
    account.Amount = first + 5;
    return account;
  }

  private static TypeSerializer<Account> accountSerializer() {
    return TypeInformation.of(Account.class).createSerializer(new SerializerConfigImpl());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "my-uid",
        "my.uid",
        "my uid",
        "it's",
        "say \"hi\"",
        "größe-大小-😀",
        "`tick`",
        "semi;colon",
        "-- comment",
        "percent%under_score",
        "select",
        " "
      })
  void anyTextIsANameOfOperatorsAndStates(String name) throws Exception {
    TestSnapshot.ofValues(name, TEXT, name, LONG, Map.of("ada", 7L)).write(folder);

    try (Connection connection = QueryResult.connect(folder)) {
      String quoted = QueryResult.quote(name);
      StateSqlAssert.on(connection)
          .sql("SELECT state_key, state_value FROM " + quoted + "." + quoted)
          .returns("ada, 7");
      StateSqlAssert.on(connection)
          .sql("SELECT state_key, " + quoted + " FROM " + quoted + ".keyed_state")
          .returns("ada, 7");
      assertThat(schemas(connection)).containsExactlyInAnyOrder(name, "sys");
      assertThat(tables(connection, name)).containsExactlyInAnyOrder(name, "keyed_state");
    }
  }

  /** SQL's own way to write what double quotes cannot hold. */
  @Test
  void aNameWithALineBreakIsWrittenWithItsCodePoint() throws Exception {
    TestSnapshot.ofValues("new\nline", TEXT, "total", LONG, Map.of("ada", 7L)).write(folder);

    try (Connection connection = QueryResult.connect(folder)) {
      StateSqlAssert.on(connection)
          .sql("SELECT state_key, state_value FROM U&\"new\\000aline\".total")
          .returns("ada, 7");
    }
  }

  @Test
  void operatorsThatDifferByCaseAreToldApart() throws Exception {
    TestSnapshot snapshot = TestSnapshot.create();
    snapshot.operator("my-uid", TEXT).valueState("s", LONG, Map.of("ada", 1L));
    snapshot.operator("My-Uid", TEXT).valueState("s", LONG, Map.of("ada", 2L));
    snapshot.operator("other", TEXT).valueState("s", LONG, Map.of("ada", 3L));
    snapshot.write(folder);

    try (Connection connection = QueryResult.connect(folder)) {
      StateSqlAssert sql = StateSqlAssert.on(connection);
      sql.sql("SELECT state_value FROM \"my-uid\".s").returns("1");
      sql.sql("SELECT state_value FROM \"My-Uid\".s").returns("2");
      sql.sql("SELECT state_value FROM \"MY-UID\".s").throwsSql("42000", "My-Uid", "my-uid");
      sql.sql("SELECT state_value FROM OTHER.s").returns("3");
    }
  }

  @Test
  void statesThatDifferByCaseAreToldApart() throws Exception {
    TestSnapshot snapshot = TestSnapshot.create();
    snapshot
        .operator("op", TEXT)
        .valueState("total", LONG, Map.of("ada", 1L))
        .valueState("Total", LONG, Map.of("ada", 2L));
    snapshot.write(folder);

    try (Connection connection = QueryResult.connect(folder)) {
      StateSqlAssert sql = StateSqlAssert.on(connection);
      sql.sql("SELECT state_value FROM op.total").returns("1");
      sql.sql("SELECT state_value FROM op.\"Total\"").returns("2");
      sql.sql("SELECT state_value FROM op.TOTAL").throwsSql("42000", "Total", "total");
      // The first in the order of names keeps its name; SQL cannot tell columns apart by case.
      sql.sql("SELECT * FROM op.keyed_state")
          .types("state_key VARCHAR, Total BIGINT, total_2 BIGINT, key_group INTEGER");
      sql.sql("SELECT \"Total\", total_2 FROM op.keyed_state").returns("2, 1");
    }
  }

  @Test
  void fieldsNeverTakeTheNamesOfOurColumns() throws Exception {
    TestSnapshot snapshot = TestSnapshot.create();
    snapshot
        .operator("op", TEXT)
        .valueState("account", accountSerializer(), Map.of("ada", account(1)))
        .listState("accounts", accountSerializer(), Map.of("ada", List.of(account(11))));
    snapshot.write(folder);

    try (Connection connection = QueryResult.connect(folder)) {
      StateSqlAssert sql = StateSqlAssert.on(connection);
      sql.sql("SELECT * FROM op.account")
          .types(
              "state_key VARCHAR, Amount BIGINT, amount_2 BIGINT,"
                  + " key_group_2 BIGINT, last_access_2 BIGINT, list_index_2 BIGINT,"
                  + " state_key_2 BIGINT, key_group INTEGER");
      sql.sql(
              "SELECT state_key, \"Amount\", amount_2, key_group_2, last_access_2,"
                  + " list_index_2, state_key_2 FROM op.account")
          .returns("ada, 6, 5, 1, 3, 4, 2");
      sql.sql("SELECT list_index, list_index_2, state_key, state_key_2 FROM op.accounts")
          .returns("0, 14, ada, 12");
      sql.sql("SELECT account_key_group, account_present, key_group >= 0 FROM op.keyed_state")
          .returns("1, true, true");
    }
  }

  @Test
  void anOperatorCalledSysIsListedByItsId() throws Exception {
    TestSnapshot.ofValues("sys", TEXT, "states", LONG, Map.of("ada", 5L)).write(folder);

    try (Connection connection = QueryResult.connect(folder)) {
      String id = TestOperator.idOf("sys").toHexString();
      StateSqlAssert sql = StateSqlAssert.on(connection);
      sql.sql("SELECT state_value FROM \"" + id + "\".states").returns("5");
      sql.sql("SELECT uid, schema_name FROM sys.operators").returns("sys, " + id);
      sql.sql("SELECT table_name FROM sys.states").returns("states");
      assertThat(schemas(connection)).containsExactlyInAnyOrder(id, "sys");
    }
  }

  @Test
  void statesCalledLikeOurTablesGetANumber() throws Exception {
    TestSnapshot snapshot = TestSnapshot.create();
    snapshot
        .operator("op", TEXT)
        .valueState("timers", LONG, Map.of("ada", 1L))
        .valueState("keyed_state", LONG, Map.of("ada", 2L))
        .valueState("key_group", LONG, Map.of("ada", 3L))
        .eventTimers(
            "service", VoidNamespaceSerializer.INSTANCE, VoidNamespace.INSTANCE, Map.of("ada", 4L));
    snapshot.write(folder);

    try (Connection connection = QueryResult.connect(folder)) {
      StateSqlAssert sql = StateSqlAssert.on(connection);
      assertThat(tables(connection, "op"))
          .containsExactlyInAnyOrder(
              "timers", "timers_2", "keyed_state", "keyed_state_2", "key_group");
      sql.sql("SELECT timer_timestamp FROM op.timers").returns("4");
      sql.sql("SELECT state_value FROM op.timers_2").returns("1");
      sql.sql("SELECT state_value FROM op.keyed_state_2").returns("2");
      sql.sql("SELECT state_key, timers, keyed_state, key_group_2 FROM op.keyed_state")
          .returns("ada, 1, 2, 3");
      sql.sql(
              "SELECT state_name, table_name FROM sys.states WHERE table_name LIKE '%\\_2' ESCAPE '\\'"
                  + " ORDER BY 1")
          .returns("keyed_state, keyed_state_2", "timers, timers_2");
    }
  }

  @Test
  void anOperatorMayBeCalledLikeTheSnapshot() throws Exception {
    TestSnapshot snapshot = TestSnapshot.create();
    snapshot.operator("orders", TEXT).valueState("orders", LONG, Map.of("ada", 1L));
    snapshot.write(folder.resolve("orders"));

    try (Connection connection = QueryResult.connect("orders=" + folder.resolve("orders"))) {
      StateSqlAssert sql = StateSqlAssert.on(connection);
      sql.sql("SELECT state_value FROM orders.orders").returns("1");
      sql.sql("SELECT state_value FROM orders.orders.orders").returns("1");
      sql.sql("SELECT orders FROM orders.keyed_state").returns("1");
    }
  }

  @Test
  void anOperatorThatTheSnapshotKnowsByItsHashIsFoundByItsUid() throws Exception {
    TestSnapshot.ofValues("my-uid", TEXT, "total", LONG, Map.of("ada", 1L))
        .writeWithoutUids(folder);
    String id = TestOperator.idOf("my-uid").toHexString();

    try (Connection connection = QueryResult.connect(folder)) {
      StateSqlAssert sql = StateSqlAssert.on(connection);
      assertThat(schemas(connection)).containsExactlyInAnyOrder(id, "sys");
      sql.sql("SELECT state_value FROM \"my-uid\".total").returns("1");
      sql.sql("SELECT state_value FROM \"" + id + "\".total").returns("1");
      sql.sql("SELECT \"total\" FROM \"my-uid\".keyed_state").returns("1");
      // A hash is one of an exact spelling.
      sql.sql("SELECT state_value FROM \"My-Uid\".total").throwsSql("3F000", "My-Uid");
    }
    try (Connection connection = QueryResult.connect(folder, "uids=my-uid")) {
      assertThat(schemas(connection)).containsExactlyInAnyOrder("my-uid", "sys");
      StateSqlAssert.on(connection).sql("SELECT state_value FROM \"MY-UID\".total").returns("1");
    }
  }

  @Test
  void anIdMayBeUsedWhereverTheUidIsKnown() throws Exception {
    TestSnapshot.ofValues("my-uid", TEXT, "total", LONG, Map.of("ada", 1L)).write(folder);
    String id = TestOperator.idOf("my-uid").toHexString();

    try (Connection connection = QueryResult.connect(folder)) {
      StateSqlAssert.on(connection)
          .sql("SELECT state_value FROM \"" + id + "\".total")
          .returns("1");
      assertThat(schemas(connection)).containsExactlyInAnyOrder("my-uid", "sys");
    }
  }

  @Test
  void anUnknownNameIsAnErrorThatNamesTheNearest() throws Exception {
    TestSnapshot.ofValues("customers", TEXT, "total", LONG, Map.of("ada", 1L)).write(folder);

    try (Connection connection = QueryResult.connect(folder)) {
      StateSqlAssert sql = StateSqlAssert.on(connection);
      sql.sql("SELECT * FROM total").throwsSql("42S02", "total", "\"customers\".\"total\"");
      sql.sql("SELECT * FROM custmers.total").throwsSql("3F000", "custmers", "customers");
      sql.sql("SELECT * FROM customers.totl").throwsSql("42S02", "totl", "total");
      sql.sql("SELECT state_vale FROM customers.total").throwsSql("42S22", "state_vale");
    }
  }

  private static List<String> schemas(Connection connection) throws SQLException {
    try (ResultSet results = connection.getMetaData().getSchemas()) {
      return column(results, "TABLE_SCHEM");
    }
  }

  private static List<String> tables(Connection connection, String schema) throws SQLException {
    List<String> tables = new ArrayList<>();
    try (ResultSet results = connection.getMetaData().getTables(null, null, null, null)) {
      while (results.next()) {
        if (results.getString("TABLE_SCHEM").equals(schema)) {
          tables.add(results.getString("TABLE_NAME"));
        }
      }
    }
    return tables;
  }

  private static List<String> column(ResultSet results, String label) throws SQLException {
    List<String> values = new ArrayList<>();
    while (results.next()) {
      values.add(results.getString(label));
    }
    return values;
  }
}
