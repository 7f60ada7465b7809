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
package io.statesql.edit;

import io.statesql.Cancellation;
import io.statesql.format.key.StoredKey;
import io.statesql.format.model.KeyedStateMeta;
import io.statesql.format.rocksdb.RocksDbRewriter;
import io.statesql.snapshot.Bytes;
import io.statesql.snapshot.KeyGroupRange;
import io.statesql.snapshot.KeyedStateHandle;
import io.statesql.snapshot.KeyedStateHandle.LocalFile;
import io.statesql.snapshot.Snapshot;
import io.statesql.snapshot.StreamHandle;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
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
  private final Cancellation cancellation;

  RocksDbEdit(KeyedEdit edit, Cancellation cancellation) {
    this.edit = edit;
    this.cancellation = cancellation;
  }

  KeyedStateHandle write(
      Snapshot base, SavepointFolder folder, HandleCarrier carrier, EditTally tally) {
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
            same == null ? write(file.getValue(), folder, tally) : carrier.carry(same.handle());
        size += handle.stateSize();
        after.add(new LocalFile(file.getKey(), handle));
      }
      StreamHandle metadata = carrier.carry(old.metadata());
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
      throw folder.failure(e);
    }
  }

  /** Adds what is put, and the files that RocksDB makes of it. */
  static void estimate(KeyedEdit edit, EditTally tally) {
    tally.rewritten(edit.bytesPut());
    tally.rewrittenFiles(edit.touched().size() + FILES_OF_LOG);
  }

  private void apply(KeyedStateMeta state, KeyGroupRange keyGroups, RocksDbRewriter database) {
    StoredKey storedKey = new StoredKey(state, edit.split().operator().maxParallelism());
    Iterator<KeyedChange> changes = edit.changes().changes(state.name(), keyGroups);
    while (changes.hasNext()) {
      cancellation.check();
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

  private static StreamHandle write(Path source, SavepointFolder folder, EditTally tally)
      throws IOException {
    Path file = folder.newFile();
    try (InputStream content = Files.newInputStream(source)) {
      folder.write(file, content);
    }
    long size = Files.size(file);
    tally.rewritten(size);
    tally.rewrittenFiles(1);
    return new StreamHandle.RelativeFile(file.getFileName().toString(), size);
  }
}
