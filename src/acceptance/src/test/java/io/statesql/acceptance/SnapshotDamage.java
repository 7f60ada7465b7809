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
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;

/** One thing that is wrong with a snapshot, of which a copy is changed. */
interface SnapshotDamage {

  /** Names of RocksDB files, as they stand in the metadata: each in its length. */
  Pattern LOCAL_NAME = Pattern.compile("\\d{6}\\.sst|CURRENT|MANIFEST-\\d{6}");

  /** Changes the snapshot in a folder. */
  void applyTo(Path folder) throws IOException;

  /** Whether all rows must be as they were, if there are any. */
  default boolean keepsRows() {
    return true;
  }

  /** Whether a name that must not be used has to be refused. */
  default boolean isHostile() {
    return false;
  }

  /** Any kind of damage but hostile names. */
  static SnapshotDamage random(Path snapshot, Random random) throws IOException {
    List<Path> files = files(snapshot);
    Path file = files.get(random.nextInt(files.size()));
    if (random.nextInt(3) == 0) {
      file = snapshot.resolve("_metadata");
    }
    String name = snapshot.relativize(file).toString();
    int size = (int) Files.size(file);
    return switch (random.nextInt(8)) {
      case 0 -> new Missing(name);
      case 1 ->
          new Swapped(
              name, snapshot.relativize(files.get(random.nextInt(files.size()))).toString());
      case 2, 3 -> new Changed(new Damage(name, random.nextInt(size + 1), -1));
      default ->
          new Changed(new Damage(name, random.nextInt(Math.max(1, size)), random.nextInt(8)));
    };
  }

  /** A hostile name for each local file of the snapshot's incremental handles. */
  static List<SnapshotDamage> hostileNames(Path snapshot) throws IOException {
    String metadata = Files.readString(snapshot.resolve("_metadata"), StandardCharsets.ISO_8859_1);
    List<String> names =
        LOCAL_NAME.matcher(metadata).results().map(result -> result.group()).distinct().toList();
    List<SnapshotDamage> damages = new ArrayList<>();
    for (String name : names) {
      damages.add(new Renamed(name, fill("../", name.length())));
      damages.add(new Renamed(name, fill("./", name.length())));
      damages.add(new Renamed(name, fill("/tmp/", name.length())));
      damages.add(new Renamed(name, fill("a/../../", name.length())));
      damages.add(new Renamed(name, fill("a\\..\\", name.length())));
      damages.add(new Renamed(name, fill("\0", name.length())));
      names.stream()
          .filter(other -> other.length() == name.length() && !other.equals(name))
          .findFirst()
          .ifPresent(other -> damages.add(new Renamed(name, other)));
    }
    return damages;
  }

  private static String fill(String start, int length) {
    return (start + "x".repeat(length)).substring(0, length);
  }

  static List<Path> files(Path snapshot) throws IOException {
    try (var files = Files.walk(snapshot)) {
      return files.filter(Files::isRegularFile).sorted().toList();
    }
  }

  /** A file that is not there. */
  record Missing(String file) implements SnapshotDamage {
    @Override
    public void applyTo(Path folder) throws IOException {
      Files.delete(folder.resolve(file));
    }
  }

  /** Two files that have each other's content. */
  record Swapped(String file, String other) implements SnapshotDamage {
    @Override
    public void applyTo(Path folder) throws IOException {
      Path aside = folder.resolve("aside");
      Files.move(folder.resolve(file), aside);
      if (!file.equals(other)) {
        Files.move(folder.resolve(other), folder.resolve(file));
      }
      Files.move(aside, folder.resolve(other), StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /** A file that is cut off or has a wrong bit. */
  record Changed(Damage damage) implements SnapshotDamage {
    @Override
    public void applyTo(Path folder) throws IOException {
      Path file = folder.resolve(damage.file());
      byte[] content = Files.readAllBytes(file);
      if (content.length > 0) {
        Files.write(file, damage.applyTo(content));
      }
    }

    /** A wrong bit may change a value, and where no checksum tells, nobody can know. */
    @Override
    public boolean keepsRows() {
      return damage.isTruncation();
    }
  }

  /** A local file of an incremental handle under a name of the same length. */
  record Renamed(String name, String hostileName) implements SnapshotDamage {
    @Override
    public void applyTo(Path folder) throws IOException {
      Path file = folder.resolve("_metadata");
      String metadata = Files.readString(file, StandardCharsets.ISO_8859_1);
      Files.writeString(file, metadata.replace(name, hostileName), StandardCharsets.ISO_8859_1);
    }

    @Override
    public boolean isHostile() {
      return true;
    }
  }
}
