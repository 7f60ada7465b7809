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
package io.statesql.examples.orders;

import io.statesql.examples.orders.expect.OrdersExpectation.WallClock;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;
import org.apache.flink.runtime.state.CompletedCheckpointStorageLocation;
import org.apache.flink.runtime.state.filesystem.AbstractFsCheckpointStorageAccess;
import org.apache.flink.runtime.state.ttl.TtlValue;

/**
 * The rows of every state table as Flink's own restore yields them, in the forms of {@link
 * io.statesql.examples.orders.expect.OrdersExpectation}. Knows the job's classes, and nothing of
 * the rules by which the content came to be.
 */
final class RestoredTables {

  private final Map<String, List<Map<String, Object>>> rows = new TreeMap<>();
  private final Instant begin;
  private final Instant end;

  private RestoredTables(Instant begin, Instant end) {
    this.begin = begin;
    this.end = end;
  }

  /**
   * Restores a canonical savepoint.
   *
   * @param begin the earliest time at which states with time-to-live may have been written
   * @param end the latest
   */
  static Map<String, List<Map<String, Object>>> of(Path savepoint, Instant begin, Instant end)
      throws Exception {
    RestoredTables tables = new RestoredTables(begin, end);
    for (OperatorState state : metadata(savepoint).getOperatorStates()) {
      RestoredOperator operator = new RestoredOperator(state);
      new RestoredOperatorState(operator, tables).addAll();
      if (!operator.keyedHandles().isEmpty()) {
        new RestoredKeyedState(operator, tables).addAll();
      }
    }
    return tables.rows;
  }

  private static CheckpointMetadata metadata(Path savepoint) throws IOException {
    String path = savepoint.toUri().toString();
    CompletedCheckpointStorageLocation location =
        AbstractFsCheckpointStorageAccess.resolveCheckpointPointer(path);
    try (DataInputStream in = new DataInputStream(location.getMetadataHandle().openInputStream())) {
      return Checkpoints.loadCheckpointMetadata(in, RestoredTables.class.getClassLoader(), path);
    }
  }

  List<Map<String, Object>> table(String uid, String name) {
    return rows.computeIfAbsent(uid + "/" + name, none -> new ArrayList<>());
  }

  /** A row whose last part is a value: one column, or one for each field. */
  Map<String, Object> row(Map<String, Object> before, String column, Object value)
      throws IllegalAccessException {
    Map<String, Object> row = new LinkedHashMap<>(before);
    if (value instanceof TtlValue<?> withTime) {
      row.putAll(row(Map.of(), column, withTime.getUserValue()));
      row.put("last_access", lastAccess(withTime));
    } else {
      row.putAll(RowValue.columns(column, "", PlainValues.plain(value)));
    }
    return row;
  }

  private Object lastAccess(TtlValue<?> value) {
    Instant time = Instant.ofEpochMilli(value.getLastAccessTimestamp());
    return time.isBefore(begin) || time.isAfter(end) ? time : WallClock.DURING_THE_RUN;
  }
}
