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

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;

/** Makes random statements, and does to a {@link SqlEditModel} what each says. */
final class RandomSqlScript {
  private final Random random;
  private final String operator;
  private final int keys;

  /**
   * A statement and what it does.
   *
   * @param refused whether it adds what is there already, so that nothing may change
   */
  record Step(String sql, long count, boolean refused) {}

  /** Runs a statement and returns its count. */
  interface Runner {
    long run(String sql) throws SQLException;
  }

  /**
   * @param operator its schema, quoted
   * @param keys of what is there at first
   */
  RandomSqlScript(long seed, String operator, int keys) {
    this.random = new Random(seed);
    this.operator = operator;
    this.keys = keys;
  }

  boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  private String key() {
    return chance(75) ? "key" + random.nextInt(keys) : "new" + random.nextInt(20) + "é";
  }

  private String table(String name) {
    return operator + "." + name;
  }

  private static String text(String value) {
    return value == null ? "NULL" : "'" + value + "'";
  }

  /** The next statement, which the model has seen then, unless it is refused. */
  Step next(SqlEditModel model) {
    Step step =
        switch (random.nextInt(5)) {
          case 0 -> onValues(model);
          case 1 -> onLists(model);
          case 2 -> onMaps(model);
          case 3 -> onTimers(model);
          default -> onKeys(model);
        };
    model.tidy();
    return step;
  }

  private Step onValues(SqlEditModel model) {
    String key = key();
    long number = random.nextLong();
    switch (random.nextInt(5)) {
      case 0 -> {
        String insert = "INSERT INTO " + table("v") + " VALUES (" + text(key) + ", " + number + ")";
        if (model.values.containsKey(key)) {
          return new Step(insert, 0, true);
        }
        model.values.put(key, number);
        return new Step(insert, 1, false);
      }
      case 1 -> {
        model.values.put(key, number);
        return new Step(
            "UPSERT INTO " + table("v") + " VALUES (" + text(key) + ", " + number + ")", 1, false);
      }
      case 2 -> {
        boolean isThere = model.values.remove(key) != null;
        return new Step(
            "DELETE FROM " + table("v") + " WHERE state_key = " + text(key),
            isThere ? 1 : 0,
            false);
      }
      case 3 -> {
        long before = model.values.size();
        int part = random.nextInt(6);
        model.values.values().removeIf(value -> value % 6 == part);
        return new Step(
            "DELETE FROM " + table("v") + " WHERE MOD(state_value, 6) = " + part,
            before - model.values.size(),
            false);
      }
      default -> {
        return moveValue(model, key);
      }
    }
  }

  private Step moveValue(SqlEditModel model, String key) {
    String to = key();
    String sql =
        "UPDATE " + table("v") + " SET state_key = " + text(to) + " WHERE state_key = " + text(key);
    if (!model.values.containsKey(key)) {
      return new Step(sql, 0, false);
    }
    if (!to.equals(key)) {
      if (model.values.containsKey(to)) {
        return new Step(sql, 0, true);
      }
      model.values.put(to, model.values.remove(key));
    }
    return new Step(sql, 1, false);
  }

  private Step onLists(SqlEditModel model) {
    String key = key();
    String element = "x" + random.nextInt(1000);
    List<String> list = model.lists.computeIfAbsent(key, unknown -> new ArrayList<>());
    switch (random.nextInt(4)) {
      case 0 -> {
        list.add(element);
        return new Step(
            "INSERT INTO "
                + table("l")
                + " (state_key, list_value) VALUES ("
                + text(key)
                + ", "
                + text(element)
                + ")",
            1,
            false);
      }
      case 1 -> {
        int at = random.nextInt(3);
        boolean isThere = at < list.size();
        if (isThere) {
          list.remove(at);
        }
        return new Step(
            "DELETE FROM "
                + table("l")
                + " WHERE list_index = "
                + at
                + " AND state_key = "
                + text(key),
            isThere ? 1 : 0,
            false);
      }
      case 2 -> {
        long replaced = 0;
        for (List<String> each : model.lists.values()) {
          for (int i = 0; i < each.size(); i++) {
            if (each.get(i).equals("e1")) {
              each.set(i, element);
              replaced++;
            }
          }
        }
        return new Step(
            "UPDATE "
                + table("l")
                + " SET list_value = "
                + text(element)
                + " WHERE list_value = 'e1'",
            replaced,
            false);
      }
      default -> {
        long before = list.size();
        list.clear();
        return new Step(
            "DELETE FROM " + table("l") + " WHERE state_key = " + text(key), before, false);
      }
    }
  }

  private Step onMaps(SqlEditModel model) {
    String key = key();
    String mapKey = "u" + random.nextInt(5);
    String value = chance(20) ? null : "n" + random.nextInt(1000);
    TreeMap<String, String> map = model.maps.computeIfAbsent(key, unknown -> new TreeMap<>());
    String row = "(" + text(key) + ", " + text(mapKey) + ", " + text(value) + ")";
    switch (random.nextInt(4)) {
      case 0 -> {
        if (map.containsKey(mapKey)) {
          return new Step("INSERT INTO " + table("m") + " VALUES " + row, 0, true);
        }
        map.put(mapKey, value);
        return new Step("INSERT INTO " + table("m") + " VALUES " + row, 1, false);
      }
      case 1 -> {
        map.put(mapKey, value);
        return new Step("UPSERT INTO " + table("m") + " VALUES " + row, 1, false);
      }
      case 2 -> {
        long changed = 0;
        for (Map<String, String> each : model.maps.values()) {
          if (each.containsKey(mapKey)) {
            each.put(mapKey, value);
            changed++;
          }
        }
        return new Step(
            "UPDATE "
                + table("m")
                + " SET map_value = "
                + text(value)
                + " WHERE map_key = "
                + text(mapKey),
            changed,
            false);
      }
      default -> {
        boolean isThere = map.containsKey(mapKey);
        map.remove(mapKey);
        return new Step(
            "DELETE FROM "
                + table("m")
                + " WHERE state_key = "
                + text(key)
                + " AND map_key = "
                + text(mapKey),
            isThere ? 1 : 0,
            false);
      }
    }
  }

  private Step onTimers(SqlEditModel model) {
    String key = key();
    long time = random.nextInt(10) - 5L;
    TreeSet<Long> timers = model.timers.computeIfAbsent(key, unknown -> new TreeSet<>());
    if (chance(50)) {
      String sql =
          "INSERT INTO "
              + table("timers")
              + " (state_key, timer_timestamp) VALUES ("
              + text(key)
              + ", "
              + time
              + ")";
      boolean isNew = timers.add(time);
      return new Step(sql, isNew ? 1 : 0, !isNew);
    }
    long before = timers.size();
    timers.removeIf(each -> each >= time);
    return new Step(
        "DELETE FROM "
            + table("timers")
            + " WHERE state_key = "
            + text(key)
            + " AND timer_timestamp >= "
            + time,
        before - timers.size(),
        false);
  }

  /** Of a key that has something, all but windows and timers go. */
  private Step onKeys(SqlEditModel model) {
    String key = key();
    if (chance(30)) {
      TreeMap<String, String> map = model.scoped.computeIfAbsent(key, unknown -> new TreeMap<>());
      map.put("scope5", "put");
      return new Step(
          "UPSERT INTO " + table("scoped") + " VALUES (" + text(key) + ", 'scope5', 'put')",
          1,
          false);
    }
    boolean isThere = model.values.remove(key) != null;
    isThere |= model.lists.remove(key) != null;
    isThere |= model.maps.remove(key) != null;
    return new Step(
        "DELETE FROM " + table("keyed_state") + " WHERE state_key = " + text(key),
        isThere ? 1 : 0,
        false);
  }
}
