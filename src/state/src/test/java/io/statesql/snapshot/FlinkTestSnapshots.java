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
package io.statesql.snapshot;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The snapshots in Flink's published test jars, which the build unpacks without their classes:
 * written by Flink 1.8 to 2.2.
 */
final class FlinkTestSnapshots {
  private static final Path ROOT = Path.of("target", "flink-tests");

  private FlinkTestSnapshots() {}

  /** The metadata files of one release's jar, such as "2.3.0", in order of their paths. */
  static List<Path> metadataFiles(String release) {
    try (Stream<Path> files = Files.walk(ROOT.resolve(release))) {
      return files
          .filter(file -> file.getFileName().toString().equals("_metadata"))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The metadata files of all jars. */
  static List<Path> metadataFiles() {
    return Stream.of("1.20.0", "2.3.0").flatMap(r -> metadataFiles(r).stream()).toList();
  }
}
