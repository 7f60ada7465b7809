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
import io.statesql.FaultText;
import io.statesql.StateSqlException;
import io.statesql.snapshot.EditMark;
import java.io.Closeable;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.ProviderMismatchException;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The folder of a new savepoint. It is filled under another name beside its place; only {@link
 * #commit} gives it its own, after everything in it is on the disk. What a process left that was
 * killed before that, the next one removes (see {@link StaleCommits}). Several threads may write
 * files into it; all else is for one.
 */
final class SavepointFolder implements Closeable {
  private static final int BUFFER_BYTES = 1 << 16;
  private static final Logger LOG = LoggerFactory.getLogger(SavepointFolder.class);

  private final SavepointName name;
  private final Path folder;
  private final FileChannel mark;
  private final Cancellation cancellation;
  private int newest;
  private boolean committed;

  private SavepointFolder(
      SavepointName name, Path folder, FileChannel mark, Cancellation cancellation) {
    this.name = name;
    this.folder = folder;
    this.mark = mark;
    this.cancellation = cancellation;
  }

  /**
   * Creates an empty folder; {@link #close} removes it unless it was committed.
   *
   * @throws StateSqlException if no savepoint may go there, or the folder it goes into cannot be
   *     written
   */
  static SavepointFolder create(SavepointName name, Cancellation cancellation) {
    Path target = name.next();
    Path parent = name.parent();
    if (parent == null || !Files.isDirectory(parent)) {
      throw new StateSqlException(
          ErrorCode.FILE_NOT_FOUND,
          "The savepoint " + target + " cannot be written: there is no folder " + parent + ".");
    }
    try {
      StaleCommits.remove(parent);
      while (true) {
        Path folder = Files.createDirectory(StaleCommits.newFolder(parent));
        FileChannel mark = lockedMark(folder);
        if (mark != null) {
          return new SavepointFolder(name, folder, mark, cancellation);
        }
      }
    } catch (IOException e) {
      throw failure(target, e);
    }
  }

  /**
   * Creates the side file, by whose lock others see that this process lives.
   *
   * @return null if somebody has taken the folder for a dead one before it was locked
   */
  private static @Nullable FileChannel lockedMark(Path folder) throws IOException {
    Path file = folder.resolve(EditMark.FILE_NAME);
    FileChannel mark = null;
    try {
      mark = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      if (StaleCommits.lock(mark) && Files.exists(file)) {
        return mark;
      }
    } catch (NoSuchFileException removed) {
      return null;
    } catch (IOException e) {
      close(mark, e);
      Files.deleteIfExists(file);
      Files.deleteIfExists(folder);
      throw e;
    }
    mark.close();
    return null;
  }

  private static void close(@Nullable FileChannel channel, IOException failure) {
    if (channel != null) {
      try {
        channel.close();
      } catch (IOException e) {
        failure.addSuppressed(e);
      }
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
    return failure(name.parent(), e);
  }

  Path path() {
    return folder;
  }

  /** The path of the next state file, which does not exist yet. */
  synchronized Path newFile() {
    newest++;
    return folder.resolve("state-" + newest);
  }

  /** Writes a file that does not exist yet; the stream asks before each write whether to stop. */
  OutputStream open(Path file) throws IOException {
    OutputStream out = Files.newOutputStream(file, StandardOpenOption.CREATE_NEW);
    return new FilterOutputStream(out) {
      @Override
      public void write(int value) throws IOException {
        cancellation.check();
        out.write(value);
      }

      @Override
      public void write(byte[] bytes, int offset, int count) throws IOException {
        cancellation.check();
        out.write(bytes, offset, count);
      }
    };
  }

  /** Removes a state file that turned out not to be needed. */
  void discard(Path file) throws IOException {
    Files.delete(file);
  }

  /** Makes a file a second name of another, or a copy where that cannot be. */
  void linkOrCopy(Path source, Path file) throws IOException {
    cancellation.check();
    try {
      // A link to a symbolic link would be as symbolic.
      Files.createLink(file, source.toRealPath());
      force(file);
    } catch (IOException | UnsupportedOperationException | ProviderMismatchException e) {
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
    try (OutputStream out = open(file)) {
      for (int got = content.read(buffer); got >= 0; got = content.read(buffer)) {
        out.write(buffer, 0, got);
      }
    }
    force(file);
  }

  /** Writes the side file. */
  void writeMark(byte[] content) {
    try {
      ByteBuffer left = ByteBuffer.wrap(content);
      while (left.hasRemaining()) {
        mark.write(left);
      }
      mark.force(true);
    } catch (IOException e) {
      throw failure(e);
    }
  }

  /** Writes a file of a fixed name and brings it to the disk. */
  void write(String fileName, byte[] content) {
    try {
      Path file = folder.resolve(fileName);
      Files.write(file, content, StandardOpenOption.CREATE_NEW);
      force(file);
    } catch (IOException e) {
      throw failure(e);
    }
  }

  /** Brings the names in a folder to the disk, where a folder can be opened for that. */
  private static void forceNames(Path folder) throws IOException {
    FileChannel channel;
    try {
      channel = FileChannel.open(folder, StandardOpenOption.READ);
    } catch (IOException e) {
      LOG.warn(
          "The names in {} cannot be forced to the disk; a power failure may lose them", folder, e);
      return;
    }
    try (channel) {
      channel.force(true);
    }
  }

  /** Brings a file to the disk. */
  static void force(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  /**
   * Gives the folder its name.
   *
   * @throws StateSqlException if it may not be there any more
   */
  Path commit() {
    Path target;
    try {
      forceNames(folder);
      cancellation.check();
      target = rename();
    } catch (IOException e) {
      throw failure(e);
    }
    committed = true;
    try {
      forceNames(target.getParent());
      mark.close();
    } catch (IOException e) {
      // It stands there: who was told that it failed would commit the same again.
      LOG.warn("{} is written, but a power failure may lose its name", target, e);
    }
    return target;
  }

  private Path rename() throws IOException {
    Path target = name.next();
    while (true) {
      try {
        return Files.move(folder, target, StandardCopyOption.ATOMIC_MOVE);
      } catch (IOException e) {
        Path other = name.next();
        if (other.equals(target)) {
          throw e;
        }
        target = other;
      }
    }
  }

  @Override
  public void close() {
    if (committed) {
      return;
    }
    try {
      StaleCommits.delete(folder);
      mark.close();
    } catch (IOException e) {
      throw new StateSqlException(
          ErrorCode.IO_ERROR,
          "Cannot remove the unfinished folder "
              + folder
              + ": "
              + FaultText.of(e)
              + "; remove it by hand.",
          e);
    }
  }
}
