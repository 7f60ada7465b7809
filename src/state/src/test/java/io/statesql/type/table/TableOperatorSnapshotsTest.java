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
package io.statesql.type.table;

import static io.statesql.type.Stored.row;
import static io.statesql.type.table.TableRows.TEXT;
import static io.statesql.type.table.TableRows.binary;
import static io.statesql.type.table.TableRows.map;
import static io.statesql.type.table.TableRows.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.statesql.type.Stored;
import io.statesql.type.serializer.StoredSerializer;
import java.io.Serializable;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.ListSerializer;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.common.typeutils.base.MapSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.cep.nfa.NFAStateSerializer;
import org.apache.flink.cep.nfa.sharedbuffer.Lockable;
import org.apache.flink.cep.nfa.sharedbuffer.NodeId;
import org.apache.flink.cep.nfa.sharedbuffer.SharedBufferNodeSerializer;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.api.dataview.ListView;
import org.apache.flink.table.api.dataview.MapView;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.dataview.ListViewSerializer;
import org.apache.flink.table.dataview.MapViewSerializer;
import org.apache.flink.table.runtime.operators.sink.SortedLongSerializer;
import org.apache.flink.table.runtime.operators.window.CountWindow;
import org.apache.flink.table.runtime.operators.window.GlobalWindow;
import org.apache.flink.table.runtime.operators.window.TimeWindow;
import org.apache.flink.table.runtime.typeutils.ExternalSerializer;
import org.apache.flink.table.runtime.typeutils.LinkedListSerializer;
import org.apache.flink.table.runtime.typeutils.RowDataSerializer;
import org.apache.flink.table.runtime.typeutils.SortedMapSerializer;
import org.apache.flink.table.types.logical.BigIntType;
import org.junit.jupiter.api.Test;

/** What operators of Flink SQL keep besides rows. */
class TableOperatorSnapshotsTest {

  /** The comparator of a Top-N stands in the snapshot as a Java object, here a lambda. */
  @Test
  void readsTheSortedMapOfATopN() {
    RowDataSerializer keys = new RowDataSerializer(new BigIntType());
    Comparator<RowData> comparator =
        (Comparator<RowData> & Serializable)
            (left, right) -> Long.compare(right.getLong(0), left.getLong(0));
    SortedMapSerializer<RowData, Long> serializer =
        new SortedMapSerializer<>(comparator, keys, LongSerializer.INSTANCE);
    SortedMap<RowData, Long> value = new TreeMap<>(comparator);
    value.put(binary(keys, GenericRowData.of(1L)), 10L);
    value.put(binary(keys, GenericRowData.of(2L)), 20L);
    Stored.check(serializer, value, map(row(2L, "+I"), 20L, row(1L, "+I"), 10L));
    assertThat(Stored.serializer(serializer).description())
        .isEqualTo("SortedMap<RowData<BIGINT>, Long>");
  }

  @Test
  @SuppressWarnings("deprecation")
  void readsDataViews() throws Exception {
    ListView<String> list = new ListView<>();
    list.addAll(List.of("a", "b"));
    Stored.check(
        new ListViewSerializer<>(new ListSerializer<>(StringSerializer.INSTANCE)),
        list,
        List.of("a", "b"));
    MapView<String, Long> entries = new MapView<>();
    entries.put("a", 1L);
    Stored.check(
        new MapViewSerializer<>(
            new MapSerializer<>(StringSerializer.INSTANCE, LongSerializer.INSTANCE)),
        entries,
        Map.of("a", 1L));
  }

  /** With nulls among more elements than a byte of the mask has bits, and as Flink 1 wrote it. */
  @Test
  @SuppressWarnings("JdkObsolete")
  void readsTheListOfAnArrayAggregate() {
    List<Long> values = Arrays.asList(1L, null, 3L, 4L, 5L, 6L, 7L, 8L, null, 10L);
    Stored.check(
        new LinkedListSerializer<>(LongSerializer.INSTANCE), new LinkedList<>(values), values);
    Stored.check(
        new LinkedListSerializer<>(LongSerializer.INSTANCE, false),
        new LinkedList<>(List.of(1L, 2L)),
        List.of(1L, 2L));
  }

  @Test
  void readsWindows() {
    Stored.check(new TimeWindow.Serializer(), new TimeWindow(5, 9), row(5L, 9L));
    Stored.check(new CountWindow.Serializer(), new CountWindow(7), 7L);
    Stored.check(new GlobalWindow.Serializer(), GlobalWindow.get(), "GlobalWindow");
  }

  /** Of MATCH_RECOGNIZE: the serializers of other states follow in the same header. */
  @Test
  void showsMatchesUnderWayAsBytes() {
    NodeId.NodeIdSerializer nodes = new NodeId.NodeIdSerializer();
    for (TypeSerializer<?> serializer :
        List.of(
            new NFAStateSerializer(),
            new SharedBufferNodeSerializer(),
            new MapSerializer<>(nodes, new Lockable.LockableTypeSerializer<>(nodes)))) {
      StoredSerializer stored = Stored.serializer(serializer);
      assertThat(stored.codec().unwritable())
          .as(stored.description())
          .contains("of Flink CEP is not decoded");
    }
  }

  @Test
  void readsNumbersThatAreStoredInTheirOrder() {
    Stored.check(SortedLongSerializer.INSTANCE, -5L, -5L);
  }

  /** The type of the objects stands in the snapshot as a Java object. */
  @Test
  void readsObjectsInTheFormOfSql() {
    Stored.check(ExternalSerializer.<Object, Object>of(DataTypes.STRING()), "text", "text");
    RowDataSerializer rows = new RowDataSerializer(TEXT);
    Stored.check(
        ExternalSerializer.<RowData, RowData>of(
            DataTypes.ROW(DataTypes.STRING()).bridgedTo(RowData.class)),
        binary(rows, GenericRowData.of(text("text"))),
        row("text", "+I"));
  }
}
