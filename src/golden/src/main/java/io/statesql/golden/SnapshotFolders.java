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
package io.statesql.golden;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;

/** Finds snapshots and opens their metadata. */
final class SnapshotFolders {
  private SnapshotFolders() {}

  /** The folders at any depth that hold a snapshot, sorted. */
  static List<Path> below(Path root) throws IOException {
    try (Stream<Path> paths = Files.walk(root)) {
      return paths
          .filter(path -> path.endsWith("_metadata"))
          .map(Path::getParent)
          .sorted()
          .toList();
    }
  }

  /**
   * The job and the Flink version that wrote a snapshot, by the folder's name: what comes before
   * the backend.
   */
  static String job(Path folder) {
    return folder.getFileName().toString().replaceFirst("-(hashmap|rocksdb)-.*", "");
  }

  /** Flink's own reading of the folder's metadata file. */
  static CheckpointMetadata metadata(Path folder) throws IOException {
    try (DataInputStream in =
        new DataInputStream(
            new BufferedInputStream(Files.newInputStream(folder.resolve("_metadata"))))) {
      return Checkpoints.loadCheckpointMetadata(
          in, Thread.currentThread().getContextClassLoader(), folder.toUri().toString());
    }
  }
}
