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
package io.statesql.forms;

import io.statesql.snapshot.StreamHandle;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/**
 * What jobs with a changelog left ({@code src/changelog}): of each a checkpoint, and a canonical
 * savepoint of the same state.
 */
final class ChangelogSnapshots {
  private static final Path ZIPS = Path.of("..", "src", "changelog", "snapshots");
  private static final String ENDING = ".zip";

  private final Path folder;

  private ChangelogSnapshots(Path folder) {
    this.folder = folder;
  }

  /** The names of all that there are. */
  static List<String> names() {
    try (Stream<Path> zips = Files.list(ZIPS)) {
      return zips.map(zip -> zip.getFileName().toString().replace(ENDING, "")).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Copies what a job left.
   *
   * @param folder to which
   */
  static ChangelogSnapshots copy(String name, Path folder) throws IOException {
    try (ZipInputStream zip =
        new ZipInputStream(Files.newInputStream(ZIPS.resolve(name + ENDING)))) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        Path file = folder.resolve(entry.getName());
        Files.createDirectories(file.getParent());
        Files.copy(zip, file);
      }
    }
    return new ChangelogSnapshots(folder);
  }

  Path checkpoint() throws IOException {
    return find("chk-");
  }

  Path savepoint() throws IOException {
    return find("savepoint-");
  }

  /** The files that hold changes. */
  List<Path> changes() throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.getParent().endsWith("dstl")).toList();
    }
  }

  /** The file that a handle names. */
  Path file(StreamHandle handle) throws IOException {
    Path name = Path.of(((StreamHandle.File) handle).path()).getFileName();
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.getFileName().equals(name)).findFirst().orElseThrow();
    }
  }

  private Path find(String prefix) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(file -> file.endsWith("_metadata"))
          .map(Path::getParent)
          .filter(parent -> parent.getFileName().toString().startsWith(prefix))
          .findFirst()
          .orElseThrow();
    }
  }
}
