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
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Changes that would lose something or break the job are refused, with column, row and reason. */
class RefusedChangesTest {
  @TempDir private Path folder;
  private EditedSample sample;

  @BeforeEach
  void open() throws Exception {
    sample = EditedSample.in(folder);
  }

  @AfterEach
  void close() throws Exception {
    sample.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "INSERT INTO \"orders-per-customer\".\"order-count\" VALUES (1, 5)"
            + " | 23505 | the row (state_key = 1) exists already",
        "INSERT INTO \"orders-per-customer\".\"order-count\" VALUES (900, 5), (900, 6)"
            + " | 22000 | row (state_key = 900): two rows of the statement have this key",
        "INSERT INTO \"orders-per-customer\".keyed_state (state_key, \"order-count\") VALUES (900, 5), (900, 6)"
            + " | 22000 | row (state_key = 900): two rows of the statement have this key",
        "UPSERT INTO \"orders-per-customer\".keyed_state (state_key, \"order-count\") VALUES (1, 5), (1, 6)"
            + " | 22000 | row (state_key = 1): two rows of the statement have this key",
        "INSERT INTO \"orders-per-customer\".\"order-count\" VALUES (900, NULL)"
            + " | 22000 | row (state_key = 900): a state without a value has no row",
        "INSERT INTO \"orders-per-customer\".\"order-count\" (state_value) VALUES (5)"
            + " | 22000 | column \"state_key\"",
        "INSERT INTO \"orders-per-customer\".\"order-count\" (state_key, key_group) VALUES (900, 1)"
            + " | 42000 | column 61: The column \"key_group\" cannot be assigned: it follows from the key.",
        "UPDATE \"orders-per-customer\".\"order-count\" SET state_key = 2 WHERE state_key = 1"
            + " | 23505 | the row (state_key = 2) exists already",
        "UPDATE \"orders-per-customer\".\"order-count\" SET state_value = 'x'"
            + " | 42000 | The column \"state_value\" is of type BIGINT",
        "UPDATE \"orders-per-customer\".\"order-statistics\" SET f2 = 3000000000 WHERE state_key = 1"
            + " | 22000 | column \"f2\", row (state_key = 1): 3000000000 is not a value of type INTEGER",
        "UPDATE \"orders-per-customer\".\"order-statistics\" SET f2 = 1.5 WHERE state_key = 1"
            + " | 22000 | column \"f2\", row (state_key = 1): 1.5 is not a value of type INTEGER",
        "INSERT INTO customers.\"last-rating\" VALUES ('x', 9007199254740993)"
            + " | 22000 | column \"state_value\", row (state_key = 'x'): 9007199254740993 has more digits than DOUBLE keeps",
        "UPDATE customers.\"last-rating\" SET state_value = 0.12345678901234567890 WHERE state_key = 'eve'"
            + " | 22000 | 0.12345678901234567890 has more digits than DOUBLE keeps; write a CAST",
        "UPDATE \"orders-per-customer\".\"order-statistics\" SET f0 = 1, f2 = NULL WHERE state_key = 1"
            + " | 22000 | column \"f2\", row (state_key = 1): it is NULL",
        "INSERT INTO \"order-timeouts\".\"pending-order\" (state_key, order_id) VALUES (7000, 1)"
            + " | 22000 | row (state_key = 7000): no value is given for \"customer\": it is NULL, for"
            + " which its stored type has no form",
        "INSERT INTO \"order-timeouts\".\"pending-order\" (state_key, order_id, customer, lines, placed_at)"
            + " VALUES (7000, 1, NULL, ARRAY[ROW('mug', 1)], NULL)"
            + " | 22000 | column \"customer\", row (state_key = 7000): it is NULL",
        "INSERT INTO \"order-timeouts\".keyed_state (state_key, \"pending-order_customer\") VALUES (7000, 'x')"
            + " | 22000 | row (state_key = 7000): no value is given for \"order_id\": it is NULL",
        "INSERT INTO \"order-timeouts\".\"pending-order\" (state_key, order_id, customer, channel, rating, lines)"
            + " VALUES (7000, 1, 'x', 'WEB', 1, ARRAY[ROW('mug', CAST(NULL AS INTEGER))])"
            + " | 22000 | column \"lines\", row (state_key = 7000): of its field quantity, it is NULL",
        "INSERT INTO \"orders-per-customer\".\"order-statistics\" (state_key, f0) VALUES (900, 1)"
            + " | 22000 | row (state_key = 900): no value is given for \"f2\": it is NULL",
        "UPDATE \"orders-per-customer\".\"order-ids\" SET list_index = 3"
            + " | 42000 | The column \"list_index\" cannot be assigned: an element stays in its list",
        "INSERT INTO \"orders-per-customer\".\"order-ids\" VALUES (1, 50, 3)"
            + " | 22000 | a list of 8 elements cannot get one with list_index 50",
        "INSERT INTO \"orders-per-customer\".\"order-ids\" VALUES (1, 2, 3)"
            + " | 23505 | the row (list_index = 2) exists already",
        "UPDATE \"orders-per-customer\".keyed_state SET \"order-statistics_f0\" = NULL,"
            + " \"order-statistics_f1\" = NULL, \"order-statistics_f2\" = NULL WHERE state_key = 1"
            + " | 22000 | all fields of state \"order-statistics\" are NULL; order-statistics_present = FALSE removes it",
        "INSERT INTO \"orders-per-customer\".keyed_state (state_key, \"order-count\") VALUES (1, 1)"
            + " | 23505 | the row (state_key = 1) exists already",
        "UPDATE customers.profile SET tier = 'NONE' WHERE state_key = 'dora'"
            + " | 22000 | column \"tier\", row (state_key = 'dora'): \"NONE\" is not one of the constants",
        "INSERT INTO \"orders-per-store\".\"revenue-in-cents\" VALUES ('WEB', 'XX', 1)"
            + " | 22000 | the key group of a new key needs the hash code of the job's own class",
        "INSERT INTO \"shopping-sessions\".\"window-contents\" (state_key, id) VALUES ('dora', 1)"
            + " | 22000 | which Flink keeps itself",
        "UPDATE \"order-timeouts\".timers SET fire_time = NULL"
            + " | 42000 | The column \"fire_time\" cannot be assigned: it shows timer_timestamp",
        "INSERT INTO \"order-timeouts\".timers (state_key, timer_timestamp) VALUES (1, 1)"
            + " | 22000 | time_domain and timer_service must name one of the timer services",
        "INSERT INTO \"order-intake\".\"latest-orders\" (subtask, f0, f1) VALUES (9, 1, 1)"
            + " | 22000 | column \"subtask\", row (subtask = 9, f0 = 1, f1 = 1): no subtask 9",
        "DELETE FROM sys.states | 0A000 | The table orders.sys.states cannot be changed",
        "INSERT INTO customers.\"last-rating\" VALUES ('x', DEFAULT) | 0A000 | have no DEFAULT",
        "MERGE INTO customers.\"last-rating\" t USING customers.\"last-rating\" s ON t.state_key ="
            + " s.state_key WHEN MATCHED THEN UPDATE SET state_value = 1"
            + " | 0A000 | MERGE is not accepted",
        "DELETE FROM customers.\"last-ratting\" | 42S02 | unknown table \"last-ratting\" in schema"
            + " \"customers\"",
        "INSERT INTO customer.profile (state_key) VALUES ('x') | 3F000 | unknown schema \"customer\"",
        "UPDATE customers.profile SET nothing = 1 | 42S22 | unknown column \"nothing\"",
        "DROP SCHEMA nothing | 3F000 | Unknown schema \"nothing\"",
        "DROP SCHEMA sys | 0A000 | The schema \"sys\" is no operator",
      })
  void changesNothing(String sql, String state, String message) throws Exception {
    SQLException refusal = catchThrowableOfType(SQLException.class, () -> sample.update(sql));

    assertThat(refusal.getMessage()).contains(message);
    assertThat(refusal.getSQLState()).isEqualTo(state);
    assertThat(sample.rows("SELECT * FROM commits")).isEmpty();
  }

  @Test
  void keysWhoseHashIsUnknownKeepTheirGroup() throws Exception {
    String table = "\"orders-per-store\".\"revenue-in-cents\"";
    var before = sample.rows("SELECT * FROM " + table + " ORDER BY 1, 2");
    sample.update("UPDATE " + table + " SET state_value = state_value");
    assertThat(sample.committedRows("SELECT * FROM " + table + " ORDER BY 1, 2")).isEqualTo(before);
  }
}
