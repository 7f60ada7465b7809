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

import io.statesql.StateSqlException;
import io.statesql.format.model.KeyedElement;
import io.statesql.format.model.KeyedElements;
import io.statesql.format.model.KeyedSplit;
import io.statesql.format.model.KeyedStateMeta;
import io.statesql.format.scan.ElementCondition;
import io.statesql.format.scan.SplitScan;
import io.statesql.snapshot.KeyGroupRange;
import io.statesql.snapshot.Snapshot;
import io.statesql.type.MalformedValueException;
import java.io.Closeable;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.BiConsumer;

/** The wanted states of the bases of a changelog, key group by key group. */
final class ChangelogBases implements Closeable {
  private final Snapshot snapshot;
  private final SplitScan scan;
  private final ElementCondition condition;
  private final ChangelogForm form;
  private final List<KeyedSplit> splits;
  private final List<Opened> opened = new ArrayList<>();

  /**
   * @param scan of the changelog
   * @param condition what to read of the bases
   */
  ChangelogBases(
      Snapshot snapshot,
      SplitScan scan,
      ElementCondition condition,
      ChangelogForm form,
      List<KeyedSplit> splits) {
    this.snapshot = snapshot;
    this.scan = scan;
    this.condition = condition;
    this.form = form;
    this.splits = splits;
  }

  /** A base with one element looked ahead. */
  private static final class Opened {
    private final KeyedElements elements;

    /** The states of the changelog, by the numbers that the base has for them. */
    private final KeyedStateMeta[] states;

    private boolean ahead;
    private boolean ended;

    Opened(KeyedElements elements, KeyedStateMeta[] states) {
      this.elements = elements;
      this.states = states;
    }

    private boolean isAhead() {
      if (!ahead && !ended) {
        ahead = elements.next();
        ended = !ahead;
      }
      return ahead;
    }
  }

  /**
   * Opens the bases for some key groups, in place of others.
   *
   * @throws StateSqlException if a file cannot be had
   */
  void open(KeyGroupRange keyGroups) {
    close();
    for (KeyedSplit base : splits) {
      BitSet wanted = new BitSet();
      KeyedStateMeta[] states = new KeyedStateMeta[base.header().states().size()];
      for (KeyedStateMeta state : base.header().states()) {
        states[state.id()] = ChangelogStates.find(scan.split().header(), state);
        wanted.set(state.id(), scan.wantsState(states[state.id()].id()));
      }
      KeyedSplit part = base.within(keyGroups);
      if (!wanted.isEmpty() && part.keyGroups().count() > 0) {
        SplitScan ofBase = new SplitScan(part, wanted, condition, scan.counters());
        opened.add(new Opened(form.openBase(snapshot, ofBase), states));
      }
    }
  }

  /**
   * Moves over the key groups before the given one, and gives the elements of that one.
   *
   * @param consumer takes the state of the changelog with each, or finds it malformed; elements are
   *     good until it returns
   */
  void readKeyGroup(int keyGroup, BiConsumer<KeyedStateMeta, KeyedElement> consumer) {
    for (Opened base : opened) {
      while (base.isAhead() && base.elements.element().keyGroup() <= keyGroup) {
        base.ahead = false;
        KeyedElement element = base.elements.element();
        if (element.keyGroup() == keyGroup) {
          try {
            consumer.accept(base.states[element.state().id()], element);
          } catch (MalformedValueException e) {
            throw base.elements.malformed(e);
          }
        }
      }
    }
  }

  @Override
  public void close() {
    StateSqlException failure = null;
    for (Opened base : opened) {
      try {
        base.elements.close();
      } catch (StateSqlException e) {
        failure = e;
      }
    }
    opened.clear();
    if (failure != null) {
      throw failure;
    }
  }
}
