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

import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import io.statesql.format.form.KeyedEdit;
import io.statesql.format.model.ElementCodecs;
import io.statesql.format.model.EntryAddress;
import io.statesql.format.model.EntryChange;
import io.statesql.format.model.KeyedStateMeta;
import io.statesql.format.model.StateKind;
import io.statesql.snapshot.Bytes;
import io.statesql.type.StateInput;
import io.statesql.type.StateOutput;
import java.io.IOException;
import java.io.OutputStream;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Encodes key groups in the layout of the heap backend. Of a key group that changes, the states
 * that do not are copied. Takes memory for one state of one key group, as the backend itself does.
 */
final class HeapGroupEdit implements KeyGroupsEdit.GroupEncoder {
  private final KeyedEdit edit;

  HeapGroupEdit(KeyedEdit edit) {
    this.edit = edit;
  }

  @Override
  public boolean encode(KeyGroupFile file, int index, OutputStream out) throws IOException {
    int keyGroup = file.keyGroup(index);
    if (file.isEmpty(index)) {
      throw new StateSqlException(
          ErrorCode.UNSUPPORTED_SNAPSHOT,
          "Key group " + keyGroup + " in " + edit.split().file() + " is not there to be changed.");
    }
    boolean compressed = edit.split().header().compressed();
    Set<KeyedStateMeta> left = new HashSet<>(edit.statesIn(keyGroup));
    HeapGroupReader stored = new HeapGroupReader(file, index);
    HeapGroupWriter writer = new HeapGroupWriter(out, keyGroup, compressed);
    while (stored.nextState()) {
      KeyedStateMeta state = stored.state();
      if (left.remove(state)) {
        write(stored, keyGroup, writer);
      } else if (compressed || left.isEmpty()) {
        writer.write(state.id(), stored.entryCount(), stored::copyRest);
      } else {
        writer.write(state.id(), stored.entryCount(), target -> copyEntries(stored, target));
      }
    }
    return true;
  }

  private static void copyEntries(HeapGroupReader stored, OutputStream out) throws IOException {
    while (stored.nextEntry()) {
      StateInput entry = stored.entry();
      out.write(entry.array(), entry.position(), entry.remaining());
    }
  }

  /** Writes the present state with its changes. */
  private void write(HeapGroupReader stored, int keyGroup, HeapGroupWriter writer)
      throws IOException {
    KeyedStateMeta state = stored.state();
    Map<EntryAddress, Map<Bytes, EntryChange>> changes = changes(state, keyGroup);
    StateOutput out = new StateOutput();
    int entries = 0;
    while (stored.nextEntry()) {
      EntryAddress address =
          new EntryAddress(
              keyGroup,
              stored.key(),
              stored.namespace(),
              null,
              state.kind() == StateKind.TIMER ? stored.timestamp() : 0);
      Map<Bytes, EntryChange> change = changes.remove(address);
      if (change == null) {
        out.writeRest(stored.entry());
        entries++;
      } else {
        StateInput old = state.kind() == StateKind.MAP ? stored.value() : null;
        entries += write(state, address, old, change, out) ? 1 : 0;
      }
    }
    for (Map.Entry<EntryAddress, Map<Bytes, EntryChange>> change : changes.entrySet()) {
      entries += write(state, change.getKey(), null, change.getValue(), out) ? 1 : 0;
    }
    writer.write(state.id(), entries, target -> target.write(out.array(), 0, out.length()));
  }

  /** The changes of each entry: of a map by map key, else one under no bytes. */
  private Map<EntryAddress, Map<Bytes, EntryChange>> changes(KeyedStateMeta state, int keyGroup) {
    Map<EntryAddress, Map<Bytes, EntryChange>> changes = new LinkedHashMap<>();
    edit.changes(state, keyGroup)
        .forEachRemaining(
            change -> {
              EntryAddress address = change.address();
              EntryAddress entry =
                  new EntryAddress(
                      keyGroup, address.key(), address.namespace(), null, address.timestamp());
              changes
                  .computeIfAbsent(entry, unknown -> new LinkedHashMap<>())
                  .put(address.mapKey() == null ? Bytes.EMPTY : address.mapKey(), change.change());
            });
    return changes;
  }

  /**
   * Writes what becomes of an entry.
   *
   * @param oldMap the stored map, or null if there is none
   * @return whether it is still there
   */
  private static boolean write(
      KeyedStateMeta state,
      EntryAddress address,
      StateInput oldMap,
      Map<Bytes, EntryChange> changes,
      StateOutput out) {
    int start = out.length();
    if (state.kind() == StateKind.TIMER) {
      out.writeLong(address.timestamp() ^ Long.MIN_VALUE);
      out.writeBytes(address.key().toByteArray());
      out.writeBytes(address.namespace().toByteArray());
    } else {
      out.writeBytes(address.namespace().toByteArray());
      out.writeBytes(address.key().toByteArray());
    }
    boolean stays =
        state.kind() == StateKind.MAP
            ? writeMap(state.codecs(), oldMap, changes, out)
            : writeValue(changes.values().iterator().next(), out);
    if (!stays) {
      out.truncate(start);
    }
    return stays;
  }

  private static boolean writeValue(EntryChange change, StateOutput out) {
    if (change instanceof EntryChange.Put put) {
      out.writeBytes(put.value().toByteArray());
    } else if (change instanceof EntryChange.PutList list) {
      out.writeInt(list.elements().size());
      list.elements().forEach(element -> out.writeBytes(element.toByteArray()));
    }
    return !(change instanceof EntryChange.Remove);
  }

  private static boolean writeMap(
      ElementCodecs codecs, StateInput oldMap, Map<Bytes, EntryChange> changes, StateOutput out) {
    int countAt = out.length();
    out.writeInt(0);
    int count = oldMap == null ? 0 : copyKept(codecs, oldMap, changes, out);
    for (Map.Entry<Bytes, EntryChange> change : changes.entrySet()) {
      if (change.getValue() instanceof EntryChange.Put put) {
        out.writeBytes(change.getKey().toByteArray());
        out.writeBoolean(put.value() == null);
        if (put.value() != null) {
          out.writeBytes(put.value().toByteArray());
        }
        count++;
      }
    }
    out.putInt(countAt, count);
    return count > 0;
  }

  /** Copies the entries of a map that do not change and returns how many they are. */
  private static int copyKept(
      ElementCodecs codecs, StateInput map, Map<Bytes, EntryChange> changes, StateOutput out) {
    int kept = 0;
    for (int left = map.readInt(); left > 0; left--) {
      int start = map.position();
      codecs.mapKey().skip(map);
      int keyEnd = map.position();
      Bytes key = Bytes.rest(new StateInput().reset(map.array(), start, keyEnd - start, start));
      if (!map.readBoolean()) {
        map.skip(codecs.hasTtl() ? Long.BYTES : 0);
        codecs.value().skip(map);
      }
      if (!changes.containsKey(key)) {
        out.writeBytes(map.array(), start, map.position() - start);
        kept++;
      }
    }
    return kept;
  }
}
