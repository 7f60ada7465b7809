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
package io.statesql.examples.orders.job;

import io.statesql.examples.orders.model.Order;
import java.time.Duration;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.StateTtlConfig;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/** Product pages that customers saw, forgotten after ten years: states with time-to-live. */
final class PageVisits extends KeyedProcessFunction<String, Order, String> {

  private static final long serialVersionUID = 1L;

  private transient ValueState<String> lastPage;
  private transient ListState<String> pages;
  private transient MapState<String, Integer> visitsPerPage;

  @Override
  public void open(OpenContext context) {
    StateTtlConfig tenYears = StateTtlConfig.newBuilder(Duration.ofDays(3653)).build();
    ValueStateDescriptor<String> last = new ValueStateDescriptor<>("last-page", Types.STRING);
    last.enableTimeToLive(tenYears);
    lastPage = getRuntimeContext().getState(last);
    ListStateDescriptor<String> all = new ListStateDescriptor<>("pages", Types.STRING);
    all.enableTimeToLive(tenYears);
    pages = getRuntimeContext().getListState(all);
    MapStateDescriptor<String, Integer> counts =
        new MapStateDescriptor<>("visits-per-page", Types.STRING, Types.INT);
    counts.enableTimeToLive(tenYears);
    visitsPerPage = getRuntimeContext().getMapState(counts);
  }

  @Override
  public void processElement(Order order, Context context, Collector<String> out) throws Exception {
    String page = "/" + order.product;
    lastPage.update(page);
    pages.add(page);
    Integer visits = visitsPerPage.get(page);
    visitsPerPage.put(page, visits == null ? 1 : visits + 1);
  }
}
