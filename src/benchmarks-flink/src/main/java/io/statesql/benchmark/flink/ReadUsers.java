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
package io.statesql.benchmark.flink;

import java.util.Map;
import java.util.Set;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.state.api.functions.KeyedStateReaderFunction;
import org.apache.flink.util.Collector;

/**
 * Answers one of the questions for each user: what the user adds to the sums. A user that the
 * question does not ask for adds nothing; the API lets no reader choose keys.
 */
final class ReadUsers extends KeyedStateReaderFunction<Long, long[]> {
  private static final long[] NOTHING = {};

  private final PeerQuestion question;
  private final Set<Long> wanted;

  private transient ValueState<Profile> profile;
  private transient ValueState<Long> total;
  private transient MapState<String, Long> pages;

  /**
   * @param wanted the users that a question about some of them asks for
   */
  ReadUsers(PeerQuestion question, Set<Long> wanted) {
    this.question = question;
    this.wanted = Set.copyOf(wanted);
  }

  @Override
  public void open(OpenContext context) {
    total = getRuntimeContext().getState(UserStates.total());
    if (question != PeerQuestion.COUNT) {
      profile = getRuntimeContext().getState(UserStates.profile());
      pages = getRuntimeContext().getMapState(UserStates.pages());
    }
  }

  @Override
  public void readKey(Long user, Context context, Collector<long[]> out) throws Exception {
    out.collect(
        switch (question) {
          case COUNT -> new long[] {1};
          case SCAN -> everything();
          case KEYS -> wanted.contains(user) ? someOfIt() : NOTHING;
        });
  }

  private long[] everything() throws Exception {
    Profile found = profile.value();
    long entries = 0;
    long sum = 0;
    for (Map.Entry<String, Long> page : pages.entries()) {
      entries++;
      sum += page.getValue();
    }
    return new long[] {
      1, found.visits, (long) found.balance, found.name.length(), total.value(), entries, sum
    };
  }

  private long[] someOfIt() throws Exception {
    return new long[] {1, profile.value().visits, total.value()};
  }
}
