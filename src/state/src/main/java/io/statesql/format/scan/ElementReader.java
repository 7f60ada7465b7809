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
package io.statesql.format.scan;

import io.statesql.format.model.ColumnSource;
import io.statesql.format.model.ColumnSource.Derived;
import io.statesql.format.model.ColumnSource.Part;
import io.statesql.format.model.ElementCodecs;
import io.statesql.format.model.KeyGroupCheck;
import io.statesql.format.model.KeyedElement;
import io.statesql.format.model.StateKind;
import io.statesql.format.model.StateMeta;
import io.statesql.format.model.StoredElement;
import io.statesql.format.model.TimerName;
import io.statesql.type.Codec;
import io.statesql.type.DateTimeRange;
import io.statesql.type.StateInput;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes a row of each element of one state in one split. Reads only the parts that the columns
 * need, each once, and of a part only the fields that they need; refuses bytes left over in a part
 * that it reads. Not thread-safe.
 */
public final class ElementReader {
  private final StateMeta state;
  private final ElementCodecs codecs;
  private final TimerName timer;
  private final Slot[] slots;

  /** What to read each part with; null for a part that no column needs. */
  private final Codec wantedKey;

  private final Codec wantedNamespace;
  private final Codec wantedMapKey;
  private final Codec wantedValue;
  private final boolean needsWindow;
  private final boolean needsLastAccess;
  private final boolean needsStored;

  /** For each key that is read; null if nothing is known of keys of this type. */
  private final @Nullable KeyGroupCheck keyGroupCheck;

  private Object keyValue;
  private Object namespaceValue;
  private Object mapKeyValue;
  private Object value;
  private long windowStart;
  private long windowEnd;
  private long lastAccess;
  private StoredElement stored;

  /** A reader of state without keys, or of keys that were tested before. */
  public ElementReader(StateMeta state, List<ColumnSource> columns) {
    this(state, columns, null, false);
  }

  /**
   * A reader that refuses keys which do not belong to their key group, where the columns need them.
   *
   * @param columns in the order of the row's fields; a field or part that this state does not have
   *     yields null
   * @param maxParallelism of the operator
   */
  public static ElementReader ofElements(
      StateMeta state, List<ColumnSource> columns, int maxParallelism) {
    KeyGroupCheck check = KeyGroupCheck.of(state.codecs().key(), maxParallelism);
    return new ElementReader(state, columns, check, false);
  }

  /** As {@link #ofElements}, for rows that stand for a key: it is tested whatever they show. */
  public static ElementReader ofKeys(
      StateMeta state, List<ColumnSource> columns, int maxParallelism) {
    KeyGroupCheck check = KeyGroupCheck.of(state.codecs().key(), maxParallelism);
    return new ElementReader(state, columns, check, check != null);
  }

  private ElementReader(
      StateMeta state,
      List<ColumnSource> columns,
      @Nullable KeyGroupCheck keyGroupCheck,
      boolean alwaysChecks) {
    this.state = state;
    this.codecs = state.codecs();
    this.timer = state.kind() == StateKind.TIMER ? TimerName.of(state.name()) : null;
    this.slots = columns.stream().map(this::slot).toArray(Slot[]::new);
    boolean window = false;
    boolean access = false;
    boolean whole = false;
    for (Slot slot : slots) {
      window |= slot.derived != null && isWindow(slot.derived);
      access |= slot.derived == Derived.LAST_ACCESS;
      whole |= slot.derived == Derived.STORED;
    }
    this.needsWindow = window && codecs.hasTimeWindow();
    this.needsLastAccess = access && codecs.hasTtl();
    this.needsStored = whole;
    Codec key = needed(Part.KEY);
    boolean checks = keyGroupCheck != null && (key != null || whole || alwaysChecks);
    this.keyGroupCheck = checks ? keyGroupCheck : null;
    // The hash code is one of the whole key.
    this.wantedKey = checks ? codecs.key() : key;
    this.wantedNamespace = needed(Part.NAMESPACE);
    this.wantedMapKey = needed(Part.MAP_KEY);
    this.wantedValue = needed(Part.VALUE);
  }

  /**
   * Reads the element's row into {@code row}, at {@code offset}.
   *
   * @throws io.statesql.type.MalformedValueException if a part is not what its serializer says
   */
  public void read(KeyedElement element, Object[] row, int offset) {
    if (needsStored) {
      stored = StoredElement.of(state, element);
    }
    if (wantedKey != null) {
      long keyOffset = element.key().offset();
      keyValue = readPart(wantedKey, element.key());
      if (keyGroupCheck != null) {
        keyGroupCheck.require(keyValue, element.keyGroup(), keyOffset);
      }
    }
    if (wantedNamespace != null) {
      namespaceValue = readPart(wantedNamespace, element.namespace());
    }
    if (needsWindow) {
      windowStart = element.namespace().readLong();
      windowEnd = element.namespace().readLong();
    }
    if (wantedMapKey != null) {
      mapKeyValue = readPart(wantedMapKey, element.mapKey());
    }
    readValue(element);
    for (int i = 0; i < slots.length; i++) {
      row[offset + i] = slotValue(slots[i], element);
    }
  }

  /** Whether {@link #read} looks at the value. */
  public boolean readsValue() {
    return wantedValue != null || needsLastAccess || needsStored;
  }

  private void readValue(KeyedElement element) {
    if (wantedValue == null && !needsLastAccess) {
      return;
    }
    StateInput in = element.value();
    if (element.valueIsNull()) {
      value = null;
      return;
    }
    if (codecs.hasTtl()) {
      lastAccess = in.readLong();
    }
    if (wantedValue != null) {
      value = readPart(wantedValue, in);
    }
  }

  private static Object readPart(Codec codec, StateInput in) {
    Object result = codec.readLast(in);
    in.requireEnd();
    return result;
  }

  private Object slotValue(Slot slot, KeyedElement element) {
    if (slot.derived != null) {
      return derivedValue(slot.derived, element);
    }
    if (slot.part == null) {
      return null;
    }
    Object part =
        switch (slot.part) {
          case KEY -> keyValue;
          case NAMESPACE -> namespaceValue;
          case MAP_KEY -> mapKeyValue;
          case VALUE -> value;
        };
    return slot.field < 0 || part == null ? part : ((Object[]) part)[slot.field];
  }

  private Object derivedValue(Derived derived, KeyedElement element) {
    return switch (derived) {
      case KEY_GROUP -> element.keyGroup();
      case SUBTASK -> element.subtask();
      case LIST_INDEX -> element.listIndex();
      case LAST_ACCESS -> needsLastAccess && !element.valueIsNull() ? lastAccess : null;
      case WINDOW_START -> needsWindow ? inRange(windowStart) : null;
      case WINDOW_END -> needsWindow ? inRange(windowEnd) : null;
      case WINDOW_START_MS -> needsWindow ? outOfRange(windowStart) : null;
      case WINDOW_END_MS -> needsWindow ? outOfRange(windowEnd) : null;
      case TIME_DOMAIN -> timer.domain() == null ? null : timer.domain().name();
      case TIMER_SERVICE -> timer.service();
      case TIMER_TIMESTAMP -> element.timestamp();
      case FIRE_TIME -> inRange(element.timestamp());
      case STORED -> stored;
    };
  }

  private static Long inRange(long epochMillis) {
    return DateTimeRange.holdsTimestamp(epochMillis) ? (Long) epochMillis : null;
  }

  private static Long outOfRange(long epochMillis) {
    return DateTimeRange.holdsTimestamp(epochMillis) ? null : (Long) epochMillis;
  }

  private static boolean isWindow(Derived derived) {
    return switch (derived) {
      case WINDOW_START, WINDOW_END, WINDOW_START_MS, WINDOW_END_MS -> true;
      default -> false;
    };
  }

  private Slot slot(ColumnSource source) {
    if (source instanceof Derived derived) {
      return new Slot(null, -1, derived);
    }
    if (source instanceof ColumnSource.Whole whole) {
      return new Slot(state.codec(whole.part()) == null ? null : whole.part(), -1, null);
    }
    ColumnSource.FieldOf fieldOf = (ColumnSource.FieldOf) source;
    Codec codec = state.codec(fieldOf.part());
    int index = codec == null ? -1 : fieldOf.indexIn(codec.type());
    return new Slot(index < 0 ? null : fieldOf.part(), index, null);
  }

  /** The codec for what the columns need of a part, or null if they need nothing of it. */
  private Codec needed(Part part) {
    BitSet fields = new BitSet();
    for (Slot slot : slots) {
      if (slot.part == part && slot.field < 0) {
        return state.codec(part);
      }
      if (slot.part == part) {
        fields.set(slot.field);
      }
    }
    return fields.isEmpty() ? null : state.codec(part).select(fields);
  }

  /**
   * A column, resolved against this state's codecs.
   *
   * @param part null for a derived column, and for one that this state does not have
   * @param field index in the part's row, or -1 for the whole part
   */
  private record Slot(Part part, int field, Derived derived) {}
}
