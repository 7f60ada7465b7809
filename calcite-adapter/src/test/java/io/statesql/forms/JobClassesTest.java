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
import io.statesql.job.JobProject;
import io.statesql.job.ShopSources;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Values that only the job's classes can read, which the tests' class path does not have. */
class JobClassesTest {
  private static final String ORDER =
      "{'id':'o-2','count':2,'status':'PAID','day':'2026-03-01',"
          + "'items':[{'name':'item 0'},"
          + "{'@class':'shop.Gift','name':'item 1','message':'card'}],"
          + "'rebates':{'r0':0.0,'r1':0.25}}";

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
  @EnumSource
  void kryoValuesAreTheJsonOfTheirFields(ShopSnapshot form) throws Exception {
    Path snapshot = write(form);
    try (Connection connection = connect(snapshot, job.jar())) {
      sql(connection, "SELECT state_key, state_value FROM %s ORDER BY 1", "orders")
          .types("state_key VARCHAR, state_value VARCHAR")
          .returns(
              "ada, {'id':'o-1','count':0,'status':'PAID','day':'2026-03-01','items':[],'rebates':{}}"
                  .replace('\'', '"'),
              "bob, " + ORDER.replace('\'', '"'));
      sql(connection, "SELECT state_key, list_index, list_value FROM %s ORDER BY 1, 2", "items")
          .returns(
              "ada, 0, {\"name\":\"pen\"}",
              "ada, 1, {\"@class\":\"shop.Gift\",\"name\":\"ink\",\"message\":\"hi\"}");
      sql(
              connection,
              "SELECT state_key FROM %s WHERE JSON_VALUE(state_value, '$.id') = 'o-2'",
              "orders")
          .returns("bob");
    }
  }

  @ParameterizedTest
  @EnumSource
  void aSerializerOfTheJobReadsItsOwnSnapshotAndValues(ShopSnapshot form) throws Exception {
    Path snapshot = write(form);
    try (Connection connection = connect(snapshot, job.jar())) {
      sql(connection, "SELECT state_key, state_value FROM %s", "balance")
          .returns("ada, {\"@class\":\"shop.Money\",\"cents\":1250,\"currency\":\"CHF\"}");
      assertThat(reason(connection, "balance"))
          .isEqualTo(
              "It is read by the job's own classes (shop.jar) and shown as JSON text, which cannot"
                  + " be written");
    }
  }

  /** Its serializer says where it ends, so the fields behind it are there, too. */
  @ParameterizedTest
  @EnumSource
  void aFieldOfAPojoHidesTheFieldsBehindItNoMore(ShopSnapshot form) throws Exception {
    Path snapshot = write(form);
    try (Connection connection = connect(snapshot)) {
      if (form != ShopSnapshot.HEAP) {
        sql(connection, "SELECT * FROM %s", "basket")
            .types(
                "state_key VARCHAR, after INTEGER, before VARCHAR, order VARBINARY, key_group"
                    + " INTEGER");
      }
    }
    try (Connection connection = connect(snapshot, job.jar())) {
      sql(connection, "SELECT state_key, before, \"order\", after FROM %s", "basket")
          .returns("bob, left, " + ORDER.replace('\'', '"') + ", 7");
    }
  }

  /** What is made of Java's own classes is read without the jar, and only the rest by it. */
  @ParameterizedTest
  @EnumSource
  void anObjectInACollectionIsReadByItsClass(ShopSnapshot form) throws Exception {
    Path snapshot = write(form);
    try (Connection connection = connect(snapshot, job.jar())) {
      sql(connection, "SELECT state_key, state_value FROM %s ORDER BY 1", "extras")
          .returns("ada, [{\"@class\":\"shop.Item\",\"name\":\"bag\"},5]", "bob, [\"none\"]");
      assertThat(reason(connection, "extras")).isEqualTo("null");
    }
  }

  @Test
  void withoutTheJarTheyAreBytesAndTheReasonNamesTheClass() throws Exception {
    Path snapshot = write(ShopSnapshot.CANONICAL);
    try (Connection connection = connect(snapshot)) {
      sql(connection, "SELECT state_value FROM %s WHERE state_key = 'ada'", "orders")
          .types("state_value VARBINARY");
      assertThat(reason(connection, "orders"))
          .isEqualTo("This is Kryo data, which cannot be decoded without the class shop.Order");
      assertThat(reason(connection, "balance")).contains("shop.MoneySnapshot");
    }
  }

  @Test
  void aJarWithoutTheClassSaysSo() throws Exception {
    Path snapshot = write(ShopSnapshot.CANONICAL);
    try (JobProject other =
            JobProject.compile(
                folder.resolve("other.jar"),
                Map.of("other.Other", "package other; public class Other {}"));
        Connection connection = connect(snapshot, other.jar())) {
      sql(connection, "SELECT state_value FROM %s WHERE state_key = 'ada'", "orders")
          .types("state_value VARBINARY");
      assertThat(reason(connection, "orders"))
          .isEqualTo(
              "This is Kryo data, which cannot be decoded without the class shop.Order;"
                  + " the class shop.Order is not in other.jar");
      assertThat(reason(connection, "balance"))
          .contains("shop.MoneySnapshot is not one of Flink's own")
          .endsWith("the class shop.MoneySnapshot is not in other.jar");
      sql(connection, "SELECT state_key, state_value FROM %s ORDER BY 1", "total")
          .returns("ada, 1", "bob, 2");
    }
  }

  @ParameterizedTest
  @EnumSource
  void aClassWithinAFunctionOfTheJobIsRead(ShopSnapshot form) throws Exception {
    Path snapshot = write(form);
    try (Connection connection = connect(snapshot, job.jar())) {
      sql(connection, "SELECT state_key, state_value FROM %s", "kept")
          .returns("ada, {\"count\":3}");
    }
  }

  /** As for a class within a function of the job where Flink's own classes of functions are not. */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "HEAP")
  void aClassThatNeedsAnAbsentOneShowsAsItDoesWithoutTheJars(ShopSnapshot form) throws Exception {
    Path snapshot = write(form);
    Path partial = Files.copy(job.jar(), folder.resolve("partial.jar"));
    try (FileSystem entries = FileSystems.newFileSystem(partial)) {
      Files.delete(entries.getPath("shop/Status.class"));
    }
    List<String> without;
    try (Connection connection = connect(snapshot)) {
      without = sql(connection, "SELECT * FROM %s ORDER BY 1", "orders").rows();
    }
    try (Connection connection = connect(snapshot, partial)) {
      assertThat(sql(connection, "SELECT * FROM %s ORDER BY 1", "orders").rows())
          .isEqualTo(without)
          .hasSize(2);
      assertThat(reason(connection, "orders"))
          .isEqualTo(
              "This is Kryo data, which cannot be decoded without the class shop.Order;"
                  + " the class shop.Status is not in partial.jar");
      sql(connection, "SELECT state_value FROM %s WHERE state_key = 'ada'", "extras")
          .returns("[{\"@class\":\"shop.Item\",\"name\":\"bag\"},5]");
    }
  }

  @Test
  void aJarMustBeThereAndBeAJar() throws Exception {
    Path snapshot = write(ShopSnapshot.CANONICAL);
    Path missing = folder.resolve("missing.jar");
    assertThatThrownBy(() -> connect(snapshot, missing))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("58P01"))
        .hasMessage("The jar " + missing + " does not exist.");
    Path text = Files.writeString(folder.resolve("text.jar"), "no jar");
    assertThatThrownBy(() -> connect(snapshot, text))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("22023"))
        .hasMessageStartingWith("The jar " + text + " cannot be read: ");
  }

  @Test
  void aStaticInitializerThatThrowsSpoilsItsOwnStatesAlone() throws Exception {
    Path snapshot = write(ShopSnapshot.CANONICAL);
    try (JobProject broken =
            JobProject.compile(
                folder.resolve("broken.jar"),
                ShopSources.replacing(
                    "shop.MoneySnapshot",
                    "private String currency;",
                    "private String currency; static int rate = Integer.parseInt(\"none\");"));
        Connection connection = connect(snapshot, broken.jar())) {
      assertThat(reason(connection, "balance"))
          .endsWith(
              "; the class shop.MoneySnapshot cannot be initialized:"
                  + " java.lang.NumberFormatException: For input string: \"none\"");
      sql(connection, "SELECT state_value FROM %s WHERE state_key = 'bob'", "orders")
          .returns(ORDER.replace('\'', '"'));
    }
  }

  /** It reads less than stands there, which would spoil all that follows in the header. */
  @Test
  void aSnapshotClassOfAnotherVersionIsNotBelieved() throws Exception {
    Path snapshot = write(ShopSnapshot.CANONICAL);
    try (JobProject newer =
            JobProject.compile(
                folder.resolve("newer.jar"),
                ShopSources.replacing(
                    "shop.MoneySnapshot", "currency = in.readUTF();", "currency = \"EUR\";"));
        Connection connection = connect(snapshot, newer.jar())) {
      assertThat(reason(connection, "balance"))
          .endsWith(
              "its class in the jars is of another version, for it does not read its snapshot as it"
                  + " stands there");
      sql(connection, "SELECT state_value FROM %s WHERE state_key = 'bob'", "orders")
          .returns(ORDER.replace('\'', '"'));
    }
  }

  /** Where a backend stores how long a value is; JSON as its column is, and no text of a value. */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "HEAP")
  void aValueThatItsClassRefusesShowsItsBytesAndTheReason(ShopSnapshot form) throws Exception {
    Path snapshot = form.write(folder, job, -5);
    try (Connection connection = connect(snapshot, job.jar())) {
      sql(connection, "SELECT state_key, state_value FROM %s", "balance")
          .types("state_key VARCHAR, state_value VARCHAR")
          .returns(
              "ada, {'@unreadable':'A value cannot be read: the code in shop.jar failed:"
                      .replace('\'', '"')
                  + " java.lang.IllegalStateException: debts.\",\"@bytes\":\"AAItNQ==\"}");
      sql(
              connection,
              "SELECT state_key FROM %s WHERE JSON_EXISTS(state_value, '$.@unreadable')",
              "balance")
          .returns("ada");
    }
  }

  /** Nothing but the class tells there where the value ends. */
  @Test
  void aValueThatItsClassRefusesIsAnErrorInHeapLayout() throws Exception {
    Path snapshot = ShopSnapshot.HEAP.write(folder, job, -5);
    try (Connection connection = connect(snapshot, job.jar())) {
      String table = KeyLookupTest.table(connection, "balance");
      assertThatThrownBy(
              () -> StateSqlAssert.on(connection).sql("SELECT state_value FROM " + table).rows())
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("58S02"))
          .hasMessageContaining("state \"balance\"")
          .hasMessageContaining("IllegalStateException: debts");
      // In heap layout the total may stand behind the balance, and the reason says so.
      assertThat(reason(connection, "total"))
          .matches("null|it is stored behind state \"balance\", which cannot be passed over: .*");
    }
  }

  /** It was read, so its end is known in each form. */
  @ParameterizedTest
  @EnumSource
  void anObjectThatHasNoTextShowsItsBytesAndTheReason(ShopSnapshot form) throws Exception {
    Path snapshot = write(form);
    try (JobProject threads =
            JobProject.compile(
                folder.resolve("threads.jar"),
                ShopSources.replacing(
                    "shop.Money",
                    "final String currency;",
                    "final String currency; final Thread owner = Thread.currentThread();"));
        Connection connection = connect(snapshot, threads.jar())) {
      sql(connection, "SELECT state_value FROM %s", "balance")
          .returns(
              "{'@unreadable':'A value cannot be shown as JSON text: it holds an object of the class"
                      .replace('\'', '"')
                  + " java.lang.Thread.\",\"@bytes\":\"AAQxMjUw\"}");
      sql(connection, "SELECT state_key, state_value FROM %s ORDER BY 1", "total")
          .returns("ada, 1", "bob, 2");
    }
  }

  /** A newer class may ask for more, or for less, than the one that wrote the value. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "Long.parseLong(source.readUTF() + source.readUTF())",
        "source.readShort()",
      })
  void aValueThatDoesNotFitItsClassShowsItsBytesAndTheReason(String reading) throws Exception {
    Path snapshot = write(ShopSnapshot.ROCKSDB);
    try (JobProject newer =
            JobProject.compile(
                folder.resolve("newer.jar"),
                ShopSources.replacing(
                    "shop.MoneySerializer", "Long.parseLong(source.readUTF())", reading));
        Connection connection = connect(snapshot, newer.jar())) {
      assertThat(sql(connection, "SELECT state_value FROM %s", "balance").rows())
          .singleElement()
          .asString()
          .startsWith("{\"@unreadable\":\"A value cannot be read: ")
          .endsWith("\"@bytes\":\"AAQxMjUw\"}");
    }
  }

  /** What is read without the jars where that is possible is read by them else, or shows so. */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "HEAP")
  void anObjectInACollectionThatNeedsAnAbsentClassShowsTheBytes(ShopSnapshot form)
      throws Exception {
    Path snapshot = write(form);
    Path partial = Files.copy(job.jar(), folder.resolve("partial.jar"));
    try (FileSystem entries = FileSystems.newFileSystem(partial)) {
      Files.delete(entries.getPath("shop/Item.class"));
    }
    try (Connection connection = connect(snapshot, partial)) {
      assertThat(
              sql(connection, "SELECT state_key, state_value FROM %s ORDER BY 1", "extras").rows())
          .hasSize(2)
          .contains("bob, [\"none\"]")
          .element(0)
          .asString()
          .startsWith("ada, {\"@unreadable\":\"A value cannot be read: ")
          .contains("shop.Item")
          .contains("\"@bytes\":\"");
    }
  }

  @Test
  void endlessRecursionConcernsTheValueAlone() throws Exception {
    Path snapshot = write(ShopSnapshot.CANONICAL);
    try (JobProject endless =
            JobProject.compile(
                folder.resolve("endless.jar"),
                ShopSources.replacing(
                    "shop.MoneySerializer",
                    "Long.parseLong(source.readUTF())",
                    "1 + deserialize(source).cents"));
        Connection connection = connect(snapshot, endless.jar())) {
      assertThat(sql(connection, "SELECT state_value FROM %s", "balance").rows())
          .singleElement()
          .asString()
          .startsWith("{\"@unreadable\":")
          .contains("the code in endless.jar overflowed the stack");
      sql(connection, "SELECT state_key FROM %s ORDER BY 1", "total").returns("ada", "bob");
    }
  }

  @Test
  void aFieldBesideItIsChangedAndItsBytesStay() throws Exception {
    Path snapshot = write(ShopSnapshot.HEAP);
    try (Connection connection =
            DriverManager.getConnection(
                url(snapshot, job.jar()) + ";commitTo=" + folder.resolve("edits"));
        Statement statement = connection.createStatement()) {
      String table = KeyLookupTest.table(connection, "basket");
      assertThat(statement.executeUpdate("UPDATE " + table + " SET after = 8")).isOne();
      sql(connection, "SELECT state_key, before, \"order\", after FROM %s", "basket")
          .returns("bob, left, " + ORDER.replace('\'', '"') + ", 8");
      assertThatThrownBy(() -> statement.executeUpdate("UPDATE " + table + " SET \"order\" = '{}'"))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("its type cannot be written: It is read by the job's own classes");
    }
  }

  private Path write(ShopSnapshot form) throws Exception {
    return form.write(folder, job, 1250);
  }

  private static Connection connect(Path snapshot, Path... jars) throws SQLException {
    return DriverManager.getConnection(url(snapshot, jars));
  }

  private static String url(Path snapshot, Path... jars) {
    String list = String.join(",", List.of(jars).stream().map(Path::toString).toList());
    return "jdbc:statesql:snapshot=" + snapshot + (list.isEmpty() ? "" : ";jars=" + list);
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
