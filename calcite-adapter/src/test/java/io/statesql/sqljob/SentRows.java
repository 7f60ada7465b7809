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
package io.statesql.sqljob;

import java.io.Serial;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.functions.FlatMapFunction;
import org.apache.flink.types.Row;
import org.apache.flink.util.Collector;

/**
 * Emits the rows that a test sends to a job of this JVM, however often it is called. Nothing of
 * them goes into a savepoint.
 */
final class SentRows implements FlatMapFunction<Long, Row> {
  @Serial private static final long serialVersionUID = 1;
  private static final long PAUSE_MILLIS = 2;
  private static final Map<String, BlockingQueue<Row>> QUEUES = new ConcurrentHashMap<>();

  private final String run;

  /**
   * @param run the name of a run of a job
   */
  SentRows(String run) {
    this.run = run;
  }

  /** What a run has not taken yet. */
  static BlockingQueue<Row> of(String run) {
    return QUEUES.computeIfAbsent(run, unknown -> new LinkedBlockingQueue<>());
  }

  @Override
  public void flatMap(Long tick, Collector<Row> out) throws InterruptedException {
    Row row = of(run).poll(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
    if (row != null) {
      out.collect(row);
    }
  }
}
