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
package io.statesql.coordinator.client;

import io.statesql.coordinator.InstanceReport;
import io.statesql.coordinator.StoreId;
import io.statesql.coordinator.StoreInstanceId;
import io.statesql.coordinator.wire.Messages;
import java.util.ArrayList;
import java.util.List;

/** Reports and withdrawals, as many as surely fit into one message of each kind. */
final class ReportBatch {
  private static final int MAX_COUNT = 1000;

  /** Names of fields, numbers and punctuation of one report. */
  private static final int FIXED_SIZE = 300;

  /** Of a character, at most: three bytes of UTF-8, or two of an escape. */
  private static final int CHARACTER_SIZE = 3;

  private final List<InstanceReport> reports = new ArrayList<>();
  private final List<StoreInstanceId> withdrawals = new ArrayList<>();
  private int size;

  void report(InstanceReport report) {
    reports.add(report);
    int vertexLength = report.vertexId() == null ? 0 : report.vertexId().length();
    size += size(report.id()) + CHARACTER_SIZE * (report.engine().length() + vertexLength);
  }

  void withdraw(StoreInstanceId id) {
    withdrawals.add(id);
    size += size(id);
  }

  private static int size(StoreInstanceId id) {
    StoreId store = id.store();
    int characters =
        store.checkpointLocation().length()
            + store.operatorId().length()
            + store.storeName().length()
            + id.runId().length();
    return FIXED_SIZE + CHARACTER_SIZE * characters;
  }

  /** Whether there is no room for many more; there is always room for one of the longest. */
  boolean isFull() {
    return reports.size() + withdrawals.size() >= MAX_COUNT || size > Messages.MAX_BODY / 2;
  }

  List<InstanceReport> reports() {
    return reports;
  }

  List<StoreInstanceId> withdrawals() {
    return withdrawals;
  }
}
