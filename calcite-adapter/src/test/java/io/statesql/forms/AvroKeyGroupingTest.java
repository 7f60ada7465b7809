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
import io.statesql.forms.KeyedForms.Form;
import io.statesql.type.avro.AvroTrade;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.flink.formats.avro.typeutils.AvroSerializer;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A snapshot does not tell whether a class that Avro generated computes the hash code of its keys,
 * so that new ones are taken where those that are stored show it.
 */
class AvroKeyGroupingTest {
  private static final String REFUSED =
      "the key group of a new key needs the hash code of the job's own class";

  @TempDir private Path folder;

  /** A key in the form that Avro's compiler gives one. */
  public static final class Place extends SpecificRecordBase {
    public static final Schema SCHEMA$ =
        new Schema.Parser()
            .parse(
                """
                {"type": "record", "name": "Place",
                 "namespace": "io.statesql.forms.AvroKeyGroupingTest$",
                 "fields": [{"name": "town", "type": "string"}]}
                """);

    private static final long serialVersionUID = 1;

    private Object town;

    static Place of(int number) {
      Place place = new Place();
      place.town = "town " + number;
      return place;
    }

    @Override
    public Schema getSchema() {
      return SCHEMA$;
    }

    @Override
    public Object get(int field) {
      return town;
    }

    @Override
    public void put(int field, Object value) {
      town = value;
    }
  }

  private Connection connect(AvroSerializer<?> keys, List<?> values) throws Exception {
    return DriverManager.getConnection(
        "jdbc:statesql:snapshot=" + write(keys, values) + ";commitTo=" + folder.resolve("edits"));
  }

  @SuppressWarnings("unchecked") // the values are those of the serializer
  private <K> Path write(AvroSerializer<?> keys, List<?> values) throws Exception {
    return KeyedForms.write(folder, Form.CANONICAL, (AvroSerializer<K>) keys, (List<K>) values);
  }

  private static String insert(Connection connection, String columns, String values)
      throws SQLException {
    return "INSERT INTO %s (%s, state_value) VALUES (%s, 1)"
        .formatted(KeyLookupTest.table(connection, "total"), columns, values);
  }

  @Test
  void newKeysAreTakenWhereManyStoredOnesShowTheHashCode() throws Exception {
    List<Place> places = IntStream.range(0, 20).mapToObj(Place::of).toList();
    try (Connection connection = connect(new AvroSerializer<>(Place.class), places);
        Statement statement = connection.createStatement()) {
      statement.executeUpdate(insert(connection, "state_key_town", "'town 77'"));

      StateSqlAssert.on(connection)
          .sql(
              "SELECT key_group FROM %s WHERE state_key_town = 'town 77'"
                  .formatted(KeyLookupTest.table(connection, "total")))
          .returns(
              String.valueOf(
                  KeyGroupRangeAssignment.assignToKeyGroup(
                      Place.of(77), KeyedForms.MAX_PARALLELISM)));
    }
  }

  @Test
  void storedOnesShowItAlsoWhenTheTransactionRemovedThem() throws Exception {
    List<Place> places = IntStream.range(0, 20).mapToObj(Place::of).toList();
    try (Connection connection = connect(new AvroSerializer<>(Place.class), places);
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      String keys = KeyLookupTest.table(connection, "keyed_state");
      assertThat(statement.executeUpdate("DELETE FROM " + keys)).isEqualTo(places.size());
      assertThat(statement.executeUpdate(insert(connection, "state_key_town", "'town 77'")))
          .isOne();

      StateSqlAssert.on(connection).sql("SELECT COUNT(*) FROM " + keys).returns("1");
    }
  }

  @Test
  void fewStoredOnesShowNothing() throws Exception {
    List<Place> places = IntStream.range(0, 3).mapToObj(Place::of).toList();
    try (Connection connection = connect(new AvroSerializer<>(Place.class), places);
        Statement statement = connection.createStatement()) {
      String insert = insert(connection, "state_key_town", "'town 77'");
      assertThatThrownBy(() -> statement.executeUpdate(insert))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("22000"))
          .hasMessageContaining(REFUSED)
          .hasMessageContaining("the few keys that are stored (3)");
      assertThat(
              statement.executeUpdate(
                  "DELETE FROM %s WHERE state_key_town = 'town 1'"
                      .formatted(KeyLookupTest.table(connection, "total"))))
          .isOne();
    }
  }

  /** Objects of logical types have hash codes of their own. */
  @Test
  void otherHashCodesAreFoundOut() throws Exception {
    List<AvroTrade> trades = IntStream.range(0, 20).mapToObj(AvroKeyGroupingTest::trade).toList();
    try (Connection connection = connect(new AvroSerializer<>(AvroTrade.class), trades);
        Statement statement = connection.createStatement()) {
      String insert =
          insert(
              connection,
              "state_key_id, state_key_day, state_key_at, state_key_price",
              "77, DATE '2026-01-01', TIMESTAMP '2026-01-01 00:00:00', 1.00");
      assertThatThrownBy(() -> statement.executeUpdate(insert))
          .hasMessageContaining("and not in")
          .hasMessageContaining("it would not find a new key");
    }
  }

  private static AvroTrade trade(int number) {
    AvroTrade trade = new AvroTrade();
    trade.put(0, (long) number);
    trade.put(1, "symbol");
    trade.put(2, LocalDate.of(2026, 1, 1).plusDays(number));
    trade.put(3, Instant.ofEpochSecond(number));
    trade.put(4, BigDecimal.valueOf(number, 2));
    return trade;
  }
}
