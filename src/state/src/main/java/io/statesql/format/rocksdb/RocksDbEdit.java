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
package io.statesql.format.rocksdb;

import io.statesql.format.form.EditSize;
import io.statesql.format.form.EditTarget;
import io.statesql.format.form.KeyedEdit;
import io.statesql.format.key.StoredKey;
import io.statesql.format.key.StoredValues;
import io.statesql.format.model.KeyedChange;
import io.statesql.format.model.KeyedStateMeta;
import io.statesql.snapshot.Bytes;
import io.statesql.snapshot.KeyGroupRange;
import io.statesql.snapshot.KeyedStateHandle;
import io.statesql.snapshot.KeyedStateHandle.LocalFile;
import io.statesql.snapshot.Snapshot;
import io.statesql.snapshot.StreamHandle;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Writes the files of a RocksDB database with changes: a write batch, and RocksDB's own checkpoint
 * as the new set of files. Tables that are in both sets are carried. Not thread-safe.
 */
final class RocksDbEdit {
  /** The manifest, and the file that names it. */
  private static final int FILES_OF_LOG = 2;

  private final KeyedEdit edit;
  private final EditTarget target;

  RocksDbEdit(KeyedEdit edit, EditTarget target) {
    this.edit = edit;
    this.target = target;
  }

  KeyedStateHandle write(Snapshot base) {
    KeyedStateHandle.Incremental old = (KeyedStateHandle.Incremental) edit.split().handle();
    try (RocksDbRewriter database = RocksDbRewriter.open(base, edit.split())) {
      for (KeyedStateMeta state : edit.touched().keySet()) {
        apply(state, old.keyGroups(), database);
      }
      Map<String, LocalFile> before =
          Stream.concat(old.shared().stream(), old.privateFiles().stream())
              .collect(Collectors.toMap(LocalFile::localPath, Function.identity()));
      List<LocalFile> after = new ArrayList<>();
      long size = 0;
      for (Map.Entry<String, Path> file : sorted(database.finish())) {
        LocalFile same = RocksDbRewriter.isTable(file.getKey()) ? before.get(file.getKey()) : null;
        StreamHandle handle =
            same == null ? target.take(file.getValue()) : target.carry(same.handle());
        size += handle.stateSize();
        after.add(new LocalFile(file.getKey(), handle));
      }
      StreamHandle metadata = target.carry(old.metadata());
      return new KeyedStateHandle.Incremental(
          old.checkpointId(),
          old.backendId(),
          old.keyGroups(),
          old.stateHandleId() == null ? old.checkpointedSize() : size + metadata.stateSize(),
          metadata,
          List.of(),
          after,
          old.stateHandleId() == null ? null : UUID.randomUUID().toString());
    } catch (IOException e) {
      throw target.failure(e);
    }
  }

  /** What is put, and the files that RocksDB makes of it. */
  static EditSize size(KeyedEdit edit) {
    return new EditSize(edit.bytesPut(), edit.touched().size() + FILES_OF_LOG);
  }

  private void apply(KeyedStateMeta state, KeyGroupRange keyGroups, RocksDbRewriter database) {
    StoredKey storedKey = new StoredKey(state, edit.split().operator().maxParallelism());
    Iterator<KeyedChange> changes = edit.changes().of(state.name(), keyGroups);
    while (changes.hasNext()) {
      target.cancellation().check();
      KeyedChange change = changes.next();
      Bytes key = StoredValues.key(storedKey, change);
      byte[] value = StoredValues.of(state, change.change());
      if (value == null) {
        database.remove(state, key);
      } else {
        database.put(state, key, value);
      }
    }
  }

  private static List<Map.Entry<String, Path>> sorted(Map<String, Path> files) {
    return files.entrySet().stream().sorted(Comparator.comparing(Map.Entry::getKey)).toList();
  }
}
