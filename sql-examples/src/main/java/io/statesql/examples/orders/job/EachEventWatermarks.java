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

import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkGenerator;
import org.apache.flink.api.common.eventtime.WatermarkOutput;

/**
 * Emits a watermark right behind each event, so that event time depends on the input alone and
 * never on the wall clock.
 */
final class EachEventWatermarks implements WatermarkGenerator<Long> {

  @Override
  public void onEvent(Long index, long timestamp, WatermarkOutput output) {
    output.emitWatermark(new Watermark(timestamp == Long.MAX_VALUE ? timestamp : timestamp - 1));
  }

  @Override
  public void onPeriodicEmit(WatermarkOutput output) {}
}
