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
package io.statesql.format;

import com.google.common.primitives.Longs;
import io.statesql.snapshot.Bytes;
import io.statesql.type.MalformedValueException;
import io.statesql.type.StateInput;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What one state holds in one key group, in memory, with the logged changes applied as {@code
 * org.apache.flink.state.changelog.restore} (flink-statebackend-changelog 2.3) does. Keys,
 * namespaces and map keys are the same if their bytes are. Not thread-safe.
 */
final class KeyGroupContents {
  private static final Bytes WHOLE = Bytes.EMPTY;

  private final KeyedStateMeta state;
  private final ElementCodecs codecs;

  /**
   * By scope and then by part: the one part {@link #WHOLE} of a value, list index, map key or time
   * of a timer. The value of a part may be null.
   */
  private final Map<Scope, Map<Bytes, Bytes>> contents = new LinkedHashMap<>();

  KeyGroupContents(KeyedStateMeta state) {
    this.state = state;
    this.codecs = state.codecs();
  }

  private record Scope(Bytes key, Bytes namespace) {}

  /** A merge of values that only the job's own function could do. */
  static final class MergeException extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** Takes over an element of the base. */
  void add(KeyedElement element) {
    Map<Bytes, Bytes> parts = partsOf(new Scope(copy(element.key), copy(element.namespace)));
    Bytes part =
        switch (state.kind()) {
          case LIST -> number(parts.size());
          case MAP -> copy(element.mapKey);
          case TIMER -> number(element.timestamp);
          default -> WHOLE;
        };
    boolean hasValue = state.kind() != StateKind.TIMER && !element.valueIsNull;
    parts.put(part, hasValue ? copy(element.value) : null);
  }

  /** Applies a change; {@code in} stands behind the number of the state. */
  void apply(ChangeOperation operation, StateInput in) {
    if (state.kind() == StateKind.TIMER) {
      applyToTimers(operation, in);
    } else {
      Bytes key = take(in, () -> codecs.key().skip(in));
      Bytes namespace = take(in, () -> codecs.namespace().skip(in));
      Scope scope = new Scope(key, namespace);
      switch (operation) {
        case CLEAR -> contents.remove(scope);
        case MERGE_NAMESPACES -> merge(key, in);
        default -> {
          switch (state.kind()) {
            case LIST -> applyToList(operation, scope, in);
            case MAP -> applyToMap(operation, scope, in);
            default -> applyToValue(operation, scope, in);
          }
        }
      }
    }
    in.requireEnd();
  }

  private void applyToValue(ChangeOperation operation, Scope scope, StateInput in) {
    if (operation != ChangeOperation.SET && operation != ChangeOperation.SET_INTERNAL) {
      throw unexpected(operation, in);
    }
    partsOf(scope).put(WHOLE, takeValue(in));
  }

  private void applyToList(ChangeOperation operation, Scope scope, StateInput in) {
    switch (operation) {
      case SET, SET_INTERNAL -> {
        contents.remove(scope);
        addAll(scope, in);
      }
      case ADD -> addAll(scope, in);
      case ADD_ELEMENT -> append(scope, takeValue(in));
      default -> throw unexpected(operation, in);
    }
  }

  private void addAll(Scope scope, StateInput in) {
    for (int left = in.readCount(codecs.value().minimumLength()); left > 0; left--) {
      append(scope, takeValue(in));
    }
  }

  private void append(Scope scope, Bytes value) {
    Map<Bytes, Bytes> parts = partsOf(scope);
    parts.put(number(parts.size()), value);
  }

  private void applyToMap(ChangeOperation operation, Scope scope, StateInput in) {
    switch (operation) {
      case ADD -> {
        for (int left = in.readCount(codecs.mapKey().minimumLength() + 1); left > 0; left--) {
          Bytes mapKey = take(in, () -> codecs.mapKey().skip(in));
          partsOf(scope).put(mapKey, in.readBoolean() ? null : takeValue(in));
        }
      }
      case ADD_ELEMENT, ADD_OR_UPDATE_ELEMENT -> {
        Bytes mapKey = take(in, () -> codecs.mapKey().skip(in));
        partsOf(scope).put(mapKey, takeValue(in));
      }
      case REMOVE_ELEMENT -> partsOf(scope).remove(take(in, () -> codecs.mapKey().skip(in)));
      default -> throw unexpected(operation, in);
    }
  }

  private void applyToTimers(ChangeOperation operation, StateInput in) {
    switch (operation) {
      case ADD_ELEMENT -> {
        for (int left = in.readCount(Long.BYTES); left > 0; left--) {
          applyToTimer(in, true);
        }
      }
      case REMOVE_ELEMENT -> applyToTimer(in, false);
      default -> throw unexpected(operation, in);
    }
  }

  private void applyToTimer(StateInput in, boolean added) {
    Bytes time = number(in.readLong() ^ CompositeEntry.FLIPPED_SIGN);
    Bytes key = take(in, () -> codecs.key().skip(in));
    Map<Bytes, Bytes> times = partsOf(new Scope(key, take(in, () -> codecs.namespace().skip(in))));
    if (added) {
      times.put(time, null);
    } else {
      times.remove(time);
    }
  }

  /** Moves what the namespaces of a key hold into one of them, behind what that holds. */
  private void merge(Bytes key, StateInput in) {
    Scope target = new Scope(key, take(in, () -> codecs.namespace().skip(in)));
    List<Bytes> merged = new ArrayList<>();
    for (int left = in.readCount(codecs.namespace().minimumLength()); left > 0; left--) {
      Bytes namespace = take(in, () -> codecs.namespace().skip(in));
      Map<Bytes, Bytes> source = contents.remove(new Scope(key, namespace));
      if (source != null) {
        merged.addAll(source.values());
      }
    }
    switch (state.kind()) {
      case LIST -> merged.forEach(value -> append(target, value));
      case REDUCING, AGGREGATING -> {
        if (!merged.isEmpty()) {
          if (merged.size() > 1 || contents.containsKey(target)) {
            throw new MergeException();
          }
          partsOf(target).put(WHOLE, merged.get(0));
        }
      }
      default -> throw unexpected(ChangeOperation.MERGE_NAMESPACES, in);
    }
  }

  private MalformedValueException unexpected(ChangeOperation operation, StateInput in) {
    return in.malformed("a change %s cannot be made to a %s state", operation, state.kind());
  }

  private Map<Bytes, Bytes> partsOf(Scope scope) {
    return contents.computeIfAbsent(scope, unknown -> new LinkedHashMap<>());
  }

  private Bytes takeValue(StateInput in) {
    return take(
        in,
        () -> {
          if (codecs.hasTtl()) {
            in.skip(Long.BYTES);
          }
          codecs.value().skip(in);
        });
  }

  /** Copies the bytes over which {@code skipper} goes. */
  private static Bytes take(StateInput in, Runnable skipper) {
    int start = in.position();
    skipper.run();
    int end = in.position();
    in.position(start);
    return Bytes.copyOf(in.readBytes(end - start));
  }

  private static Bytes copy(StateInput part) {
    return Bytes.copyOf(part.readBytes(part.remaining()));
  }

  private static Bytes number(long number) {
    return Bytes.copyOf(Longs.toByteArray(number));
  }

  /** A value, list element, map entry or timer. */
  private record Item(Scope scope, Bytes part, Bytes value) {}

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
        .<Runnable>map(item -> () -> show(element, item.scope(), item.part(), item.value()))
        .iterator();
  }

  private void show(KeyedElement element, Scope scope, Bytes part, Bytes value) {
    element.state = state;
    element.key.reset(scope.key().input());
    element.namespace.reset(scope.namespace().input());
    element.mapKey.reset((state.kind() == StateKind.MAP ? part : WHOLE).input());
    element.value.reset((value == null ? WHOLE : value).input());
    element.valueIsNull = state.kind() == StateKind.MAP && value == null;
    element.listIndex = state.kind() == StateKind.LIST ? (int) part.input().readLong() : 0;
    element.timestamp = state.kind() == StateKind.TIMER ? part.input().readLong() : 0;
  }
}
