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

import io.statesql.edit.ChangeContext;
import io.statesql.format.model.EntryAddress;
import io.statesql.format.model.KeyedStateMeta;
import io.statesql.format.model.StateKind;
import io.statesql.snapshot.Bytes;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** Windows that a statement adds to: one without a timer never fires and is never cleaned up. */
final class MissingTimers {
  private final ChangedOperator operator;
  private final Set<Window> windows = new HashSet<>();
  private final AskedKeys keys = new AskedKeys();

  private record Window(Bytes key, Bytes namespace) {}

  MissingTimers(ChangedOperator operator) {
    this.operator = operator;
  }

  void add(EntryAddress address) {
    keys.add(address);
    windows.add(new Window(address.key(), address.namespace()));
  }

  /** What to say of the windows that have no timer. */
  Optional<String> warning(ChangeContext statement) {
    if (windows.isEmpty()) {
      return Optional.empty();
    }
    Set<Window> missing = new HashSet<>(windows);
    Elements.forEach(
        operator,
        timerStates(operator),
        keys,
        statement.scan(),
        timer ->
            missing.remove(new Window(Bytes.rest(timer.key()), Bytes.rest(timer.namespace()))));
    return missing.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "The statement added to windows without a timer ("
                + missing.size()
                + "): they do not fire until one is inserted into the table timers.");
  }

  /** The names of the timers of an operator. */
  static Set<String> timerStates(ChangedOperator operator) {
    Set<String> names = new HashSet<>();
    operator.keyed().stream()
        .flatMap(split -> split.header().states().stream())
        .filter(meta -> meta.kind() == StateKind.TIMER)
        .map(KeyedStateMeta::name)
        .forEach(names::add);
    return names;
  }
}
