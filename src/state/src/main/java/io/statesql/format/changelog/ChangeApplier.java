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

import io.statesql.format.changelog.KeyGroupContents.Scope;
import io.statesql.format.changelog.KeyGroupContents.Stored;
import io.statesql.format.key.CompositeEntry;
import io.statesql.format.key.OwnKeys;
import io.statesql.format.model.ElementCodecs;
import io.statesql.format.model.KeyedStateMeta;
import io.statesql.format.model.StateKind;
import io.statesql.snapshot.Bytes;
import io.statesql.type.Codec;
import io.statesql.type.MalformedValueException;
import io.statesql.type.StateInput;
import java.util.ArrayList;
import java.util.List;

/**
 * Applies one change to what a state holds. Values are told apart by their codecs, and kept as
 * bytes.
 */
final class ChangeApplier {
  private final KeyGroupContents contents;
  private final StateKind kind;
  private final KeyedStateMeta state;
  private final ElementCodecs codecs;
  private final OwnKeys keys;
  private final int keyGroup;
  private final StateInput in;

  /**
   * @param contents to which it is applied
   * @param keys goes over those of the change
   * @param keyGroup in which the change stands
   * @param state as whose the values of the change are stored
   * @param in stands behind the number of the state
   */
  ChangeApplier(
      KeyGroupContents contents, KeyedStateMeta state, OwnKeys keys, int keyGroup, StateInput in) {
    this.contents = contents;
    this.kind = contents.kind();
    this.state = state;
    this.codecs = state.codecs();
    this.keys = keys;
    this.keyGroup = keyGroup;
    this.in = in;
  }

  /** A merge of values that only the job's own function could do. */
  static final class MergeException extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  void apply(ChangeOperation operation) {
    if (kind == StateKind.TIMER) {
      applyToTimers(operation);
    } else {
      int start = in.position();
      Bytes key = takeKey();
      if (!contents.isKept(in, start, in.position() - start)) {
        return;
      }
      Scope scope = new Scope(key, take(codecs.namespace()));
      switch (operation) {
        case CLEAR -> contents.remove(scope);
        case MERGE_NAMESPACES -> merge(key);
        default -> {
          switch (kind) {
            case LIST -> applyToList(operation, scope);
            case MAP -> applyToMap(operation, scope);
            default -> applyToValue(operation, scope);
          }
        }
      }
    }
    in.requireEnd();
  }

  private void applyToValue(ChangeOperation operation, Scope scope) {
    if (operation != ChangeOperation.SET && operation != ChangeOperation.SET_INTERNAL) {
      throw unexpected(operation);
    }
    contents.put(scope, KeyGroupContents.WHOLE, takeRest());
  }

  private void applyToList(ChangeOperation operation, Scope scope) {
    switch (operation) {
      case SET, SET_INTERNAL -> {
        contents.remove(scope);
        addAll(scope);
      }
      case ADD -> addAll(scope);
      case ADD_ELEMENT -> contents.append(scope, takeRest());
      default -> throw unexpected(operation);
    }
  }

  private void addAll(Scope scope) {
    for (int left = in.readCount(codecs.value().minimumLength()); left > 0; left--) {
      contents.append(scope, takeValue());
    }
  }

  private void applyToMap(ChangeOperation operation, Scope scope) {
    switch (operation) {
      case ADD -> {
        for (int left = in.readCount(codecs.mapKey().minimumLength() + 1); left > 0; left--) {
          Bytes mapKey = take(codecs.mapKey());
          contents.put(scope, mapKey, in.readBoolean() ? new Stored(state, null) : takeValue());
        }
      }
      case ADD_ELEMENT, ADD_OR_UPDATE_ELEMENT -> {
        Bytes mapKey = take(codecs.mapKey());
        contents.put(scope, mapKey, takeRest());
      }
      case REMOVE_ELEMENT -> contents.remove(scope, take(codecs.mapKey()));
      default -> throw unexpected(operation);
    }
  }

  private void applyToTimers(ChangeOperation operation) {
    switch (operation) {
      case ADD_ELEMENT -> {
        for (int left = in.readCount(Long.BYTES); left > 0; left--) {
          applyToTimer(true);
        }
      }
      case REMOVE_ELEMENT -> applyToTimer(false);
      default -> throw unexpected(operation);
    }
  }

  private void applyToTimer(boolean added) {
    Bytes time = KeyGroupContents.number(in.readLong() ^ CompositeEntry.FLIPPED_SIGN);
    int start = in.position();
    Bytes key = takeKey();
    boolean kept = contents.isKept(in, start, in.position() - start);
    Scope scope = new Scope(key, take(codecs.namespace()));
    if (kept && added) {
      contents.put(scope, time, new Stored(state, null));
    } else if (kept) {
      contents.remove(scope, time);
    }
  }

  /** Moves what the namespaces of a key hold into one of them, behind what that holds. */
  private void merge(Bytes key) {
    Scope target = new Scope(key, take(codecs.namespace()));
    List<Stored> merged = new ArrayList<>();
    for (int left = in.readCount(codecs.namespace().minimumLength()); left > 0; left--) {
      merged.addAll(contents.remove(new Scope(key, take(codecs.namespace()))).values());
    }
    switch (kind) {
      case LIST -> merged.forEach(value -> contents.append(target, value));
      case REDUCING, AGGREGATING -> {
        if (!merged.isEmpty()) {
          if (merged.size() > 1 || contents.holds(target)) {
            throw new MergeException();
          }
          contents.put(target, KeyGroupContents.WHOLE, merged.get(0));
        }
      }
      default -> throw unexpected(ChangeOperation.MERGE_NAMESPACES);
    }
  }

  private MalformedValueException unexpected(ChangeOperation operation) {
    return in.malformed("a change %s cannot be made to a %s state", operation, kind);
  }

  /** Takes a value behind which nothing follows, whether or not its own bytes say where it ends. */
  private Stored takeRest() {
    return new Stored(state, Bytes.copyOf(in.readBytes(in.remaining())));
  }

  private Stored takeValue() {
    int start = in.position();
    if (codecs.hasTtl()) {
      in.skip(Long.BYTES);
    }
    codecs.value().skip(in);
    return new Stored(state, copyFrom(start));
  }

  private Bytes takeKey() {
    int start = in.position();
    keys.skip(state, keyGroup, in);
    return copyFrom(start);
  }

  private Bytes take(Codec codec) {
    int start = in.position();
    codec.skip(in);
    return copyFrom(start);
  }

  private Bytes copyFrom(int start) {
    int end = in.position();
    in.position(start);
    return Bytes.copyOf(in.readBytes(end - start));
  }
}
