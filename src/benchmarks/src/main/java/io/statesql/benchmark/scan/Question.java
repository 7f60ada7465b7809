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
package io.statesql.benchmark.scan;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** What is asked of a snapshot with some number of keys, which are 0, 1, 2 and so on. */
enum Question {
  COUNT("count of keys", "COUNT") {
    @Override
    String sql(long keys) {
      return "SELECT count(*) FROM \"users\".total";
    }
  },
  SCAN("sums over all states", "SCAN") {
    @Override
    String sql(long keys) {
      return "SELECT * FROM (SELECT count(*), sum(CAST(visits AS BIGINT)),"
          + " CAST(sum(balance) AS BIGINT), sum(CAST(char_length(name) AS BIGINT))"
          + " FROM \"users\".profile),"
          + " (SELECT sum(state_value) FROM \"users\".total),"
          + " (SELECT count(*), sum(map_value) FROM \"users\".pages)";
    }
  },
  ONE_KEY("one key", "KEYS") {
    @Override
    LongStream keys(long keys) {
      return LongStream.of(keys / 3);
    }
  },
  MANY_KEYS("10,000 keys by IN", "KEYS") {
    @Override
    LongStream keys(long keys) {
      return LongStream.range(0, 10_000).map(i -> i * keys / 10_000).distinct();
    }
  };

  /** What {@link #ONE_KEY} asks, of any key. */
  static final String SUMS_OF_ONE_KEY = sumsOfKeys("= ?");

  private final String title;
  private final String peerName;

  Question(String title, String peerName) {
    this.title = title;
    this.peerName = peerName;
  }

  String title() {
    return title;
  }

  /** What Flink's side calls it. */
  String peerName() {
    return peerName;
  }

  /** The keys that are asked for, if it is a question about some of them. */
  LongStream keys(long keys) {
    return LongStream.empty();
  }

  String sql(long keys) {
    List<String> wanted = keys(keys).mapToObj(String::valueOf).toList();
    String condition =
        wanted.size() == 1
            ? "= " + wanted.get(0)
            : wanted.stream().collect(Collectors.joining(",", "IN (", ")"));
    return sumsOfKeys(condition);
  }

  private static String sumsOfKeys(String condition) {
    return "SELECT count(*), sum(CAST(profile_visits AS BIGINT)), sum(total)"
        + " FROM \"users\".keyed_state WHERE state_key "
        + condition;
  }
}
