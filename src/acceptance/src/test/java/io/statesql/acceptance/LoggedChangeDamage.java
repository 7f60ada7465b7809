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
package io.statesql.acceptance;

import io.statesql.StateSqlException;
import io.statesql.snapshot.KeyedStateHandle.Changelog;
import io.statesql.snapshot.KeyedStateHandle.ChangelogPart;
import io.statesql.snapshot.KeyedStateHandle.ChangelogSegment;
import io.statesql.snapshot.KeyedStateHandle.ChangelogStream;
import io.statesql.snapshot.KeyedStateHandle.InMemoryChangelog;
import io.statesql.snapshot.Snapshot;
import io.statesql.snapshot.StreamHandle;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The key groups in which a logged change is another one than was written. Logged changes have no
 * checksum. Their framing has redundancy: the file's flag, the number of bytes that the metadata
 * states, key groups that each set names once and that the operator has, lengths. So has a part of
 * each change: its code, which only some kinds of state have; the number of the state, which must
 * be described; its key, which belongs to the key group in which the change stands; counts, which
 * use up its length. The rest may be another of the same length without anybody seeing it: a code
 * that the same bytes can have (a list that is set is added to, a map entry is put), the number of
 * a state of like types, a key that belongs to the same key group, a window, a map key, the time of
 * a timer, the value. What all these name lies in the key group of the change, of which rows may
 * then be lost or made. Those of other key groups stay as they were.
 */
final class LoggedChangeDamage {
  private static final int PLAIN = 0;

  private LoggedChangeDamage() {}

  /**
   * The key groups of changes that differ between a sound snapshot and a damaged copy. None where
   * the damage is to anything but the changes themselves: that must be noticed.
   */
  static Set<Integer> keyGroups(Path sound, Path damaged) throws IOException {
    Set<Integer> keyGroups = new TreeSet<>();
    Map<String, List<Change>> before = changes(sound);
    Map<String, List<Change>> after;
    try {
      after = changes(damaged);
    } catch (IOException | StateSqlException | UnreadableFramingException e) {
      return keyGroups;
    }
    if (!before.keySet().equals(after.keySet())) {
      return keyGroups;
    }
    for (Map.Entry<String, List<Change>> part : before.entrySet()) {
      List<Change> now = after.get(part.getKey());
      if (now.size() != part.getValue().size()) {
        return new TreeSet<>();
      }
      for (int i = 0; i < now.size(); i++) {
        Change was = part.getValue().get(i);
        if (!was.equals(now.get(i))) {
          keyGroups.add(was.keyGroup());
          keyGroups.add(now.get(i).keyGroup());
        }
      }
    }
    return keyGroups;
  }

  private record Change(int keyGroup, ByteBuffer bytes) {}

  /** That the bytes are no sets of changes. */
  private static final class UnreadableFramingException extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  /** By operator, subtask and number of the part; without those of compressed files. */
  private static Map<String, List<Change>> changes(Path folder) throws IOException {
    Map<String, List<Change>> changes = new HashMap<>();
    for (var operator : Snapshot.open(folder.toString()).metadata().operators()) {
      for (var subtask : operator.subtasks()) {
        if (subtask.managedKeyedState() instanceof Changelog changelog) {
          int number = 0;
          for (ChangelogPart part : changelog.nonMaterialized()) {
            changes.put(
                operator.id() + " " + subtask.index() + " " + number++, changes(folder, part));
          }
        }
      }
    }
    return changes;
  }

  private static List<Change> changes(Path folder, ChangelogPart part) throws IOException {
    List<Change> changes = new ArrayList<>();
    if (part instanceof InMemoryChangelog inMemory) {
      inMemory
          .changes()
          .forEach(
              change ->
                  changes.add(
                      new Change(
                          change.keyGroup(), ByteBuffer.wrap(change.change().toByteArray()))));
    } else {
      for (ChangelogSegment segment : ((ChangelogStream) part).segments()) {
        readSet(folder, segment, changes);
      }
    }
    return changes;
  }

  private static void readSet(Path folder, ChangelogSegment segment, List<Change> changes)
      throws IOException {
    Path name = Path.of(((StreamHandle.File) segment.handle()).path()).getFileName();
    try (DataInputStream in = new DataInputStream(Files.newInputStream(folder.resolve(name)))) {
      if (in.read() != PLAIN) {
        return;
      }
      in.skipNBytes(segment.offset());
      for (int groups = in.readInt(); groups > 0; groups--) {
        int count = in.readInt();
        int keyGroup = in.readInt();
        for (; count > 0; count--) {
          int length = in.readInt();
          if (length < 0 || length > in.available()) {
            throw new UnreadableFramingException();
          }
          changes.add(new Change(keyGroup, ByteBuffer.wrap(in.readNBytes(length))));
        }
      }
    }
  }
}
