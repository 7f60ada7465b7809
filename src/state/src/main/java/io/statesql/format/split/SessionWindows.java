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
import io.statesql.format.model.KeyedElement;
import io.statesql.format.model.KeyedElements;
import io.statesql.format.model.KeyedHeader;
import io.statesql.format.model.KeyedStateMeta;
import io.statesql.format.model.StateKind;
import io.statesql.type.MalformedValueException;
import io.statesql.type.StateInput;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * Shows the contents of merging windows under the window that they belong to. Flink's window
 * operator keeps the contents of a session under the first window that it had, and in the state
 * {@code merging-window-set}, for each key, a list of pairs of the present window and that first
 * one ({@code org.apache.flink.streaming.runtime.operators.windowing.MergingWindowSet}, Flink 2.3).
 *
 * <p>Reads the set of each key group before its contents, so it takes memory for the windows of one
 * key group. A window that the set does not know stays as it is stored.
 */
final class SessionWindows implements KeyedElements {
  private static final int WINDOW_BYTES = 2 * Long.BYTES;

  private final KeyedElements contents;
  private final KeyedElements sets;
  private final Map<ByteBuffer, byte[]> windows = new HashMap<>();
  private int keyGroup = -1;

  /** Whether {@link #sets} stands on an element that is not yet in {@link #windows}. */
  private boolean setsAhead;

  private boolean setsEnded;

  /**
   * @param contents the elements to show
   * @param sets those of the merging window set alone, over the same key groups
   */
  SessionWindows(KeyedElements contents, KeyedElements sets) {
    this.contents = contents;
    this.sets = sets;
  }

  /** Whether a header has merging windows and contents of such windows are wanted. */
  static boolean isNeeded(KeyedHeader header, BitSet wanted) {
    return !mergingSet(header).isEmpty()
        && header.states().stream().anyMatch(state -> wanted.get(state.id()) && isWindowed(state));
  }

  private static boolean isWindowed(KeyedStateMeta state) {
    return state.kind() != StateKind.TIMER && state.codecs().hasTimeWindow();
  }

  /** The number of the state that holds the sets; empty if there is none. */
  static BitSet mergingSet(KeyedHeader header) {
    BitSet ids = new BitSet();
    header.states().stream()
        .filter(KeyedStateMeta::isMergingWindowSet)
        .forEach(state -> ids.set(state.id()));
    return ids;
  }

  @Override
  public boolean next() {
    if (!contents.next()) {
      return false;
    }
    KeyedElement element = contents.element();
    if (isWindowed(element.state())) {
      if (element.keyGroup() != keyGroup) {
        keyGroup = element.keyGroup();
        readSets();
      }
      byte[] window = windows.get(pair(element.key(), element.namespace()));
      element.isRenamed = window != null;
      if (window != null) {
        element.renamed.reset(element.namespace);
        element.namespace.reset(window, 0, window.length, element.namespace.offset());
      }
    }
    return true;
  }

  private void readSets() {
    windows.clear();
    while (setsAhead || advanceSets()) {
      KeyedElement set = sets.element();
      if (set.keyGroup() > keyGroup) {
        return;
      }
      setsAhead = false;
      if (set.keyGroup() == keyGroup) {
        addPair(set);
      }
    }
  }

  private boolean advanceSets() {
    if (setsEnded) {
      return false;
    }
    setsAhead = sets.next();
    setsEnded = !setsAhead;
    return setsAhead;
  }

  private void addPair(KeyedElement set) {
    try {
      StateInput value = set.value();
      byte[] window = value.readBytes(WINDOW_BYTES);
      ByteBuffer stored = pair(set.key(), value);
      value.skip(WINDOW_BYTES);
      value.requireEnd();
      windows.put(stored, window);
    } catch (MalformedValueException e) {
      throw sets.malformed(e);
    }
  }

  /** The bytes of a key and of a window, which both inputs stand at and do not move. */
  private static ByteBuffer pair(StateInput key, StateInput window) {
    byte[] bytes = new byte[key.remaining() + window.remaining()];
    System.arraycopy(key.array(), key.position(), bytes, 0, key.remaining());
    System.arraycopy(window.array(), window.position(), bytes, key.remaining(), window.remaining());
    return ByteBuffer.wrap(bytes);
  }

  @Override
  public KeyedElement element() {
    return contents.element();
  }

  @Override
  public StateSqlException malformed(MalformedValueException fault) {
    return contents.malformed(fault);
  }

  @Override
  public void close() {
    try (sets) {
      contents.close();
    }
  }
}
