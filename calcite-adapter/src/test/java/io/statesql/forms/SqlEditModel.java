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

import io.statesql.edit.EditForm;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** The state of {@link EditForm} as plain collections, and what SQL shows of it. */
final class SqlEditModel {
  final TreeMap<String, Long> values = new TreeMap<>();
  final TreeMap<String, List<String>> lists = new TreeMap<>();
  final TreeMap<String, TreeMap<String, String>> maps = new TreeMap<>();
  final TreeMap<String, TreeMap<String, String>> scoped = new TreeMap<>();
  final TreeMap<String, TreeSet<Long>> timers = new TreeMap<>();

  /** What {@link EditForm#write} writes. */
  static SqlEditModel filled(int keys) {
    SqlEditModel model = new SqlEditModel();
    for (int i = 0; i < keys; i++) {
      String key = "key" + i;
      if (i % 2 == 0) {
        model.values.put(key, (long) i);
      }
      for (int j = i % 4; j > 0; j--) {
        model.lists.computeIfAbsent(key, unknown -> new ArrayList<>()).add("e" + j);
        model
            .maps
            .computeIfAbsent(key, unknown -> new TreeMap<>())
            .put("u" + j, j == 2 ? null : "w" + i);
      }
      model.scoped.computeIfAbsent(key, unknown -> new TreeMap<>()).put("scope" + i % 2, "s" + i);
      if (i % 3 == 0) {
        model.timers.computeIfAbsent(key, unknown -> new TreeSet<>()).add(i - 5L);
      }
    }
    return model;
  }

  SqlEditModel copy() {
    SqlEditModel copy = new SqlEditModel();
    copy.values.putAll(values);
    lists.forEach((key, list) -> copy.lists.put(key, new ArrayList<>(list)));
    maps.forEach((key, map) -> copy.maps.put(key, new TreeMap<>(map)));
    scoped.forEach((key, map) -> copy.scoped.put(key, new TreeMap<>(map)));
    timers.forEach((key, set) -> copy.timers.put(key, new TreeSet<>(set)));
    return copy;
  }

  /** Forgets what is empty, which is not stored. */
  void tidy() {
    lists.values().removeIf(List::isEmpty);
    maps.values().removeIf(Map::isEmpty);
    scoped.values().removeIf(Map::isEmpty);
    timers.values().removeIf(TreeSet::isEmpty);
  }

  /** The keys of which nothing differs between two models. */
  static boolean isSame(SqlEditModel one, SqlEditModel other, String key) {
    return same(one.values, other.values, key)
        && same(one.lists, other.lists, key)
        && same(one.maps, other.maps, key)
        && same(one.scoped, other.scoped, key)
        && same(one.timers, other.timers, key);
  }

  private static <V> boolean same(Map<String, V> one, Map<String, V> other, String key) {
    return java.util.Objects.equals(one.get(key), other.get(key));
  }

  /** The rows of all tables, each as its table and its columns parted by commas, sorted. */
  List<String> rows() {
    List<String> rows = new ArrayList<>();
    values.forEach((key, value) -> rows.add("v, " + key + ", " + value));
    lists.forEach(
        (key, list) -> {
          for (int i = 0; i < list.size(); i++) {
            rows.add("l, " + key + ", " + i + ", " + list.get(i));
          }
        });
    maps.forEach(
        (key, map) -> map.forEach((k, value) -> rows.add("m, " + key + ", " + k + ", " + value)));
    scoped.forEach(
        (key, map) ->
            map.forEach((k, value) -> rows.add("scoped, " + key + ", " + k + ", " + value)));
    timers.forEach((key, set) -> set.forEach(time -> rows.add("timers, " + key + ", " + time)));
    rows.sort(null);
    return rows;
  }
}
