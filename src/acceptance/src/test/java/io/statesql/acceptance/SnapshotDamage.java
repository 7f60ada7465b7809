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

import com.google.common.primitives.Bytes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;

/** One thing that is wrong with a snapshot, of which a copy is changed. */
interface SnapshotDamage {

  /** Names of RocksDB files, as they stand in the metadata: each in its length. */
  Pattern LOCAL_NAME = Pattern.compile("\\d{6}\\.sst|CURRENT|MANIFEST-\\d{6}");

  /** The file that is damaged, as its path in the snapshot. */
  String file();

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
    return switch (random.nextInt(12)) {
      case 8, 9, 10, 11 ->
          new Block(
              name,
              Block.Kind.values()[random.nextInt(Block.Kind.values().length)],
              random.nextInt(Math.max(1, size)),
              1 << random.nextInt(10));
      case 0 -> new Missing(name);
      case 1 -> Swapped.of(snapshot, file, files.get(random.nextInt(files.size())));
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

  /** Writes a file anew: it may be a link to the sound one. */
  private static void replace(Path file, byte[] content) throws IOException {
    Files.delete(file);
    Files.write(file, content);
  }

  /** A file that is not there. */
  record Missing(String file) implements SnapshotDamage {
    @Override
    public void applyTo(Path folder) throws IOException {
      Files.delete(folder.resolve(file));
    }
  }

  /**
   * Two files that have each other's content.
   *
   * @param areOfOneSize whether they have as many bytes
   */
  record Swapped(String file, String other, boolean areOfOneSize) implements SnapshotDamage {
    static Swapped of(Path snapshot, Path file, Path other) throws IOException {
      return new Swapped(
          snapshot.relativize(file).toString(),
          snapshot.relativize(other).toString(),
          Files.size(file) == Files.size(other));
    }

    @Override
    public void applyTo(Path folder) throws IOException {
      Path aside = folder.resolve("aside");
      Files.move(folder.resolve(file), aside);
      if (!file.equals(other)) {
        Files.move(folder.resolve(other), folder.resolve(file));
      }
      Files.move(aside, folder.resolve(other), StandardCopyOption.REPLACE_EXISTING);
    }

    /**
     * Two operators may have equal states, and no file says of which operator it is; the metadata
     * says how many bytes each has.
     */
    @Override
    public boolean keepsRows() {
      return !areOfOneSize;
    }
  }

  /** A file that is cut off or has a wrong bit. */
  record Changed(Damage damage) implements SnapshotDamage {
    @Override
    public String file() {
      return damage.file();
    }

    @Override
    public void applyTo(Path folder) throws IOException {
      Path file = folder.resolve(damage.file());
      byte[] content = Files.readAllBytes(file);
      if (content.length > 0) {
        replace(file, damage.applyTo(content));
      }
    }

    /** A wrong bit may change a value, and where no checksum tells, nobody can know. */
    @Override
    public boolean keepsRows() {
      return damage.isTruncation();
    }
  }

  /** A block of a file that is another than was written. */
  record Block(String file, Kind kind, int position, int length) implements SnapshotDamage {
    /** What became of it. */
    enum Kind {
      /** Nothing but zeros. */
      ZEROED,
      /** The bytes behind it have moved up into its place. */
      LOST,
      /** The bytes behind it have moved back, and it stands there twice. */
      DOUBLED,
      /** It stands in place of the block behind it, too. */
      COPIED,
      /** Its bytes have moved back by one, the last one to its front. */
      SHIFTED
    }

    @Override
    public void applyTo(Path folder) throws IOException {
      Path path = folder.resolve(file);
      replace(path, applyTo(Files.readAllBytes(path)));
    }

    private byte[] applyTo(byte[] content) {
      int end = Math.min(content.length, position + length);
      byte[] head = Arrays.copyOf(content, end);
      byte[] block = Arrays.copyOfRange(content, Math.min(position, end), end);
      byte[] tail = Arrays.copyOfRange(content, end, content.length);
      return switch (kind) {
        case ZEROED -> Bytes.concat(Arrays.copyOf(head, end - block.length), zeros(block), tail);
        case LOST -> Bytes.concat(Arrays.copyOf(head, end - block.length), tail);
        case DOUBLED -> Bytes.concat(head, block, tail);
        case COPIED -> {
          System.arraycopy(block, 0, tail, 0, Math.min(block.length, tail.length));
          yield Bytes.concat(head, tail);
        }
        case SHIFTED -> {
          int start = end - block.length;
          System.arraycopy(block, 0, head, start + 1, Math.max(0, block.length - 1));
          head[start] = block[block.length - 1];
          yield Bytes.concat(head, tail);
        }
      };
    }

    private static byte[] zeros(byte[] block) {
      return new byte[block.length];
    }

    /** It may have been within a value, and where no checksum tells, nobody can know. */
    @Override
    public boolean keepsRows() {
      return false;
    }
  }

  /** A local file of an incremental handle under a name of the same length. */
  record Renamed(String name, String hostileName) implements SnapshotDamage {
    @Override
    public String file() {
      return "_metadata";
    }

    @Override
    public void applyTo(Path folder) throws IOException {
      Path file = folder.resolve("_metadata");
      String metadata = Files.readString(file, StandardCharsets.ISO_8859_1);
      replace(file, metadata.replace(name, hostileName).getBytes(StandardCharsets.ISO_8859_1));
    }

    @Override
    public boolean isHostile() {
      return true;
    }
  }
}
