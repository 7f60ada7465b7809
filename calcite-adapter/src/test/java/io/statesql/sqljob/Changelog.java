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
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.flink.api.common.functions.FilterFunction;
import org.apache.flink.types.Row;

/** Keeps the changelog of a job in this JVM, for the test that runs it. */
final class Changelog implements FilterFunction<Row> {
  @Serial private static final long serialVersionUID = 1;
  private static final Map<String, List<String>> CHANGES = new ConcurrentHashMap<>();

  private final String run;

  /**
   * @param run the name of a run of a job
   */
  Changelog(String run) {
    this.run = run;
  }

  /** All changes so far, as in {@code +I[a, 1]}. */
  static List<String> of(String run) {
    return CHANGES.computeIfAbsent(run, unknown -> new CopyOnWriteArrayList<>());
  }

  @Override
  public boolean filter(Row change) {
    of(run).add(change.toString());
    return false;
  }
}
