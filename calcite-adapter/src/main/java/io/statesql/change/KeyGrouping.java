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
package io.statesql.change;

import io.statesql.ScanContext;
import io.statesql.format.model.KeyedElement;
import io.statesql.format.model.KeyedElements;
import io.statesql.format.model.KeyedSplit;
import io.statesql.format.model.KeyedStateMeta;
import io.statesql.format.model.StagedState;
import io.statesql.format.split.KeyedForms;
import io.statesql.format.split.KeyedSplits;
import io.statesql.snapshot.Bytes;
import io.statesql.snapshot.Snapshot;
import io.statesql.type.Codec;
import io.statesql.type.KeyGroups;
import io.statesql.type.KeyHash;
import io.statesql.type.UnwritableValueException;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Says in which key group the job will look for a new key. Before it is believed, it is compared
 * with where the job stored keys that are there: a few of them where the hash code of the type is
 * known; where it is only likely, so many that they do not agree by chance.
 */
final class KeyGrouping {
  /** How many elements are looked at. */
  private static final int MOST_ELEMENTS = 8;

  /** The same, as long as too few keys were seen: a key may have many elements. */
  private static final int MOST_ELEMENTS_OF_LIKELY = 1000;

  /** One of so many wrong hash codes may be believed. */
  private static final double CHANCE = 1e6;

  private final ChangedOperator operator;
  private final ScanContext scan;
  private final Set<Codec> checked = new HashSet<>();

  KeyGrouping(ChangedOperator operator, ScanContext scan) {
    this.operator = operator;
    this.scan = scan;
  }

  /**
   * The key group of a key, as its codec reads it.
   *
   * @param state one that has such keys
   * @throws RefusedValueException if it cannot be known
   */
  int of(KeyedStateMeta state, Object key) {
    if (key == null) {
      throw new RefusedValueException("state_key", "a key cannot be NULL");
    }
    Codec codec = state.codecs().key();
    KeyHash known = codec.keyHash() != null ? codec.keyHash() : jobHash(state);
    KeyHash hash = known != null ? known : codec.likelyKeyHash();
    if (hash == null) {
      throw unknownHash("is not known here without the job's jar (the connection property 'jars')");
    }
    try {
      if (checked.add(codec)) {
        int wanted = known == null ? keysThatTell() : 1;
        int compared = compareWithStored(state, hash, wanted);
        if (known == null && compared < wanted) {
          throw unknownHash("cannot be told from the few keys that are stored (" + compared + ")");
        }
      }
      return keyGroup(hash, key);
    } catch (UnwritableValueException e) {
      RefusedValueException refusal = new RefusedValueException("state_key", e.getMessage());
      refusal.initCause(e);
      throw refusal;
    }
  }

  /** What the job's own classes say of the keys; null without them. */
  private @Nullable KeyHash jobHash(KeyedStateMeta state) {
    return operator.keyed().stream()
        .filter(split -> split.header().states().contains(state))
        .findFirst()
        .map(split -> split.header().key().jobHash())
        .orElse(null);
  }

  /** So many keys lie all where a wrong hash code says by a small chance only. */
  private int keysThatTell() {
    int maxParallelism = operator.operator().maxParallelism();
    return maxParallelism == 1 ? 0 : (int) Math.ceil(Math.log(CHANCE) / Math.log(maxParallelism));
  }

  private static RefusedValueException unknownHash(String reason) {
    return new RefusedValueException(
        "state_key",
        "the key group of a new key needs the hash code of the job's own class, which "
            + reason
            + "; keys that exist can be updated and deleted");
  }

  private int keyGroup(KeyHash hash, Object key) {
    return KeyGroups.of(hash.of(key), operator.operator().maxParallelism());
  }

  /**
   * Compares some keys of a subtask, and of others if it has too few. Those that the job stored
   * tell its hash code, whatever the transaction did to them; those that were put since do not.
   *
   * @return how many were compared
   */
  private int compareWithStored(KeyedStateMeta state, KeyHash hash, int wanted) {
    Snapshot snapshot = operator.snapshot().base().within(scan);
    int compared = 0;
    for (KeyedSplit split : operator.keyed()) {
      KeyedSplit stored = split.withStaged(StagedState.NONE);
      try (KeyedElements elements = KeyedSplits.open(snapshot, stored, withKeys(split, state))) {
        Set<Bytes> keys = new HashSet<>();
        int most = MOST_ELEMENTS;
        for (int i = 0; i < most && elements.next(); i++) {
          compare(elements.element(), hash);
          compared += keys.add(Bytes.rest(elements.element().key())) ? 1 : 0;
          most = compared < wanted ? MOST_ELEMENTS_OF_LIKELY : MOST_ELEMENTS;
        }
        if (compared >= Math.max(wanted, 1)) {
          break;
        }
      }
    }
    return compared;
  }

  /** States whose keys can be read: where others stand before it, only this one may be readable. */
  private static BitSet withKeys(KeyedSplit split, KeyedStateMeta state) {
    BitSet states = new BitSet();
    for (KeyedStateMeta candidate : split.header().states()) {
      boolean isWanted =
          KeyedForms.of(split).readsStatesApart()
              ? candidate.codecs().isSeparable() && !candidate.isMergingWindowSet()
              : candidate.name().equals(state.name());
      states.set(candidate.id(), isWanted);
    }
    return states;
  }

  private void compare(KeyedElement stored, KeyHash hash) {
    Object key = stored.state().codecs().key().readLast(Bytes.rest(stored.key()).input());
    int computed = keyGroup(hash, key);
    if (computed != stored.keyGroup()) {
      throw new RefusedValueException(
          "state_key",
          "the key "
              + RowText.keyOf(stored)
              + " is stored in key group "
              + stored.keyGroup()
              + " and not in "
              + computed
              + " where its type says, so the job's keys have another hash code, and it would not"
              + " find a new key; keys that exist can be updated and deleted");
    }
  }
}
