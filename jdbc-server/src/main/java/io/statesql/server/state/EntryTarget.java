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
package io.statesql.server.state;

import io.statesql.ScanContext;
import io.statesql.StateSqlException;
import io.statesql.coordinator.http.Reply;
import io.statesql.entry.EntryKey;
import io.statesql.entry.EntryState;
import io.statesql.entry.EntryStore;
import io.statesql.entry.StoredEntry;
import io.statesql.format.model.StagedState;
import io.statesql.snapshot.OperatorState;
import java.util.Optional;

/** What an address means in a snapshot: a state, and a key of it. */
record EntryTarget(EntryState state, EntryKey key) {

  /**
   * Looks an address up.
   *
   * @throws RefusedRequestException with 404 if there is no such operator or state, and with 400 if
   *     it has no single entries or the key is none of it
   * @throws StateSqlException if the snapshot cannot be read
   */
  static EntryTarget find(EntryAddressText address, EntryStore store) {
    OperatorState operator =
        store
            .findOperator(address.operator())
            .orElseThrow(
                () ->
                    new RefusedRequestException(
                        404,
                        address.isFunction()
                            ? "The first part of the address is the name of no mount, and "
                                + address.mount()
                                + " holds no Stateful Functions."
                            : "There is no operator "
                                + Reply.printable(address.operator())
                                + " in "
                                + address.mount()
                                + "."));
    EntryState state =
        store
            .findState(operator, address.state())
            .orElseThrow(
                () ->
                    new RefusedRequestException(
                        404,
                        "Operator "
                            + Reply.printable(address.operator())
                            + " has no keyed state "
                            + Reply.printable(address.state())
                            + "."));
    if (state.isTimer() || !state.isUnwindowed()) {
      throw new RefusedRequestException(
          400,
          "State "
              + Reply.printable(address.state())
              + (state.isTimer()
                  ? " holds timers"
                  : " has an entry for each window or other namespace of a key")
              + ", which only SQL can address.");
    }
    try {
      return new EntryTarget(state, state.key(address.key()));
    } catch (StateSqlException e) {
      throw new RefusedRequestException(
          400, "The key " + Reply.printable(address.key()) + ": " + e.getMessage(), e);
    }
  }

  /** What stands there. */
  Optional<StoredEntry> read(StagedState staged, ScanContext scan) {
    return state.read(key, staged, scan);
  }
}
