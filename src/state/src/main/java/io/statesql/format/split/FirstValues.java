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

import io.statesql.Cancellation;
import io.statesql.ErrorCode;
import io.statesql.ReadCounters;
import io.statesql.ScanContext;
import io.statesql.StateSqlException;
import io.statesql.format.keygroup.HeapElements;
import io.statesql.format.model.ElementCodecs;
import io.statesql.format.model.KeyedElement;
import io.statesql.format.model.KeyedElements;
import io.statesql.format.model.KeyedHeader;
import io.statesql.format.model.KeyedSplit;
import io.statesql.format.model.KeyedStateMeta;
import io.statesql.format.model.Obstacles;
import io.statesql.format.model.OperatorSplit;
import io.statesql.format.model.OperatorStateMeta;
import io.statesql.format.model.StateMeta;
import io.statesql.format.operator.OperatorElements;
import io.statesql.format.scan.ElementCondition;
import io.statesql.snapshot.KeyGroupRange;
import io.statesql.snapshot.Snapshot;
import io.statesql.type.Codec;
import io.statesql.type.MalformedValueException;
import io.statesql.type.StateInput;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the first values of an operator's state for what no header tells: subclasses of POJOs
 * for which a header has no serializer, and values whose end cannot be found where nothing else
 * tells it. The codecs note the former, {@link Obstacles} the latter.
 *
 * <p>Reads {@link #MOST_BYTES} of an operator at most, of state with POJOs alone, and of the layout
 * of the heap backend where a part has no known end. RocksDB files are not looked at: there the
 * serializer that wrote the values also wrote the header, so it has met their classes.
 */
final class FirstValues {
  /** What is read of an operator's files, in bytes. */
  private static final long MOST_BYTES =
      Long.getLong("statesql.subclass-search-bytes", /* default= */ 1L << 24);

  /** How many key groups of a file may be left at a value without an end. */
  private static final int MOST_TRIES = 64;

  private final Snapshot snapshot;
  private final ReadCounters counters = new ReadCounters();
  private final long most;

  /** Bytes of values that were looked at, which state in the metadata is not counted by. */
  private long passed;

  private boolean isEnough;

  private FirstValues(Snapshot snapshot, long most) {
    this.most = most;
    Cancellation outer = snapshot.scan().cancellation();
    Cancellation limit =
        () -> {
          outer.check();
          if (counters.bytes() > most) {
            isEnough = true;
            throw new StateSqlException(ErrorCode.CANCELED, "Enough values were looked at.");
          }
        };
    this.snapshot = snapshot.within(new ScanContext(limit, counters, snapshot.scan().limits()));
  }

  /** Looks at values of keyed state. */
  static void ofKeyed(Snapshot snapshot, List<KeyedSplit> splits) {
    long left = MOST_BYTES;
    for (int i = 0; i < splits.size(); i++) {
      FirstValues values = new FirstValues(snapshot, left / (splits.size() - i));
      values.look(splits.get(i));
      left -= Math.max(values.counters.bytes(), values.passed);
    }
  }

  /** Looks at values of operator state. */
  static void ofOperator(Snapshot snapshot, List<OperatorSplit> splits) {
    long left = MOST_BYTES;
    for (int i = 0; i < splits.size(); i++) {
      FirstValues values = new FirstValues(snapshot, left / (splits.size() - i));
      values.look(splits.get(i));
      left -= Math.max(values.counters.bytes(), values.passed);
    }
  }

  private void look(KeyedSplit split) {
    BitSet wanted = wanted(split);
    if (wanted.isEmpty() || KeyedForms.of(split).headerKnowsClasses()) {
      return;
    }
    try {
      KeyGroupRange rest = split.keyGroups();
      for (int tries = 0; tries < MOST_TRIES && rest.count() > 0 && !isEnough; tries++) {
        int stopped = look(split.within(rest), wanted);
        rest = new KeyGroupRange(stopped + 1, rest.end() - stopped);
      }
    } catch (StateSqlException e) {
      leaveToStatements(e);
    } catch (MalformedValueException e) {
      // As damage that a reader finds itself.
      isEnough = true;
    }
  }

  private static BitSet wanted(KeyedSplit split) {
    KeyedHeader header = split.header();
    boolean hasLengths = KeyedForms.of(split).hasLengths();
    BitSet wanted = new BitSet();
    for (KeyedStateMeta state : header.states()) {
      wanted.set(
          state.id(),
          header.pojos().isAnyBelow(state.name())
              || (!hasLengths && HeapElements.isUndelimited(state)));
    }
    boolean concernsAll =
        header.pojos().isAnyBelow(KeyedHeader.KEY) || (!hasLengths && !wanted.isEmpty());
    if (concernsAll) {
      wanted.set(0, header.states().size());
    }
    return wanted;
  }

  /**
   * Looks at states of a split.
   *
   * @return the key group that could not be left, or the last one
   */
  private int look(KeyedSplit split, BitSet wanted) {
    BitSet left = (BitSet) wanted.clone();
    KeyedSplit part = split;
    while (!left.isEmpty() && !isEnough) {
      try (KeyedElements elements =
          KeyedSplits.openStored(snapshot, part, left, ElementCondition.NONE)) {
        // Without lengths the reader itself looks at all parts.
        boolean looks = KeyedForms.of(split).hasLengths();
        StateSqlException obstacle =
            pass(elements, element -> looks ? element.state() : null, split.obstacles());
        if (obstacle == null) {
          break;
        }
        KeyedStateMeta state = elements.element().state();
        Optional<BitSet> behind = state == null ? Optional.empty() : elements.statesBehindFault();
        boolean isWanted = state != null && left.get(state.id());
        if (!isWanted && behind.map(BitSet::isEmpty).orElse(true)) {
          // It stands in the base of a changelog: a statement that comes to it tells.
          break;
        }
        if (isWanted) {
          split.obstacles().add(state.name(), obstacle.getMessage());
          left.clear(state.id());
        } else {
          addObstacleBehind(split, behind.get(), state.name());
          left.andNot(behind.get());
        }
        if (behind.isPresent()) {
          // The rest of the key group, as far as it is found, and then the next one.
          part = split.within(new KeyGroupRange(elements.element().keyGroup(), 1));
        }
      }
    }
    return part.keyGroups().end();
  }

  private static void addObstacleBehind(KeyedSplit split, BitSet states, String obstacle) {
    states.stream()
        .mapToObj(id -> split.header().states().get(id).name())
        .forEach(
            state ->
                split
                    .obstacles()
                    .add(
                        state,
                        "it is stored behind state \""
                            + obstacle
                            + "\", which cannot be passed over: "
                            + split.obstacles().of(obstacle)));
  }

  /**
   * Looks at elements.
   *
   * @param states that of an element; null if it need not be looked at
   * @param obstacles take what is met in parts whose ends are known
   * @return what keeps from going on, or null at the end
   */
  private @Nullable StateSqlException pass(
      KeyedElements elements,
      Function<KeyedElement, @Nullable StateMeta> states,
      Obstacles obstacles) {
    try {
      while (!isEnough && elements.next()) {
        KeyedElement element = elements.element();
        passed += element.value().remaining();
        isEnough |= passed > most;
        StateMeta state = states.apply(element);
        if (state != null) {
          pass(element, state, obstacles);
        }
      }
      return null;
    } catch (StateSqlException e) {
      if (e.code() == ErrorCode.UNDECODABLE_STATE) {
        return e;
      }
      throw e;
    }
  }

  private static void pass(KeyedElement element, StateMeta state, Obstacles obstacles) {
    ElementCodecs codecs = state.codecs();
    try {
      pass(codecs.key(), element.key());
      pass(codecs.namespace(), element.namespace());
      pass(codecs.mapKey(), element.mapKey());
      if (!element.valueIsNull() && codecs.value() != null) {
        StateInput value = element.value();
        if (codecs.hasTtl()) {
          value.skip(Long.BYTES);
        }
        pass(codecs.value(), value);
      }
    } catch (StateSqlException e) {
      if (e.code() != ErrorCode.UNDECODABLE_STATE) {
        throw e;
      }
      // The length of the part stands before it, so the next element can be read.
      obstacles.add(state.name(), e.getMessage());
    }
  }

  private static void pass(@Nullable Codec codec, StateInput in) {
    if (codec != null) {
      codec.skip(in);
    }
  }

  private void look(OperatorSplit split) {
    for (OperatorStateMeta state : split.header().states()) {
      if (!split.header().pojos().isAnyBelow(state.name()) || isEnough) {
        continue;
      }
      try (KeyedElements elements = OperatorElements.open(snapshot, split, state, true)) {
        StateSqlException obstacle = pass(elements, element -> state, split.obstacles());
        if (obstacle != null) {
          split.obstacles().add(state.name(), obstacle.getMessage());
        }
      } catch (StateSqlException e) {
        leaveToStatements(e);
      } catch (MalformedValueException e) {
        isEnough = true;
      }
    }
  }

  /** Damage, or a file that is gone, is told by the statement that reads it. */
  private void leaveToStatements(StateSqlException fault) {
    if (fault.code() == ErrorCode.CANCELED && !isEnough) {
      throw fault;
    }
  }
}
