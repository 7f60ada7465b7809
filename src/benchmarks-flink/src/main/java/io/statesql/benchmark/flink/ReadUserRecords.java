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

import java.util.HashMap;
import java.util.Map;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.state.api.functions.KeyedStateReaderFunction;
import org.apache.flink.util.Collector;

/** Reads all state of each user. */
final class ReadUserRecords extends KeyedStateReaderFunction<Long, UserRecord> {
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
  public void readKey(Long user, Context context, Collector<UserRecord> out) throws Exception {
    UserRecord record = new UserRecord();
    record.user = user;
    record.profile = profile.value();
    record.total = total.value();
    record.pages = new HashMap<>();
    for (Map.Entry<String, Long> page : pages.entries()) {
      record.pages.put(page.getKey(), page.getValue());
    }
    out.collect(record);
  }
}
