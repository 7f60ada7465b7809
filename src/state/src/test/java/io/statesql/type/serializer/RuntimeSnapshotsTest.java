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
package io.statesql.type.serializer;

import static org.assertj.core.api.Assertions.assertThat;

import io.statesql.type.StateInput;
import io.statesql.type.Stored;
import io.statesql.type.composite.GlobalWindowCodec;
import io.statesql.type.composite.TimeWindowCodec;
import io.statesql.type.composite.TimerCodec;
import io.statesql.type.composite.VoidNamespaceCodec;
import java.util.List;
import java.util.Optional;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.streaming.api.datastream.CoGroupedStreams.UnionSerializer;
import org.apache.flink.streaming.api.operators.TimerHeapInternalTimer;
import org.apache.flink.streaming.api.operators.TimerSerializer;
import org.apache.flink.streaming.api.operators.co.IntervalJoinOperator.BufferEntry;
import org.apache.flink.streaming.api.operators.co.IntervalJoinOperator.BufferEntrySerializer;
import org.apache.flink.streaming.api.watermark.InternalWatermark;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.api.windowing.windows.GlobalWindow;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;
import org.apache.flink.streaming.runtime.streamrecord.LatencyMarker;
import org.apache.flink.streaming.runtime.streamrecord.RecordAttributes;
import org.apache.flink.streaming.runtime.streamrecord.StreamElement;
import org.apache.flink.streaming.runtime.streamrecord.StreamElementSerializer;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus;
import org.apache.flink.util.TaggedUnion;
import org.junit.jupiter.api.Test;

class RuntimeSnapshotsTest {

  @Test
  void tellsNamespacesApart() {
    Stored.check(VoidNamespaceSerializer.INSTANCE, VoidNamespace.INSTANCE, null);
    assertThat(Stored.codec(VoidNamespaceSerializer.INSTANCE))
        .isInstanceOf(VoidNamespaceCodec.class);
    TypeSerializer<TimeWindow> timeWindow = new TimeWindow.Serializer();
    Stored.check(timeWindow, new TimeWindow(-5, 10), Stored.row(-5L, 10L));
    Stored.check(
        timeWindow,
        new TimeWindow(Long.MIN_VALUE, Long.MAX_VALUE),
        Stored.row(Long.MIN_VALUE, Long.MAX_VALUE));
    assertThat(Stored.codec(timeWindow)).isInstanceOf(TimeWindowCodec.class);
    TypeSerializer<GlobalWindow> globalWindow = new GlobalWindow.Serializer();
    Stored.check(globalWindow, GlobalWindow.get(), "GlobalWindow");
    assertThat(Stored.codec(globalWindow)).isInstanceOf(GlobalWindowCodec.class);
  }

  @Test
  void readsTimersOfAnyTime() {
    TypeSerializer<TimerHeapInternalTimer<String, TimeWindow>> windowed =
        new TimerSerializer<>(StringSerializer.INSTANCE, new TimeWindow.Serializer());
    for (long time : new long[] {Long.MIN_VALUE, Long.MIN_VALUE + 10, -1, 0, 10, Long.MAX_VALUE}) {
      Stored.check(
          windowed,
          new TimerHeapInternalTimer<>(time, "k", new TimeWindow(1, 2)),
          Stored.row(time, "k", Stored.row(1L, 2L)));
    }
    TypeSerializer<TimerHeapInternalTimer<Integer, VoidNamespace>> plain =
        new TimerSerializer<>(IntSerializer.INSTANCE, VoidNamespaceSerializer.INSTANCE);
    assertThat(plain.getLength()).isEqualTo(12);
    TimerHeapInternalTimer<Integer, VoidNamespace> timer =
        new TimerHeapInternalTimer<>(77L, 3, VoidNamespace.INSTANCE);
    Stored.check(plain, timer, Stored.row(77L, 3, null));
    TimerCodec codec = (TimerCodec) Stored.codec(plain);
    StateInput in = new StateInput(Stored.value(plain, timer));
    assertThat(codec.readTimestamp(in)).isEqualTo(77L);
    assertThat(codec.key().read(in)).isEqualTo(3);
    assertThat(codec.namespace()).isInstanceOf(VoidNamespaceCodec.class);
    codec.namespace().skip(in);
    in.requireEnd();
  }

  @Test
  void readsStreamElementsOfEveryKind() {
    StreamElementSerializer<String> serializer =
        new StreamElementSerializer<>(StringSerializer.INSTANCE);
    checkElement(serializer, new StreamRecord<>("a", 5L), Stored.row("RECORD", 5L, "a"));
    checkElement(serializer, new StreamRecord<>("a"), Stored.row("RECORD", null, "a"));
    checkElement(serializer, new Watermark(9L), Stored.row("WATERMARK", 9L, null));
    checkElement(serializer, new InternalWatermark(9L, 3), Stored.row("WATERMARK", 9L, null));
    checkElement(serializer, WatermarkStatus.IDLE, Stored.row("WATERMARK_STATUS", null, null));
    checkElement(
        serializer,
        new LatencyMarker(1L, new OperatorID(2L, 3L), 4),
        Stored.row("LATENCY_MARKER", null, null));
    checkElement(
        serializer, new RecordAttributes(true), Stored.row("RECORD_ATTRIBUTES", null, null));
  }

  private static void checkElement(
      StreamElementSerializer<String> serializer, StreamElement element, Object expected) {
    Stored.check(serializer, element, expected);
  }

  @Test
  void readsUnionsOfCoGroups() {
    UnionSerializer<String, Long> serializer =
        new UnionSerializer<>(StringSerializer.INSTANCE, LongSerializer.INSTANCE);
    Stored.check(serializer, TaggedUnion.one("a"), Stored.row("one", "a", null));
    Stored.check(serializer, TaggedUnion.two(5L), Stored.row("two", null, 5L));
  }

  @Test
  void readsBufferEntriesOfIntervalJoins() {
    BufferEntrySerializer<String> serializer =
        new BufferEntrySerializer<>(StringSerializer.INSTANCE);
    Stored.check(serializer, new BufferEntry<>("a", true), Stored.row(true, "a"));
    Stored.check(serializer, new BufferEntry<>("b", false), Stored.row(false, "b"));
  }

  @Test
  @SuppressWarnings("deprecation") // the state of jobs that still use it
  void readsTransactionsOfTwoPhaseCommitSinks() {
    org.apache.flink.streaming.api.functions.sink.legacy.TwoPhaseCommitSinkFunction.StateSerializer<
            String, Integer>
        serializer =
            new org.apache.flink.streaming.api.functions.sink.legacy.TwoPhaseCommitSinkFunction
                .StateSerializer<>(StringSerializer.INSTANCE, IntSerializer.INSTANCE);
    assertThat(Stored.fieldNames(Stored.codec(serializer).type()))
        .containsExactly("pending", "to_commit", "context");
    Stored.check(
        serializer,
        new org.apache.flink.streaming.api.functions.sink.legacy.TwoPhaseCommitSinkFunction.State<>(
            new org.apache.flink.streaming.api.functions.sink.legacy.TwoPhaseCommitSinkFunction
                .TransactionHolder<>("open", 1L),
            List.of(
                new org.apache.flink.streaming.api.functions.sink.legacy.TwoPhaseCommitSinkFunction
                    .TransactionHolder<>("a", 2L),
                new org.apache.flink.streaming.api.functions.sink.legacy.TwoPhaseCommitSinkFunction
                    .TransactionHolder<>("b", 3L)),
            Optional.of(7)),
        Stored.row(Stored.row("open", 1L), List.of(Stored.row("a", 2L), Stored.row("b", 3L)), 7));
    Stored.check(
        serializer,
        new org.apache.flink.streaming.api.functions.sink.legacy.TwoPhaseCommitSinkFunction.State<>(
            null, List.of(), Optional.empty()),
        Stored.row(null, List.of(), null));
    org.apache.flink.streaming.api.functions.sink.legacy.TwoPhaseCommitSinkFunction.StateSerializer<
            String, Integer>
        withoutNull =
            new org.apache.flink.streaming.api.functions.sink.legacy.TwoPhaseCommitSinkFunction
                .StateSerializer<>(StringSerializer.INSTANCE, IntSerializer.INSTANCE, false);
    Stored.check(
        withoutNull,
        new org.apache.flink.streaming.api.functions.sink.legacy.TwoPhaseCommitSinkFunction.State<>(
            new org.apache.flink.streaming.api.functions.sink.legacy.TwoPhaseCommitSinkFunction
                .TransactionHolder<>("open", 1L),
            List.of(),
            Optional.empty()),
        Stored.row(Stored.row("open", 1L), List.of(), null));
  }
}
