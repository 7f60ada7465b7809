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

import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/** Gives each user its three states. */
final class FillStates extends KeyedProcessFunction<Long, Long, Void> {
  private transient ValueState<Profile> profile;
  private transient ValueState<Long> total;
  private transient MapState<String, Long> pages;

  @Override
  public void open(OpenContext context) {
    profile = getRuntimeContext().getState(UserStates.profile());
    total = getRuntimeContext().getState(UserStates.total());
    pages = getRuntimeContext().getMapState(UserStates.pages());
  }

  @Override
  public void processElement(Long user, Context context, Collector<Void> out) throws Exception {
    profile.update(Profile.of(user));
    total.update(user * 31 % 1_000_003);
    for (int page = 0; page < user % 3; page++) {
      pages.put("/page-" + page, user + page);
    }
  }
}
