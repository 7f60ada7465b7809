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
package io.statesql.benchmark.scan;

import io.statesql.snapshot.KeyedStateHandle;
import io.statesql.snapshot.KeyedStateHandle.LocalFile;
import io.statesql.snapshot.Snapshot;
import io.statesql.snapshot.StateFile;
import io.statesql.snapshot.StreamHandle;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.rocksdb.RocksDB;

/** Lays out RocksDB files in folders, which go with this object. */
final class RocksDbLinks implements Closeable {
  private final List<Path> folders = new ArrayList<>();

  Path folder(Snapshot snapshot, KeyedStateHandle.Incremental handle) throws IOException {
    RocksDB.loadLibrary();
    Path folder = Files.createTempDirectory("statesql-benchmark-rocksdb");
    folders.add(folder);
    for (List<LocalFile> files : List.of(handle.shared(), handle.privateFiles())) {
      for (LocalFile file : files) {
        copy(snapshot, file.handle(), folder.resolve(file.localPath()));
      }
    }
    return folder;
  }

  private static void copy(Snapshot snapshot, StreamHandle handle, Path target) throws IOException {
    try (StateFile file = snapshot.open(handle)) {
      Files.copy(file, target);
    }
  }

  @Override
  public void close() throws IOException {
    for (Path folder : folders) {
      try (var files = Files.list(folder)) {
        for (Path file : files.toList()) {
          Files.delete(file);
        }
      }
      Files.delete(folder);
    }
  }
}
