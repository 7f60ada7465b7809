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

import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import io.statesql.format.keygroup.HeapBackend;
import io.statesql.format.model.ColumnSource;
import io.statesql.format.model.ColumnSource.FieldOf;
import io.statesql.format.model.ColumnSource.Part;
import io.statesql.format.model.ColumnSource.Whole;
import io.statesql.format.model.KeyedSplit;
import io.statesql.format.model.RowCursor;
import io.statesql.format.scan.ElementCondition;
import io.statesql.format.split.KeyedSplits;
import io.statesql.snapshot.Snapshot;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.runtime.state.UncompressedStreamCompressionDecorator;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ElementRowsTest {
  private static final String STATE = "visit";

  @TempDir private Path folder;

  /** Its date is one that DATE cannot hold. */
  public static final class Visit {
    public int count = 7;
    public LocalDate day = LocalDate.MAX;
    public long total = 8;
  }

  @Test
  void aFieldThatNoColumnShowsCannotHideARow() throws Exception {
    try (HeapBackend<Long> backend =
        new HeapBackend<>(
            LongSerializer.INSTANCE, 1, UncompressedStreamCompressionDecorator.INSTANCE)) {
      ValueState<Visit> state =
          backend.state(
              5L,
              VoidNamespace.INSTANCE,
              VoidNamespaceSerializer.INSTANCE,
              new ValueStateDescriptor<>(
                  STATE,
                  TypeInformation.of(Visit.class).createSerializer(new SerializerConfigImpl())));
      state.update(new Visit());
      for (Snapshot snapshot :
          List.of(
              backend.write(folder.resolve("canonical"), backend.canonicalSnapshot()),
              backend.write(folder.resolve("heap"), backend.nativeSnapshot()))) {
        try (RowCursor rows = open(snapshot, "total", "count")) {
          assertThat(rows.next()).isTrue();
          assertThat(rows.row()).containsExactly(5L, 8L, 7);
          assertThat(rows.next()).isFalse();
        }
        try (RowCursor rows = open(snapshot, "total", "day")) {
          assertThatThrownBy(rows::next)
              .isInstanceOfSatisfying(
                  StateSqlException.class,
                  e -> assertThat(e.code()).isEqualTo(ErrorCode.DATETIME_OVERFLOW));
        }
      }
    }
  }

  private static RowCursor open(Snapshot snapshot, String... fields) {
    KeyedSplit split = KeyedSplits.of(snapshot, snapshot.metadata().operators().get(0)).get(0);
    List<ColumnSource> columns = new ArrayList<>(List.of(new Whole(Part.KEY)));
    Arrays.stream(fields).forEach(field -> columns.add(new FieldOf(Part.VALUE, field, 0)));
    return ElementRows.open(snapshot, split, Set.of(STATE), ElementCondition.NONE, columns);
  }
}
