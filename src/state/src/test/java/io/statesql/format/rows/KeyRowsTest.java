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
package io.statesql.format.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.statesql.Cancellation;
import io.statesql.ErrorCode;
import io.statesql.ReadCounters;
import io.statesql.ScanContext;
import io.statesql.StateSqlException;
import io.statesql.format.keygroup.HeapBackend;
import io.statesql.format.model.ColumnSource;
import io.statesql.format.model.ColumnSource.Part;
import io.statesql.format.model.KeyedSplit;
import io.statesql.format.model.RowCursor;
import io.statesql.format.scan.ElementCondition;
import io.statesql.format.split.KeyedSplits;
import io.statesql.snapshot.Snapshot;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.runtime.state.UncompressedStreamCompressionDecorator;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeyRowsTest {
  private static final int KEYS = 100;
  private static final String STATE = "total";

  @TempDir private Path folder;

  @Test
  void asksForCancellationWhileItGathersAKeyGroup() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    Snapshot snapshot = snapshotOfOneKeyGroup();
    try (RowCursor rows = open(snapshot, asked::incrementAndGet)) {
      assertThat(rows.next()).isTrue();
      assertThat(asked).hasValueGreaterThanOrEqualTo(KEYS);
    }
    asked.set(0);
    Cancellation afterTen =
        () -> {
          if (asked.incrementAndGet() > 10) {
            throw new StateSqlException(ErrorCode.CANCELED, "canceled");
          }
        };
    try (RowCursor rows = open(snapshot, afterTen)) {
      assertThatThrownBy(rows::next).hasMessage("canceled");
    }
  }

  private static RowCursor open(Snapshot snapshot, Cancellation cancellation) {
    KeyedSplit split = KeyedSplits.of(snapshot, snapshot.metadata().operators().get(0)).get(0);
    return KeyRows.open(
        snapshot.within(new ScanContext(cancellation, new ReadCounters())),
        split,
        Set.of(STATE),
        ElementCondition.NONE,
        List.of(new KeyColumn.OfKey(new ColumnSource.Whole(Part.KEY))));
  }

  private Snapshot snapshotOfOneKeyGroup() throws Exception {
    try (HeapBackend<Long> backend =
        new HeapBackend<>(
            LongSerializer.INSTANCE, 1, UncompressedStreamCompressionDecorator.INSTANCE)) {
      ValueStateDescriptor<Long> total = new ValueStateDescriptor<>(STATE, LongSerializer.INSTANCE);
      for (long key = 0; key < KEYS; key++) {
        ValueState<Long> state =
            backend.state(key, VoidNamespace.INSTANCE, VoidNamespaceSerializer.INSTANCE, total);
        state.update(key);
      }
      return backend.write(folder, backend.canonicalSnapshot());
    }
  }
}
