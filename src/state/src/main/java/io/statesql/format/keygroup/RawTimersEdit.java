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
package io.statesql.format.keygroup;

import io.statesql.format.form.KeyedEdit;
import io.statesql.format.model.EntryAddress;
import io.statesql.format.model.EntryChange;
import io.statesql.format.model.KeyedStateMeta;
import java.io.IOException;
import java.io.OutputStream;

/** Encodes key groups of timers that stand beside the keyed state of a RocksDB backend. */
final class RawTimersEdit implements KeyGroupsEdit.GroupEncoder {
  private final KeyedEdit edit;

  RawTimersEdit(KeyedEdit edit) {
    this.edit = edit;
  }

  @Override
  public boolean encode(KeyGroupFile file, int index, OutputStream out) throws IOException {
    RawTimersRewriter timers = new RawTimersRewriter(file, index);
    for (KeyedStateMeta state : edit.statesIn(file.keyGroup(index))) {
      edit.changes(state, file.keyGroup(index))
          .forEachRemaining(
              change -> {
                EntryAddress address = change.address();
                timers.change(
                    state.id(),
                    address.key(),
                    address.namespace(),
                    address.timestamp(),
                    !(change.change() instanceof EntryChange.Remove));
              });
    }
    return timers.writeTo(out);
  }
}
