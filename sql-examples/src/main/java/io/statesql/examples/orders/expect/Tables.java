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
package io.statesql.examples.orders.expect;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The tables that the parts of the expectation fill, by {@code uid/table}. */
final class Tables {

  private final Map<String, List<Map<String, Object>>> rows = new TreeMap<>();

  /** Makes a table that may stay empty. */
  void declare(String uid, String table) {
    rows.computeIfAbsent(uid + "/" + table, name -> new ArrayList<>());
  }

  void add(String uid, String table, Columns row) {
    declare(uid, table);
    rows.get(uid + "/" + table).add(row.toMap());
  }

  /** A timer; the columns name its key and, if it has one, its window. */
  void addTimer(String uid, Columns keyAndWindow, String domain, Instant time, String service) {
    add(
        uid,
        "timers",
        keyAndWindow
            .and("time_domain", domain)
            .and("timer_timestamp", time.toEpochMilli())
            .and("fire_time", time)
            .and("timer_service", service));
  }

  Map<String, List<Map<String, Object>>> toMap() {
    return rows;
  }
}
