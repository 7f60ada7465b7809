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

import io.statesql.type.BasicCodecs;
import io.statesql.type.Codec;
import io.statesql.type.NullFlag;
import io.statesql.type.StoredField;
import io.statesql.type.composite.GlobalWindowCodec;
import io.statesql.type.composite.ListCodec;
import io.statesql.type.composite.OneOfCodec;
import io.statesql.type.composite.OptionalCodec;
import io.statesql.type.composite.StreamElementCodec;
import io.statesql.type.composite.StructCodec;
import io.statesql.type.composite.TimeWindowCodec;
import io.statesql.type.composite.TimerCodec;
import io.statesql.type.composite.VoidNamespaceCodec;
import java.util.List;
import java.util.Map;

/** Namespaces, timers and what operators of flink-runtime 2.3 keep. */
public final class RuntimeSnapshots {
  private static final String STREAMING = "org.apache.flink.streaming.";
  private static final int TIMER_VERSION = 2;
  private static final int STREAM_ELEMENT_VERSION = 2;
  private static final int UNION_VERSION = 2;
  private static final int BUFFER_ENTRY_VERSION = 2;
  private static final int TWO_PHASE_COMMIT_VERSION = 4;
  private static final int FIRST_VERSION_WITH_NULL_TRANSACTION = 3;

  private RuntimeSnapshots() {}

  public static void register(Map<String, SnapshotParser> parsers) {
    parsers.put(
        "org.apache.flink.runtime.state.VoidNamespaceSerializer$VoidNamespaceSerializerSnapshot",
        SnapshotParser.simple("VoidNamespace", VoidNamespaceCodec.INSTANCE));
    parsers.put(
        STREAMING + "api.windowing.windows.TimeWindow$Serializer$TimeWindowSerializerSnapshot",
        SnapshotParser.simple("TimeWindow", TimeWindowCodec.INSTANCE));
    parsers.put(
        STREAMING + "api.windowing.windows.GlobalWindow$Serializer$GlobalWindowSerializerSnapshot",
        SnapshotParser.simple("GlobalWindow", GlobalWindowCodec.INSTANCE));
    parsers.put(STREAMING + "api.operators.TimerSerializerSnapshot", RuntimeSnapshots::parseTimer);
    parsers.put(
        STREAMING + "runtime.streamrecord.StreamElementSerializer$StreamElementSerializerSnapshot",
        RuntimeSnapshots::parseStreamElement);
    parsers.put(
        STREAMING + "api.datastream.CoGroupedStreams$UnionSerializerSnapshot",
        RuntimeSnapshots::parseUnion);
    parsers.put(
        STREAMING + "api.operators.co.IntervalJoinOperator$BufferEntrySerializerSnapshot",
        RuntimeSnapshots::parseBufferEntry);
    parsers.put(
        STREAMING + "api.functions.sink.TwoPhaseCommitSinkFunction$StateSerializerSnapshot",
        RuntimeSnapshots::parseTwoPhaseCommit);
    parsers.put(
        STREAMING + "api.functions.sink.legacy.TwoPhaseCommitSinkFunction$StateSerializerSnapshot",
        RuntimeSnapshots::parseTwoPhaseCommit);
  }

  private static StoredSerializer parseTimer(SnapshotReader reader, int version) {
    reader.readOuterVersion(version, TIMER_VERSION);
    List<StoredSerializer> nested = reader.readNested(2);
    return timer(reader.ofKey(nested.get(0)), nested.get(1));
  }

  public static StoredSerializer timer(StoredSerializer key, StoredSerializer namespace) {
    return new StoredSerializer(
        StoredSerializer.describe("Timer", List.of(key, namespace)),
        new TimerCodec(key.codec(), namespace.codec()));
  }

  private static StoredSerializer parseStreamElement(SnapshotReader reader, int version) {
    reader.readOuterVersion(version, STREAM_ELEMENT_VERSION);
    List<StoredSerializer> nested = reader.readNested(1);
    return new StoredSerializer(
        StoredSerializer.describe("StreamElement", nested),
        new StreamElementCodec(nested.get(0).codec()));
  }

  /** An element of one of the two inputs of a co-group: {@code input} says of which. */
  private static StoredSerializer parseUnion(SnapshotReader reader, int version) {
    reader.readOuterVersion(version, UNION_VERSION);
    List<StoredSerializer> nested = reader.readNested(2);
    return new StoredSerializer(
        StoredSerializer.describe("TaggedUnion", nested),
        new OneOfCodec(
            "input",
            List.of(
                new OneOfCodec.Alternative(1, "one", nested.get(0).codec()),
                new OneOfCodec.Alternative(2, "two", nested.get(1).codec()))));
  }

  private static StoredSerializer parseBufferEntry(SnapshotReader reader, int version) {
    reader.readOuterVersion(version, BUFFER_ENTRY_VERSION);
    List<StoredSerializer> nested = reader.readNested(1);
    return new StoredSerializer(
        StoredSerializer.describe("BufferEntry", nested),
        new StructCodec(
            List.of(
                new StoredField("joined", BasicCodecs.BOOLEAN),
                new StoredField("element", nested.get(0).codec())),
            -1));
  }

  /**
   * {@code TwoPhaseCommitSinkFunction.StateSerializer} (flink-streaming-java 2.3): the open
   * transaction, those to be committed, and the user's context.
   */
  private static StoredSerializer parseTwoPhaseCommit(SnapshotReader reader, int version) {
    int outerVersion = reader.readOuterVersion(version, TWO_PHASE_COMMIT_VERSION);
    boolean supportsNull =
        outerVersion > FIRST_VERSION_WITH_NULL_TRANSACTION
            ? reader.in().readBoolean()
            : outerVersion == FIRST_VERSION_WITH_NULL_TRANSACTION;
    List<StoredSerializer> nested = reader.readNested(2);
    Codec transaction =
        new StructCodec(
            List.of(
                new StoredField("transaction", nested.get(0).codec()),
                new StoredField("start_time", BasicCodecs.LONG)),
            -1);
    return new StoredSerializer(
        StoredSerializer.describe("TwoPhaseCommitSinkFunction.State", nested),
        new StructCodec(
            List.of(
                new StoredField(
                    "pending",
                    supportsNull
                        ? new OptionalCodec(transaction, NullFlag.IS_PRESENT, 0)
                        : transaction),
                new StoredField("to_commit", new ListCodec(transaction, NullFlag.NONE)),
                new StoredField(
                    "context", new OptionalCodec(nested.get(1).codec(), NullFlag.IS_PRESENT, 0))),
            -1));
  }
}
