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

  private static void copy(Snapshot snapshot, StreamHandle handle, Path target)
      throws IOException {
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
