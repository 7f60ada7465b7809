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

import java.nio.file.Path;
import java.sql.PreparedStatement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each statement on each kind of table: what a transaction sees, and what its commit wrote. */
class ChangingStateTest {
  private static final String COUNTS = "\"orders-per-customer\".\"order-count\"";
  private static final String IDS = "\"orders-per-customer\".\"order-ids\"";
  private static final String KEYS = "\"orders-per-customer\".keyed_state";

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

  @Test
  void aValueIsInsertedUpdatedAndDeleted() throws Exception {
    assertThat(sample.update("INSERT INTO " + COUNTS + " VALUES (700, 5), (701, 6)")).isEqualTo(2);
    assertThat(sample.update("UPSERT INTO " + COUNTS + " VALUES (701, 60), (702, 7)")).isEqualTo(2);
    assertThat(
            sample.update(
                "UPDATE " + COUNTS + " SET state_value = state_value * 10 WHERE state_key > 700"))
        .isEqualTo(2);
    assertThat(sample.update("DELETE FROM " + COUNTS + " WHERE state_key IN (0, 700)"))
        .isEqualTo(2);

    assertThat(
            sample.committedRows(
                "SELECT state_key, state_value FROM "
                    + COUNTS
                    + " WHERE state_key > 600 OR state_key < 2 ORDER BY 1"))
        .containsExactly("1, 8", "701, 600", "702, 70");
  }

  @Test
  void aStatementDoesNotSeeWhatItWrites() throws Exception {
    assertThat(
            sample.update(
                "INSERT INTO " + COUNTS + " SELECT state_key + 1000, state_value FROM " + COUNTS))
        .isEqualTo(12);
    assertThat(sample.update("UPDATE " + COUNTS + " SET state_key = state_key + 1")).isEqualTo(24);
    assertThat(
            sample.committedRows(
                "SELECT MIN(state_key), MAX(state_key), COUNT(*), SUM(state_value) FROM " + COUNTS))
        .containsExactly("1, 1012, 24, 200");
  }

  @Test
  void fieldsAreReplacedAloneAndNullRemoves() throws Exception {
    sample.update(
        "UPDATE \"orders-per-customer\".\"order-statistics\" SET f2 = 7 WHERE state_key = 1");
    sample.update(
        "UPDATE customers.profile SET address = ROW('Rome', 3, 'Via'), channels = ARRAY['WEB'],"
            + " \"displayName\" = 'D' WHERE state_key = 'dora'");
    sample.update("UPDATE customers.\"first-order-date\" SET state_value = NULL");

    assertThat(sample.rows("SELECT COUNT(*) FROM customers.\"first-order-date\""))
        .containsExactly("0");
    assertThat(
            sample.committedRows(
                "SELECT f0, f1, f2, address, \"displayName\", channels, points FROM"
                    + " \"orders-per-customer\".\"order-statistics\" s, customers.profile p"
                    + " WHERE s.state_key = 1 AND p.state_key = 'dora'"))
        .containsExactly(
            "8, 67.80, 7, {\"city\":\"Rome\",\"floor\":3,\"street\":\"Via\"}, D, [\"WEB\"],"
                + " 1000000000000000000000000000000000000000020");
  }

  @Test
  void listsKeepTheirOrderAndAreRenumbered() throws Exception {
    sample.update("INSERT INTO " + IDS + " (state_key, list_value) VALUES (1, 99), (900, 1)");
    sample.update("DELETE FROM " + IDS + " WHERE state_key = 1 AND list_index BETWEEN 1 AND 6");
    sample.update("UPDATE " + IDS + " SET list_value = -1 WHERE state_key = 1 AND list_index = 0");
    sample.update("INSERT INTO " + IDS + " (state_key, list_index, list_value) VALUES (1, 3, 100)");
    sample.update("DELETE FROM " + IDS + " WHERE state_key = 2");

    assertThat(
            sample.committedRows(
                "SELECT state_key, list_index, list_value FROM "
                    + IDS
                    + " WHERE state_key IN (1, 2, 900) ORDER BY 1, 2"))
        .containsExactly("1, 0, -1", "1, 1, 1090", "1, 2, 99", "1, 3, 100", "900, 0, 1");
  }

  @Test
  void mapEntriesChangeOneByOne() throws Exception {
    sample.update(
        "INSERT INTO customers.notes VALUES ('new', DATE '2020-01-01', 'a'),"
            + " ('new', DATE '2020-01-02', NULL)");
    sample.update(
        "UPDATE customers.notes SET map_key = DATE '2021-01-01' WHERE map_key = DATE '2020-01-01'");
    sample.update("UPDATE customers.notes SET map_value = 'b' WHERE map_key = DATE '2020-01-02'");

    assertThat(
            sample.committedRows(
                "SELECT map_key, map_value FROM customers.notes WHERE state_key = 'new' ORDER BY 1"))
        .containsExactly("2020-01-02, b", "2021-01-01, a");
  }

  @Test
  void allStateOfAKeyIsOneRow() throws Exception {
    sample.update(
        "UPDATE "
            + KEYS
            + " SET \"largest-order\" = NULL, \"order-ids\" = ARRAY[3, 4],"
            + " \"latest-per-day\" = MAP[DATE '2026-02-28', ROW(1, 'tea')],"
            + " \"order-statistics_present\" = FALSE WHERE state_key = 1");
    sample.update("UPDATE " + KEYS + " SET state_key = 5000 WHERE state_key = 2");
    sample.update("DELETE FROM " + KEYS + " WHERE state_key = 3");
    sample.update("INSERT INTO " + KEYS + " (state_key, \"order-count\") VALUES (3, 4)");

    assertThat(
            sample.committedRows(
                "SELECT state_key, \"largest-order\", \"latest-per-day\", \"order-count\","
                    + " \"order-ids\", \"order-statistics_f0\", \"order-statistics_present\" FROM "
                    + KEYS
                    + " WHERE state_key IN (1, 2, 3, 5000) ORDER BY 1"))
        .containsExactly(
            "1, null, {\"2026-02-28\":{\"f0\":1,\"f1\":\"tea\"}}, 8, [3,4], null, false",
            "3, null, null, 4, null, null, false",
            "5000, 1796, {\"2026-02-28\":{\"f0\":1063,\"f1\":\"お茶\"},"
                + "\"2026-03-01\":{\"f0\":1085,\"f1\":\"tea\"}}, 8,"
                + " [1002,1019,1024,1041,1058,1063,1080,1085], 8, true");
  }

  @Test
  void deletingAKeyTellsOfItsTimers() throws Exception {
    assertThat(sample.update("DELETE FROM \"order-timeouts\".keyed_state")).isEqualTo(34);
    assertThat(sample.warnings())
        .containsExactly(
            "Timers of the deleted keys remain (7) and will fire; delete them from the table"
                + " timers.");
    assertThat(sample.update("DELETE FROM \"order-timeouts\".timers")).isEqualTo(7);
    assertThat(sample.committedRows("SELECT COUNT(*) FROM \"order-timeouts\".timers"))
        .containsExactly("0");
  }

  @Test
  void timersAreInsertedAndMoved() throws Exception {
    sample.update(
        "INSERT INTO \"order-timeouts\".timers (state_key, time_domain, timer_timestamp)"
            + " VALUES (1090, 'EVENT', 5), (1091, 'PROCESSING', 5)");
    sample.update(
        "UPDATE \"order-timeouts\".timers SET timer_timestamp = timer_timestamp + 1,"
            + " time_domain = 'EVENT' WHERE timer_timestamp = 5");

    assertThat(
            sample.committedRows(
                "SELECT state_key, time_domain, fire_time, timer_service FROM"
                    + " \"order-timeouts\".timers WHERE timer_timestamp < 10 ORDER BY 1"))
        .containsExactly(
            "1090, EVENT, 1970-01-01 00:00:00.006, user-timers",
            "1091, EVENT, 1970-01-01 00:00:00.006, user-timers");
  }

  @Test
  void aWindowWithoutATimerIsToldOf() throws Exception {
    String contents = "\"revenue-per-minute\".\"window-contents\"";
    sample.update(
        "INSERT INTO "
            + contents
            + " (state_key_f0, state_key_f1, window_start, window_end, f0, f1, f2) VALUES ('XX',"
            + " 'YY', TIMESTAMP '2026-01-01 00:00:00', TIMESTAMP '2026-01-01 00:01:00', 1, 2.5, 3)");
    assertThat(sample.warnings())
        .containsExactly(
            "The statement added to windows without a timer (1): they do not fire until one is"
                + " inserted into the table timers.");
    sample.update(
        "UPDATE "
            + contents
            + " SET window_end = TIMESTAMP '2026-01-01 00:02:00', f2 = 9"
            + " WHERE state_key_f0 = 'XX'");
    assertThat(
            sample.committedRows(
                "SELECT window_start, window_end, f0, f1, f2 FROM "
                    + contents
                    + " WHERE state_key_f0 = 'XX'"))
        .containsExactly("2026-01-01 00:00:00.000, 2026-01-01 00:02:00.000, 1, 2.5, 9");
  }

  @Test
  @Tag("proof")
  void sessionsKeepTheirWindows() throws Exception {
    String contents = "\"shopping-sessions\".\"window-contents\"";
    String windows =
        "SELECT state_key, window_start, COUNT(*) FROM "
            + contents
            + " GROUP BY 1, 2 ORDER BY 1, 2";
    var before = sample.rows(windows);
    assertThat(sample.update("UPDATE " + contents + " SET note = 'checked'")).isEqualTo(60);
    assertThat(sample.committedRows(windows)).isEqualTo(before);
  }

  @Test
  void operatorStateHasExactlyTheShownElements() throws Exception {
    String orders = "\"order-intake\".\"latest-orders\"";
    sample.update("UPDATE \"order-intake\".\"lane-progress\" SET orders = 51 WHERE subtask = 1");
    sample.update("DELETE FROM " + orders + " WHERE list_index = 0");
    sample.update("INSERT INTO " + orders + " (subtask, f0, f1) VALUES (1, 7, 8)");
    assertThat(sample.rows("SELECT subtask, lane, orders FROM \"order-intake\".\"lane-progress\""))
        .containsExactly("0, 0, 50", "1, 1, 51");
    assertThat(sample.committedRows("SELECT * FROM " + orders))
        .containsExactly(
            "0, 0, 0, 1096", "0, 1, 0, 1098", "1, 0, 1, 1097", "1, 1, 1, 1099", "1, 2, 7, 8");
  }

  @Test
  void allCopiesOfBroadcastStateChange() throws Exception {
    sample.update("DELETE FROM \"fraud-detector\".\"active-rules\"");
    sample.update("INSERT INTO \"fraud-detector\".\"active-rules\" VALUES (7, TRUE), (8, FALSE)");
    sample.update("UPDATE \"fraud-detector\".\"active-rules\" SET map_key = 9 WHERE map_key = 8");
    assertThat(sample.committedRows("SELECT * FROM \"fraud-detector\".\"active-rules\" ORDER BY 1"))
        .containsExactly("7, true", "9, false");
    assertThat(sample.rows("SELECT reason FROM states WHERE state_name = 'active-rules'"))
        .containsExactly("null");
  }

  @Test
  void writesSetTheLastAccessOfStateThatExpires() throws Exception {
    String pages = "\"page-visits\".\"last-page\"";
    sample.update("UPDATE " + pages + " SET state_value = '/x' WHERE state_key = 'dora'");
    sample.update(
        "INSERT INTO "
            + pages
            + " (state_key, state_value, last_access) VALUES ('new', '/y', TIMESTAMP '2020-01-01 00:00:00')");
    assertThat(
            sample.committedRows(
                "SELECT state_key, state_value, last_access > TIMESTAMP '2026-11-29 23:00:00' FROM "
                    + pages
                    + " WHERE state_key IN ('dora', 'new') OR last_access > TIMESTAMP '2026-11-29 23:00:00'"
                    + " ORDER BY 1"))
        .containsExactly("dora, /x, true", "new, /y, false");
  }

  @Test
  void anOperatorIsDropped() throws Exception {
    assertThat(sample.update("DROP SCHEMA \"page-visits\"")).isZero();
    assertThat(
            sample.committedRows(
                "SELECT COUNT(*) FROM operators WHERE schema_name = 'page-visits'"))
        .containsExactly("0");
    assertThat(sample.update("DROP SCHEMA IF EXISTS \"page-visits\"")).isZero();
  }

  @Test
  void preparedStatementsAndBatchesCount() throws Exception {
    try (PreparedStatement insert =
        sample.connection().prepareStatement("INSERT INTO " + COUNTS + " VALUES (?, ?)")) {
      for (int key = 800; key < 803; key++) {
        insert.setLong(1, key);
        insert.setLong(2, 1);
        insert.addBatch();
      }
      assertThat(insert.executeBatch()).containsExactly(1, 1, 1);
    }
    assertThat(sample.committedRows("SELECT COUNT(*) FROM " + COUNTS + " WHERE state_key >= 800"))
        .containsExactly("3");
  }
}
