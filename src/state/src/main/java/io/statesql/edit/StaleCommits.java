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

import io.statesql.snapshot.EditMark;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes unfinished savepoints of processes that were killed. That of a living process is known by
 * the lock that it holds on the side file in it, on a disk that has locks.
 */
final class StaleCommits {
  /** How the names of folders start that are not finished, or never were. */
  static final String PREFIX = ".statesql-commit-";

  /**
   * A part of the names of this process's folders. They are passed over here: closing a second
   * channel on a side file would let go of the lock.
   */
  private static final String OWN = PREFIX + UUID.randomUUID() + "-";

  private static final AtomicLong COUNT = new AtomicLong();
  private static final Logger LOG = LoggerFactory.getLogger(StaleCommits.class);

  private StaleCommits() {}

  /** A name for an unfinished savepoint of this process. */
  static Path newFolder(Path parent) {
    return parent.resolve(OWN + COUNT.incrementAndGet());
  }

  /**
   * Locks a side file.
   *
   * @return false if another process holds it; true also if the disk has no locks
   */
  static boolean lock(FileChannel mark) {
    try {
      return mark.tryLock() != null;
    } catch (IOException e) {
      LOG.debug("No locks here", e);
      return true;
    }
  }

  /**
   * Removes what no living process holds. A folder that cannot be judged or removed stays.
   *
   * @throws IOException if the folder that they are in cannot be read
   */
  static void remove(Path parent) throws IOException {
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(parent, PREFIX + "*")) {
      for (Path folder : folders) {
        if (!folder.getFileName().toString().startsWith(OWN)
            && Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
          removeIfDead(folder);
        }
      }
    }
  }

  private static void removeIfDead(Path folder) {
    Path file = folder.resolve(EditMark.FILE_NAME);
    try (FileChannel mark =
        FileChannel.open(file, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
      if (mark.tryLock() != null) {
        delete(folder);
      }
    } catch (NoSuchFileException e) {
      removeIfEmpty(folder);
    } catch (IOException e) {
      // Another user's, or on a disk without locks.
      LOG.debug("Leaving the folder {}", folder, e);
    }
  }

  /** Its process died, or makes another when it sees that this one is gone. */
  private static void removeIfEmpty(Path folder) {
    try {
      Files.deleteIfExists(folder);
    } catch (DirectoryNotEmptyException e) {
      LOG.debug("Leaving the folder {}, which is in use by now", folder, e);
    } catch (IOException e) {
      LOG.debug("Leaving the folder {}", folder, e);
    }
  }

  /** Deletes a folder of files; the side file goes last. */
  static void delete(Path folder) throws IOException {
    Path mark = folder.resolve(EditMark.FILE_NAME);
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        if (!file.equals(mark)) {
          Files.deleteIfExists(file);
        }
      }
    }
    Files.deleteIfExists(mark);
    Files.deleteIfExists(folder);
  }
}
