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
package io.statesql.format.changelog;

import com.google.common.primitives.Longs;
import io.statesql.format.model.KeyedElement;
import io.statesql.format.model.KeyedStateMeta;
import io.statesql.format.model.StateKind;
import io.statesql.format.scan.KeyPart;
import io.statesql.snapshot.Bytes;
import io.statesql.type.StateInput;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What one state holds in one key group for some keys, in memory, with the logged changes applied
 * as {@code org.apache.flink.state.changelog.restore} (flink-statebackend-changelog 2.3) does.
 * Keys, namespaces and map keys are the same if their bytes are. Not thread-safe.
 */
final class KeyGroupContents {
  /** The part of a value that has but one. */
  static final Bytes WHOLE = Bytes.EMPTY;

  /** Objects and references of one part, and of its scope. */
  private static final long PART_BYTES = 160;

  private static final long SCOPE_BYTES = 192;

  private final StateKind kind;
  private final KeyPart keys;

  /**
   * By scope and then by part: the one part {@link #WHOLE} of a value, list index, map key or time
   * of a timer.
   */
  private final Map<Scope, Map<Bytes, Stored>> contents = new LinkedHashMap<>();

  private long bytes;

  /**
   * @param keys those that are kept
   */
  KeyGroupContents(StateKind kind, KeyPart keys) {
    this.kind = kind;
    this.keys = keys;
  }

  record Scope(Bytes key, Bytes namespace) {
    long bytes() {
      return SCOPE_BYTES + key.length() + namespace.length();
    }
  }

  /**
   * A stored value.
   *
   * @param state as whose it was stored
   * @param value null for a timer, and for a map entry without a value
   */
  record Stored(KeyedStateMeta state, @Nullable Bytes value) {
    long bytes(Bytes part) {
      return PART_BYTES + part.length() + (value == null ? 0 : value.length());
    }
  }

  /** About how much memory it takes. */
  long bytes() {
    return bytes;
  }

  StateKind kind() {
    return kind;
  }

  boolean holds(Scope scope) {
    return contents.containsKey(scope);
  }

  /** The keys of all that it holds. */
  Stream<Bytes> keys() {
    return contents.keySet().stream().map(Scope::key);
  }

  /**
   * Takes over an element of the base.
   *
   * @param state as whose it is stored
   * @throws io.statesql.type.MalformedValueException if the base has it twice
   */
  void add(KeyedStateMeta state, KeyedElement element) {
    if (!isKept(element.key, element.key.position(), element.key.remaining())) {
      return;
    }
    StateInput key = element.key;
    Scope scope = new Scope(copy(key), copy(element.namespace));
    Bytes part =
        switch (kind) {
          case LIST -> number(element.listIndex);
          case MAP -> copy(element.mapKey);
          case TIMER -> number(element.timestamp);
          default -> WHOLE;
        };
    boolean hasValue = kind != StateKind.TIMER && !element.valueIsNull;
    if (contents.getOrDefault(scope, Map.of()).containsKey(part)) {
      throw key.malformed("an entry stands there that the key group has already");
    }
    put(scope, part, new Stored(state, hasValue ? copy(element.value) : null));
  }

  /** Whether a key, of which {@code key} holds the bytes, is kept here. */
  boolean isKept(StateInput key, int start, int length) {
    return keys.contains(ByteBuffer.wrap(key.array(), start, length));
  }

  void append(Scope scope, Stored value) {
    Map<Bytes, Stored> parts = contents.get(scope);
    put(scope, number(parts == null ? 0 : parts.size()), value);
  }

  void put(Scope scope, Bytes part, Stored value) {
    Map<Bytes, Stored> parts = contents.get(scope);
    if (parts == null) {
      parts = new LinkedHashMap<>();
      contents.put(scope, parts);
      bytes += scope.bytes();
    }
    Stored before = parts.put(part, value);
    bytes += value.bytes(part) - (before == null ? 0 : before.bytes(part));
  }

  void remove(Scope scope, Bytes part) {
    Map<Bytes, Stored> parts = contents.get(scope);
    Stored removed = parts == null ? null : parts.remove(part);
    if (removed != null) {
      bytes -= removed.bytes(part);
      if (parts.isEmpty()) {
        remove(scope);
      }
    }
  }

  /** Removes all parts and returns them. */
  Map<Bytes, Stored> remove(Scope scope) {
    Map<Bytes, Stored> removed = contents.remove(scope);
    if (removed == null) {
      return Map.of();
    }
    bytes -= scope.bytes();
    removed.forEach((part, stored) -> bytes -= stored.bytes(part));
    return removed;
  }

  private static Bytes copy(StateInput part) {
    return Bytes.copyOf(part.readBytes(part.remaining()));
  }

  static Bytes number(long number) {
    return Bytes.copyOf(Longs.toByteArray(number));
  }

  /** A value, list element, map entry or timer. */
  private record Item(Scope scope, Bytes part, Stored stored) {}

  /**
   * Ways to point a view at an element, one for each element.
   *
   * @param element the view
   */
  Iterator<Runnable> iterator(KeyedElement element) {
    return contents.entrySet().stream()
        .flatMap(
            scope ->
                scope.getValue().entrySet().stream()
                    .map(part -> new Item(scope.getKey(), part.getKey(), part.getValue())))
        .<Runnable>map(item -> () -> show(element, item.scope(), item.part(), item.stored()))
        .iterator();
  }

  private void show(KeyedElement element, Scope scope, Bytes part, Stored stored) {
    Bytes value = stored.value();
    element.state = stored.state();
    element.key.reset(scope.key().input());
    element.namespace.reset(scope.namespace().input());
    element.mapKey.reset((kind == StateKind.MAP ? part : WHOLE).input());
    element.value.reset((value == null ? WHOLE : value).input());
    element.valueIsNull = kind == StateKind.MAP && value == null;
    element.listIndex = kind == StateKind.LIST ? (int) part.input().readLong() : 0;
    element.timestamp = kind == StateKind.TIMER ? part.input().readLong() : 0;
  }
}
