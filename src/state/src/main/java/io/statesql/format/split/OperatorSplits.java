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
package io.statesql.format.split;

import io.statesql.StateSqlException;
import io.statesql.format.header.GuessedHeaders;
import io.statesql.format.header.OperatorHeaderReader;
import io.statesql.format.model.OperatorExtents;
import io.statesql.format.model.OperatorHeader;
import io.statesql.format.model.OperatorSplit;
import io.statesql.format.model.SubtaskFile;
import io.statesql.snapshot.OperatorState;
import io.statesql.snapshot.OperatorStateHandle;
import io.statesql.snapshot.Snapshot;
import io.statesql.snapshot.StateFile;
import io.statesql.snapshot.SubtaskState;
import io.statesql.type.MalformedValueException;
import io.statesql.type.serializer.SerializerContext;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** The splits of the operator state of one operator: one for each subtask that has any. */
public final class OperatorSplits {
  /** Real headers take kilobytes; this is room for the largest that a job could reasonably have. */
  private static final long MAX_HEADER = 1L << 28;

  private OperatorSplits() {}

  /**
   * Reads the headers of all managed operator state of an operator, and where there are POJOs the
   * first values, too.
   *
   * @return by subtask
   * @throws StateSqlException if a header is damaged or missing
   */
  public static List<OperatorSplit> of(Snapshot snapshot, OperatorState operator) {
    return HeaderRounds.read(
        snapshot,
        knowing -> read(knowing, operator),
        split -> split.header().pojos(),
        FirstValues::ofOperator);
  }

  private static List<OperatorSplit> read(Snapshot snapshot, OperatorState operator) {
    List<OperatorSplit> splits = new ArrayList<>();
    // The subtasks of an operator nearly always have the same header, so it is parsed once.
    Map<ByteBuffer, OperatorHeader> headers = new HashMap<>();
    for (SubtaskState subtask : operator.subtasks()) {
      OperatorStateHandle handle = subtask.managedOperatorState();
      if (handle != null && hasContent(handle)) {
        splits.add(readSplit(snapshot, operator, subtask.index(), handle, headers));
      }
    }
    GuessedHeaders.confirmOperator(splits);
    return splits;
  }

  /**
   * The names of raw operator state, which has no header: only the operator that wrote the bytes
   * can read them. Flink calls it {@code _default_}.
   */
  public static List<String> rawNames(OperatorState operator) {
    TreeSet<String> names = new TreeSet<>();
    for (SubtaskState subtask : operator.subtasks()) {
      OperatorStateHandle handle = subtask.rawOperatorState();
      if (handle != null && hasContent(handle)) {
        handle.states().forEach(state -> names.add(state.name()));
      }
    }
    return List.copyOf(names);
  }

  /** With file merging a handle may stand for folders alone. */
  private static boolean hasContent(OperatorStateHandle handle) {
    return handle.fileMerging() == null || !handle.fileMerging().empty();
  }

  private static OperatorSplit readSplit(
      Snapshot snapshot,
      OperatorState operator,
      int subtask,
      OperatorStateHandle handle,
      Map<ByteBuffer, OperatorHeader> headers) {
    try (StateFile file = SubtaskFile.open(snapshot, operator, subtask, handle.delegate())) {
      try {
        SerializerContext serializers = snapshot.serializers();
        OperatorHeader header = readHeader(file, handle, headers, serializers);
        OperatorExtents extents = OperatorExtents.of(handle, header, file.length());
        return new OperatorSplit(operator, subtask, handle, header, extents, file.name());
      } catch (MalformedValueException e) {
        throw new OperatorSplit(operator, subtask, handle, null, null, file.name())
            .malformed(null, false, e);
      }
    }
  }

  private static OperatorHeader readHeader(
      StateFile file,
      OperatorStateHandle handle,
      Map<ByteBuffer, OperatorHeader> headers,
      SerializerContext serializers) {
    long length = OperatorExtents.start(handle, file.length());
    if (length < 0 || length > Math.min(MAX_HEADER, file.length())) {
      throw new MalformedValueException(
          0, "its header cannot take " + length + " of " + file.length() + " bytes");
    }
    byte[] bytes = new byte[(int) length];
    file.readFully(bytes, 0, bytes.length);
    return headers.computeIfAbsent(
        ByteBuffer.wrap(bytes), key -> OperatorHeaderReader.read(bytes, serializers));
  }
}
