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
import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * The folder of a new savepoint. It is filled under another name beside its place; only {@link
 * #commit} gives it its own, after everything in it is on the disk. Not thread-safe.
 */
final class SavepointFolder implements Closeable {
  /** How the names of folders start that are not finished, or never were. */
  static final String PREFIX = ".statesql-commit-";

  private static final int BUFFER_BYTES = 1 << 16;

  private final Path target;
  private final Path folder;
  private final Cancellation cancellation;
  private int files;
  private int newest;
  private boolean committed;

  private SavepointFolder(Path target, Path folder, Cancellation cancellation) {
    this.target = target;
    this.folder = folder;
    this.cancellation = cancellation;
  }

  /**
   * Creates an empty folder; {@link #close} removes it unless it was committed.
   *
   * @throws StateSqlException if there is something at the target, or its parent cannot be written
   */
  static SavepointFolder create(Path target, Cancellation cancellation) {
    Path absolute = target.toAbsolutePath().normalize();
    requireFree(absolute);
    Path parent = absolute.getParent();
    if (parent == null || !Files.isDirectory(parent)) {
      throw new StateSqlException(
          ErrorCode.FILE_NOT_FOUND,
          "The savepoint " + absolute + " cannot be written: there is no folder " + parent + ".");
    }
    Path folder = parent.resolve(PREFIX + UUID.randomUUID());
    try {
      Files.createDirectory(folder);
    } catch (IOException e) {
      throw failure(absolute, e);
    }
    return new SavepointFolder(absolute, folder, cancellation);
  }

  private static void requireFree(Path target) {
    if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
      throw new StateSqlException(
          ErrorCode.INVALID_ARGUMENT,
          "There is something at " + target + " already; a commit replaces nothing.");
    }
  }

  private static StateSqlException failure(Path target, IOException e) {
    return new StateSqlException(
        ErrorCode.IO_ERROR,
        "The savepoint "
            + target
            + " cannot be written: "
            + e
            + ". Nothing was left there; make room or choose another place (commitTo=FOLDER), and"
            + " commit again.",
        e);
  }

  /** The failure of a write to this folder, in a user's words. */
  StateSqlException failure(IOException e) {
    return failure(target, e);
  }

  Path path() {
    return folder;
  }

  /** How many state files were made. */
  int files() {
    return files;
  }

  /** The path of the next state file, which does not exist yet. */
  Path newFile() {
    files++;
    newest++;
    return folder.resolve("state-" + newest);
  }

  /** Removes a state file that turned out not to be needed. */
  void discard(Path file) throws IOException {
    Files.delete(file);
    files--;
  }

  /** Makes a file a second name of another, or a copy where that cannot be. */
  void linkOrCopy(Path source, Path file) throws IOException {
    cancellation.check();
    try {
      // A link to a symbolic link would be as symbolic.
      Files.createLink(file, source.toRealPath());
      force(file);
    } catch (IOException | UnsupportedOperationException e) {
      Files.deleteIfExists(file);
      try (InputStream in = Files.newInputStream(source)) {
        write(file, in);
      } catch (IOException copying) {
        copying.addSuppressed(e);
        throw copying;
      }
    }
  }

  /** Writes a file and brings it to the disk. */
  void write(Path file, InputStream content) throws IOException {
    byte[] buffer = new byte[BUFFER_BYTES];
    try (OutputStream out = Files.newOutputStream(file, StandardOpenOption.CREATE_NEW)) {
      for (int got = content.read(buffer); got >= 0; got = content.read(buffer)) {
        cancellation.check();
        out.write(buffer, 0, got);
      }
    }
    force(file);
  }

  /** Writes a file of a fixed name and brings it to the disk. */
  void write(String name, byte[] content) throws IOException {
    Path file = folder.resolve(name);
    Files.write(file, content, StandardOpenOption.CREATE_NEW);
    force(file);
  }

  /** Brings a file, or the names in a folder, to the disk. */
  static void force(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  /** Gives the folder its name. */
  Path commit() throws IOException {
    force(folder);
    cancellation.check();
    requireFree(target);
    Files.move(folder, target, StandardCopyOption.ATOMIC_MOVE);
    committed = true;
    force(target.getParent());
    return target;
  }

  @Override
  public void close() {
    if (committed) {
      return;
    }
    try (Stream<Path> content = Files.walk(folder)) {
      for (Path path : content.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    } catch (IOException e) {
      throw new StateSqlException(
          ErrorCode.IO_ERROR,
          "Cannot remove the unfinished folder " + folder + ": " + e + "; remove it by hand.",
          e);
    }
  }
}
