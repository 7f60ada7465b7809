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
package io.statesql.format.key;

import io.statesql.StateSqlException;
import io.statesql.format.model.ElementCodecs;
import io.statesql.format.model.KeyedElement;
import io.statesql.format.model.KeyedSplit;
import io.statesql.format.model.KeyedStateMeta;
import io.statesql.format.model.SplitFault;
import io.statesql.format.model.StateKind;
import io.statesql.format.scan.ElementMatcher;
import io.statesql.type.StateInput;

/**
 * Turns one stored entry, a key and a value, into {@link KeyedElement}s. Canonical savepoints and
 * RocksDB store the same entries, one for each value, timer and map entry and one for each whole
 * list. Reusable; not thread-safe.
 *
 * <p>The bytes of a list are {@code org.apache.flink.runtime.state.ListDelimitedSerializer}'s, the
 * key of a timer is {@code org.apache.flink.streaming.api.operators.TimerSerializer}'s behind the
 * key group (Flink 2.3).
 */
public final class CompositeEntry {
  private static final byte LIST_DELIMITER = ',';

  /** The sign bit that Flink flips so that times sort as bytes. */
  public static final long FLIPPED_SIGN = Long.MIN_VALUE;

  private final KeyedSplit keyedSplit;
  private final int maxParallelism;
  private final CompositeKey[] compositeKeys;
  private final KeyedElement element;
  private final StateInput key = new StateInput();
  private final StateInput value = new StateInput();

  /** Whether more elements of the present list follow. */
  private boolean inList;

  /**
   * @param element what to point at the parts of each entry
   * @param split that holds the entries
   */
  public CompositeEntry(KeyedElement element, KeyedSplit split) {
    this.element = element;
    this.keyedSplit = split;
    this.maxParallelism = split.operator().maxParallelism();
    this.compositeKeys = new CompositeKey[split.header().states().size()];
  }

  /** Always the same object. */
  public KeyedElement element() {
    return element;
  }

  /** To be pointed at the bytes of the next entry's key before {@link #split}. */
  public StateInput key() {
    return key;
  }

  /** To be pointed at the bytes of the next entry's value before {@link #split}. */
  public StateInput value() {
    return value;
  }

  /** Says that what follows is of this key group, and of no state yet. */
  public void startKeyGroup(int keyGroup) {
    element.keyGroup = keyGroup;
    element.state = null;
  }

  /**
   * Shows the first element of the entry that {@link #key} and {@link #value} point at.
   *
   * @throws io.statesql.type.MalformedValueException if it is no entry of the state and key group
   * @throws StateSqlException if only a class tells where a part ends
   */
  public void split(KeyedStateMeta state) {
    inList = false;
    element.state = state;
    element.listIndex = 0;
    element.valueIsNull = false;
    element.timestamp = 0;
    try {
      switch (state.kind()) {
        case TIMER -> splitTimer(state);
        case LIST -> startList(state);
        case MAP -> splitMapEntry(state);
        default -> {
          splitKey(state);
          element.value.reset(value);
        }
      }
    } catch (StateSqlException e) {
      throw located(e);
    }
  }

  /**
   * Whether the entry whose key {@link #key} points at is one that a matcher wants. The key is to
   * be pointed at again before {@link #split}.
   *
   * @throws io.statesql.type.MalformedValueException if it is no entry of the state and key group
   */
  public boolean matches(KeyedStateMeta state, ElementMatcher matcher) {
    pass(state);
    return matcher.matches(element);
  }

  /**
   * Shows the key alone of the entry that {@link #key} points at.
   *
   * @throws io.statesql.type.MalformedValueException if it is no entry of the state and key group
   */
  public void pass(KeyedStateMeta state) {
    element.state = state;
    try {
      if (state.kind() == StateKind.TIMER) {
        splitTimerKey(state);
      } else {
        splitKey(state);
      }
    } catch (StateSqlException e) {
      throw located(e);
    }
  }

  private StateSqlException located(StateSqlException fault) {
    inList = false;
    return SplitFault.located(keyedSplit, element, fault);
  }

  /** Whether the present entry is a list with elements that were not shown yet. */
  public boolean hasMoreElements() {
    return inList;
  }

  /**
   * Shows the next element of a list.
   *
   * @throws io.statesql.type.MalformedValueException if there is none that the state can hold
   */
  public void nextElement() {
    element.listIndex++;
    showKey(compositeKey(element.state));
    byte delimiter = value.readByte();
    if (delimiter != LIST_DELIMITER) {
      throw value.malformed("elements of a list must be parted by a comma");
    }
    try {
      splitListElement();
    } catch (StateSqlException e) {
      throw located(e);
    }
  }

  private void startList(KeyedStateMeta state) {
    splitKey(state);
    splitListElement();
  }

  private void splitListElement() {
    ElementCodecs codecs = element.state.codecs();
    int start = value.position();
    if (codecs.wholeList()) {
      value.skip(value.remaining());
    } else {
      if (codecs.hasTtl()) {
        value.skip(Long.BYTES);
      }
      codecs.value().skip(value);
    }
    element.value.window(value, start, value.position() - start);
    inList = value.remaining() > 0;
  }

  private void splitMapEntry(KeyedStateMeta state) {
    splitKey(state);
    element.valueIsNull = value.readBoolean();
    // After the mark of a null the heap backend still writes a value, which means nothing.
    element.value.reset(value);
  }

  private void splitKey(KeyedStateMeta state) {
    CompositeKey composite = compositeKey(state);
    composite.split(key, element.keyGroup);
    showKey(composite);
  }

  private void showKey(CompositeKey composite) {
    element.key.window(key, composite.keyStart(), composite.keyLength());
    element.namespace.window(key, composite.namespaceStart(), composite.namespaceLength());
    element.mapKey.window(key, composite.mapKeyStart(), key.limit() - composite.mapKeyStart());
  }

  private CompositeKey compositeKey(KeyedStateMeta state) {
    CompositeKey composite = compositeKeys[state.id()];
    if (composite == null) {
      composite = new CompositeKey(maxParallelism, state.codecs());
      compositeKeys[state.id()] = composite;
    }
    return composite;
  }

  private void splitTimer(KeyedStateMeta state) {
    element.value.reset(value);
    value.requireEnd();
    splitTimerKey(state);
  }

  private void splitTimerKey(KeyedStateMeta state) {
    ElementCodecs codecs = state.codecs();
    int prefix = CompositeKey.prefixBytes(maxParallelism);
    int found = prefix == 1 ? key.readUnsignedByte() : key.readUnsignedShort();
    if (found != element.keyGroup) {
      throw key.malformed(
          "a timer of key group %d stands in key group %d", found, element.keyGroup);
    }
    element.timestamp = key.readLong() ^ FLIPPED_SIGN;
    int start = key.position();
    if (codecs.key().isDelimited()) {
      codecs.key().skip(key);
    } else {
      key.skip((long) key.remaining() - codecs.namespaceBytes());
    }
    element.key.window(key, start, key.position() - start);
    start = key.position();
    codecs.namespace().skip(key);
    element.namespace.window(key, start, key.position() - start);
    element.mapKey.window(key, key.position(), 0);
    key.requireEnd();
  }
}
