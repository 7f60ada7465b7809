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

import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import io.statesql.format.key.OwnKeys;
import io.statesql.format.model.ElementCodecs;
import io.statesql.format.model.KeyedElement;
import io.statesql.format.model.KeyedElements;
import io.statesql.format.model.KeyedSplit;
import io.statesql.format.model.KeyedStateMeta;
import io.statesql.format.model.SplitFault;
import io.statesql.format.model.StateKind;
import io.statesql.format.scan.KeyPart;
import io.statesql.format.scan.SplitScan;
import io.statesql.snapshot.KeyGroupRange;
import io.statesql.snapshot.Snapshot;
import io.statesql.type.Codec;
import io.statesql.type.MalformedValueException;
import io.statesql.type.StateInput;
import io.statesql.type.UndelimitedParts;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Reads what the changelog state backend restores: a base, if there is one, with the changes logged
 * since applied in their order.
 *
 * <p>A change is applied in the key group under which it is logged, that of the operator's current
 * key: for timers, too, that is the key group of their own key.
 *
 * <p>Takes memory for the wanted states of one key group, and as much again for logged changes.
 * What does not fit is read in several passes: each for the key groups whose changes fit, and a key
 * group that does not fit for the keys of half of all hashes, again and again until they do.
 */
final class ChangelogElements implements KeyedElements {
  private final SplitScan scan;
  private final KeyedSplit split;
  private final ChangelogBases bases;
  private final LoggedChanges log;
  private final OwnKeys keys;

  /** What the changes that are kept, and what one key group, may take, in bytes. */
  private final long limit;

  private final KeyedElement element = new KeyedElement();
  private final Deque<Pass> passes = new ArrayDeque<>();
  private Pass pass;
  private int keyGroup;
  private Iterator<KeyGroupContents> states = Collections.emptyIterator();
  private Iterator<Runnable> elements = Collections.emptyIterator();

  /**
   * @param bases closed with this reader
   * @param memory how much it may take, in bytes
   */
  ChangelogElements(Snapshot snapshot, SplitScan scan, ChangelogBases bases, long memory) {
    this.scan = scan;
    this.split = scan.split();
    this.bases = bases;
    this.keys = new OwnKeys(split);
    this.log = new LoggedChanges(snapshot, scan, keys);
    this.limit = memory / 2;
    start(new Pass(split.keyGroups(), KeyPart.ALL));
  }

  /**
   * What is read at a time.
   *
   * @param keys of the key group, where it is only one
   */
  private record Pass(KeyGroupRange keyGroups, KeyPart keys) {}

  /** Begins a pass, and leaves for later what of it does not fit. */
  private void start(Pass wanted) {
    KeyGroupRange all = wanted.keyGroups();
    KeyGroupRange fitting = log.keep(all, limit);
    if (fitting.count() < all.count()) {
      leave(fitting.end() + 1, all.end());
    }
    pass = new Pass(fitting, wanted.keys());
    bases.open(fitting);
    keyGroup = fitting.start() - 1;
  }

  private void leave(int from, int to) {
    if (from <= to) {
      passes.push(new Pass(new KeyGroupRange(from, to - from + 1), KeyPart.ALL));
    }
  }

  @Override
  public KeyedElement element() {
    return element;
  }

  @Override
  public boolean next() {
    while (!elements.hasNext()) {
      if (states.hasNext()) {
        elements = states.next().iterator(element);
      } else if (!nextKeyGroup()) {
        return false;
      }
    }
    elements.next().run();
    return true;
  }

  private boolean nextKeyGroup() {
    while (keyGroup >= pass.keyGroups().end()) {
      if (passes.isEmpty()) {
        return false;
      }
      start(passes.pop());
    }
    keyGroup++;
    if (scan.wantsKeyGroup(keyGroup)) {
      states = readKeyGroup();
    }
    return true;
  }

  /** Reads a key group, or of one that does not fit those of its keys that do. */
  private Iterator<KeyGroupContents> readKeyGroup() {
    while (true) {
      Gathered gathered = new Gathered();
      try {
        gathered.read();
        return gathered.byName.values().iterator();
      } catch (FullException full) {
        halve(gathered);
      }
    }
  }

  /** Goes on with half of the keys; the other half and the key groups behind are left for later. */
  private void halve(Gathered gathered) {
    KeyPart keys = pass.keys();
    if (!keys.canBeHalved() || gathered.isOfOneKey()) {
      throw new StateSqlException(
          ErrorCode.MEMORY_LIMIT,
          SplitFault.where(split, null, keyGroup)
              + "what "
              + split.file()
              + " and its base hold for one key takes more memory than the "
              + limit
              + " bytes that it may; allow more with the option memory, or take a savepoint in"
              + " canonical form (flink savepoint --type canonical), which is read entry by"
              + " entry.");
    }
    leave(keyGroup + 1, pass.keyGroups().end());
    KeyGroupRange one = new KeyGroupRange(keyGroup, 1);
    passes.push(new Pass(one, keys.upperHalf()));
    start(new Pass(one, keys.lowerHalf()));
    keyGroup = one.start();
  }

  /** That there is no room for more. */
  private static final class FullException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    FullException() {
      super(null, null, false, false);
    }
  }

  /** What a key group holds. */
  private final class Gathered {
    private final Map<String, KeyGroupContents> byName = new LinkedHashMap<>();

    Gathered() {
      element.keyGroup = keyGroup;
      for (KeyedStateMeta state : split.header().states()) {
        if (scan.wantsState(state.id())) {
          byName.computeIfAbsent(
              state.name(), name -> new KeyGroupContents(state.kind(), pass.keys()));
        }
      }
    }

    void read() {
      bases.readKeyGroup(
          keyGroup,
          (state, stored) -> {
            keys.require(state, keyGroup, stored.key);
            contents(state).add(state, stored);
            requireRoom();
          });
      if (pass.keyGroups().count() > 1) {
        log.takeKept(keyGroup, this::apply);
      } else {
        log.read(keyGroup, this::apply);
      }
    }

    boolean isOfOneKey() {
      return byName.values().stream().flatMap(KeyGroupContents::keys).distinct().limit(2).count()
          < 2;
    }

    private KeyGroupContents contents(KeyedStateMeta state) {
      return byName.get(state.name());
    }

    private void apply(KeyedStateMeta state, ChangeOperation operation, StateInput in) {
      element.state = state;
      requireDelimited(state, in);
      try {
        new ChangeApplier(contents(state), state, keys, keyGroup, in).apply(operation);
      } catch (MalformedValueException e) {
        throw malformed(e);
      } catch (ChangeApplier.MergeException e) {
        throw new StateSqlException(
            ErrorCode.UNDECODABLE_STATE,
            SplitFault.where(split, element)
                + "the changelog merges windows whose values only the job's own function can merge;"
                + " take a savepoint in canonical form (flink savepoint --type canonical).",
            e);
      }
      requireRoom();
    }

    private void requireRoom() {
      long bytes = 0;
      for (KeyGroupContents ofState : byName.values()) {
        bytes += ofState.bytes();
      }
      if (bytes > limit) {
        throw new FullException();
      }
    }
  }

  private void requireDelimited(KeyedStateMeta state, StateInput in) {
    ElementCodecs codecs = state.codecs();
    for (Codec codec : new Codec[] {codecs.key(), codecs.namespace(), codecs.mapKey()}) {
      if (codec != null && !codec.isDelimited()) {
        throw SplitFault.undelimited(
            split, element, in.offset(), UndelimitedParts.reason(codec), null);
      }
    }
    boolean isCollection = state.kind() == StateKind.LIST || state.kind() == StateKind.MAP;
    if (isCollection && !codecs.value().isDelimited()) {
      throw SplitFault.undelimited(
          split, element, in.offset(), UndelimitedParts.reason(codecs.value()), null);
    }
  }

  @Override
  public StateSqlException malformed(MalformedValueException fault) {
    String state = element.state == null ? null : element.state.name();
    return SplitFault.malformed(split, state, element.keyGroup, false, fault);
  }

  @Override
  public void close() {
    bases.close();
  }
}
