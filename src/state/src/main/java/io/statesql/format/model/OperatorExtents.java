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
package io.statesql.format.model;

import com.google.common.primitives.ImmutableLongArray;
import io.statesql.snapshot.OperatorStateHandle;
import io.statesql.snapshot.OperatorStateHandle.NamedState;
import io.statesql.type.MalformedValueException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Where the elements of the states of one operator state handle lie in its file. The handle says
 * where each begins; it ends where the next one begins, because {@code
 * DefaultOperatorStateBackendSnapshotStrategy} (Flink 1.8 to 2.3) writes state after state without
 * gaps.
 */
public final class OperatorExtents {
  private final Map<String, Extent> byState;

  private OperatorExtents(Map<String, Extent> byState) {
    this.byState = byState;
  }

  /**
   * The elements of one state.
   *
   * @param starts of the elements, rising; equal where an element takes no bytes
   * @param end after the last byte of the last element
   */
  public record Extent(ImmutableLongArray starts, long end) {
    static final Extent EMPTY = new Extent(ImmutableLongArray.of(), 0);

    public int count() {
      return starts.length();
    }

    public long start(int index) {
      return starts.get(index);
    }

    public long end(int index) {
      return index + 1 < starts.length() ? starts.get(index + 1) : end;
    }

    /** Bytes of all elements. */
    public long length() {
      return starts.isEmpty() ? 0 : end - starts.get(0);
    }
  }

  /** Where the first element of any state begins: at the end of the file if there is none. */
  public static long start(OperatorStateHandle handle, long fileLength) {
    return handle.states().stream()
        .filter(state -> !state.offsets().isEmpty())
        .mapToLong(state -> state.offsets().get(0))
        .min()
        .orElse(fileLength);
  }

  /**
   * Where the elements of the states lie.
   *
   * @throws MalformedValueException if the offsets do not fit to the header or to each other
   */
  public static OperatorExtents of(
      OperatorStateHandle handle, OperatorHeader header, long fileLength) {
    Map<String, NamedState> stored = new HashMap<>();
    for (NamedState state : handle.states()) {
      if (stored.put(state.name(), state) != null) {
        throw new MalformedValueException(
            0, "the metadata has the offsets of state " + state.name() + " twice");
      }
    }
    List<NamedState> inFile = new ArrayList<>();
    for (OperatorStateMeta meta : header.states()) {
      NamedState state = stored.remove(meta.name());
      if (state == null) {
        // Flink lists a state without elements, too.
        throw new MalformedValueException(
            0,
            "the header has state "
                + meta.name()
                + ", of which the metadata does not say where it is");
      }
      requireKind(meta, state);
      if (!state.offsets().isEmpty()) {
        inFile.add(state);
      }
    }
    if (!stored.isEmpty()) {
      throw new MalformedValueException(
          0,
          "the metadata has offsets of state "
              + stored.keySet().iterator().next()
              + ", which the header does not have");
    }
    // Stable: of elements that begin at one offset all but the last are empty, and are written in
    // the order of the header.
    inFile.sort(Comparator.comparingLong(state -> state.offsets().get(0)));
    return new OperatorExtents(extents(inFile, fileLength));
  }

  private static void requireKind(OperatorStateMeta meta, NamedState state) {
    StateKind kind =
        switch (state.mode()) {
          case SPLIT_DISTRIBUTE -> StateKind.SPLIT_LIST;
          case UNION -> StateKind.UNION_LIST;
          case BROADCAST -> StateKind.BROADCAST;
        };
    if (kind != meta.kind()) {
      throw new MalformedValueException(
          0,
          "state "
              + meta.name()
              + " is "
              + meta.kind()
              + " in the header but "
              + kind
              + " in the metadata");
    }
    if (kind == StateKind.BROADCAST && state.offsets().length() > 1) {
      throw new MalformedValueException(
          0,
          "broadcast state "
              + meta.name()
              + " should be in one place but has "
              + state.offsets().length());
    }
  }

  private static Map<String, Extent> extents(List<NamedState> inFile, long fileLength) {
    Map<String, Extent> extents = new HashMap<>();
    for (int i = 0; i < inFile.size(); i++) {
      NamedState state = inFile.get(i);
      long end = i + 1 < inFile.size() ? inFile.get(i + 1).offsets().get(0) : fileLength;
      requireRising(state, end);
      extents.put(state.name(), new Extent(state.offsets(), end));
    }
    return extents;
  }

  private static void requireRising(NamedState state, long end) {
    ImmutableLongArray starts = state.offsets();
    for (int i = 0; i < starts.length(); i++) {
      long next = i + 1 < starts.length() ? starts.get(i + 1) : end;
      if (starts.get(i) > next) {
        throw new MalformedValueException(
            starts.get(i),
            "element " + i + " of state " + state.name() + " would end before it, at " + next);
      }
    }
  }

  /** The elements of a state; none if the handle has none. */
  public Extent of(String state) {
    return byState.getOrDefault(state, Extent.EMPTY);
  }
}
