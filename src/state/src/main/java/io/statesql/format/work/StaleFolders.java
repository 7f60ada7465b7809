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
package io.statesql.format.work;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removes the work folders of processes that were killed before they could do so themselves. */
final class StaleFolders {
  /**
   * Process number and start of this JVM, a part of its folders' names. They are passed over here:
   * closing a second channel on a lock file would let go of this JVM's own lock.
   */
  static final String OWN_MARK = ownMark();

  /** The whole name, so that a folder of a like name that somebody else made is left alone. */
  private static final Pattern NAME =
      Pattern.compile(Pattern.quote(WorkFolder.PREFIX) + "\\d+-\\d+-\\d+");

  private static final Logger LOG = LoggerFactory.getLogger(StaleFolders.class);

  private StaleFolders() {}

  private static String ownMark() {
    ProcessHandle process = ProcessHandle.current();
    long start = process.info().startInstant().orElseGet(Instant::now).toEpochMilli();
    return process.pid() + "-" + start + "-";
  }

  /**
   * Removes what no living process holds. A folder that cannot be judged or removed stays.
   *
   * @throws IOException if the folder itself cannot be read
   */
  static void remove(Path base) throws IOException {
    String pattern = WorkFolder.PREFIX + "*";
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(base, pattern)) {
      for (Path folder : folders) {
        String name = folder.getFileName().toString();
        if (NAME.matcher(name).matches()
            && !name.startsWith(WorkFolder.PREFIX + OWN_MARK)
            && Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
          removeIfDead(folder);
        }
      }
    }
  }

  private static void removeIfDead(Path folder) {
    Path file = folder.resolve(WorkFolder.LOCK);
    try (FileChannel channel =
            FileChannel.open(file, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
        FileLock lock = channel.tryLock()) {
      if (lock != null) {
        delete(folder);
      }
    } catch (IOException e) {
      // Another user's, being created or removed just now, or on a disk without locks.
      LOG.debug("Leaving the work folder {}", folder, e);
    }
  }

  /** Deletes a folder and what is in it, without following links; the lock file goes last. */
  static void delete(Path folder) throws IOException {
    Path lock = folder.resolve(WorkFolder.LOCK);
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            if (!file.equals(lock)) {
              Files.deleteIfExists(file);
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path visited, IOException failure)
              throws IOException {
            if (failure != null) {
              throw failure;
            }
            if (visited.equals(folder)) {
              Files.deleteIfExists(lock);
            }
            Files.deleteIfExists(visited);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
