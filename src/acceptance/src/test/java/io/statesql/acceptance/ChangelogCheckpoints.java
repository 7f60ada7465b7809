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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** Checkpoints that jobs with Flink's changelog left ({@code src/changelog}). */
final class ChangelogCheckpoints {
  private static final Path ZIPS = ProjectFiles.ROOT.resolve("src/changelog/snapshots");
  private static final String ENDING = ".zip";

  /** The one that has changes alone, as nothing was materialized. */
  private static final String WITHOUT_BASE = "flink-2.3-hashmap-filesystem";

  private ChangelogCheckpoints() {}

  /** The names of those that have a base beside their changes. */
  static List<String> namesWithBases() throws IOException {
    try (Stream<Path> zips = Files.list(ZIPS)) {
      return zips.map(zip -> zip.getFileName().toString().replace(ENDING, ""))
          .filter(name -> !name.equals(WITHOUT_BASE))
          .sorted()
          .toList();
    }
  }

  /** Whether a folder is such a copy. */
  static boolean isOne(Path folder) {
    return Files.exists(ZIPS.resolve(folder.getFileName() + ENDING));
  }

  /**
   * Copies a checkpoint with its shared files and its changes, all beside its metadata.
   *
   * @param parent the folder in which to
   * @return the folder of the copy
   */
  static Path copy(String name, Path parent) throws IOException {
    Path folder = Files.createDirectory(parent.resolve(name));
    try (ZipInputStream zip =
        new ZipInputStream(Files.newInputStream(ZIPS.resolve(name + ENDING)))) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        if (!entry.getName().startsWith("savepoint-")) {
          Files.copy(zip, folder.resolve(Path.of(entry.getName()).getFileName()));
        }
      }
    }
    return folder;
  }
}
