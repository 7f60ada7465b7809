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

import io.statesql.ErrorCode;
import io.statesql.FaultText;
import io.statesql.HostContext;
import io.statesql.StateSqlException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A folder of this process alone, in which RocksDB finds the files of one handle. Lies below the
 * folder of the {@link HostContext}, or else that which the system property {@value #BASE_PROPERTY}
 * names, or else {@code java.io.tmpdir}; only its owner may look into it. {@link #close} removes
 * it; what is open when the JVM exits is removed then, and what a killed process left is removed
 * when the next one creates its first.
 *
 * <p>A living folder is known by the lock that its process holds on the file {@value #LOCK} in it,
 * which tells the truth also between containers that share a disk but no process numbers.
 */
public final class WorkFolder implements Closeable {
  /** The system property with the folder for work folders; that folder must exist. */
  public static final String BASE_PROPERTY = "statesql.work-dir";

  /** How the names of all work folders start. */
  static final String PREFIX = "statesql-rocksdb-";

  static final String LOCK = "lock";
  private static final String NEW_LOCK = "lock.new";
  private static final String FILES = "files";

  private static final Logger LOG = LoggerFactory.getLogger(WorkFolder.class);
  private static final Set<WorkFolder> OPEN = ConcurrentHashMap.newKeySet();

  /** The folders in which what killed processes left was removed. */
  private static final Set<Path> PREPARED = new HashSet<>();

  private final Path folder;
  private final FileChannel lock;

  private WorkFolder(Path folder, FileChannel lock) {
    this.folder = folder;
    this.lock = lock;
  }

  /**
   * Creates an empty folder of the process, to be closed by the caller.
   *
   * @throws StateSqlException if the place for work folders cannot be written to
   */
  public static WorkFolder create() {
    return create(HostContext.ofThisProcess());
  }

  /** As {@link #create()}, of a host. */
  public static WorkFolder create(HostContext host) {
    Path base = host.workDir().orElseGet(WorkFolder::base);
    try {
      prepare(base);
      WorkFolder created = create(base);
      OPEN.add(created);
      return created;
    } catch (IOException e) {
      throw new StateSqlException(
          ErrorCode.IO_ERROR,
          "Cannot create a work folder for RocksDB files in "
              + base
              + ": "
              + e
              + "; name another place with -D"
              + BASE_PROPERTY
              + "=FOLDER.",
          e);
    }
  }

  private static Path base() {
    String name = System.getProperty(BASE_PROPERTY, System.getProperty("java.io.tmpdir"));
    try {
      return Path.of(name).toAbsolutePath();
    } catch (InvalidPathException e) {
      throw new StateSqlException(
          ErrorCode.INVALID_ARGUMENT,
          "The property " + BASE_PROPERTY + " holds \"" + name + "\", which is no path.",
          e);
    }
  }

  private static synchronized void prepare(Path base) throws IOException {
    if (PREPARED.isEmpty()) {
      Runtime.getRuntime()
          .addShutdownHook(new Thread(WorkFolder::removeOpen, "statesql-work-folders"));
    }
    if (!PREPARED.contains(base)) {
      StaleFolders.remove(base);
      PREPARED.add(base);
    }
  }

  private static WorkFolder create(Path base) throws IOException {
    boolean posix = base.getFileSystem().supportedFileAttributeViews().contains("posix");
    FileAttribute<?>[] ownerOnly =
        posix
            ? new FileAttribute<?>[] {
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
            }
            : new FileAttribute<?>[0];
    Path folder = Files.createTempDirectory(base, PREFIX + StaleFolders.OWN_MARK, ownerOnly);
    FileChannel lock = null;
    try {
      Files.createDirectory(folder.resolve(FILES));
      // Locked before it has its name: a lock file that nobody holds is always a dead one.
      Path newLock = folder.resolve(NEW_LOCK);
      lock = FileChannel.open(newLock, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      if (lock.tryLock() == null) {
        throw new IOException(newLock + " is locked by another process");
      }
      Files.move(newLock, folder.resolve(LOCK), StandardCopyOption.ATOMIC_MOVE);
      return new WorkFolder(folder, lock);
    } catch (IOException | RuntimeException e) {
      removeAfter(e, folder, lock);
      throw e;
    }
  }

  private static void removeAfter(Exception failure, Path folder, FileChannel lock) {
    try {
      if (lock != null) {
        lock.close();
      }
      StaleFolders.delete(folder);
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  /** Where the files go. */
  public Path files() {
    return folder.resolve(FILES);
  }

  /**
   * Removes the folder and all that is in it; closing twice does nothing.
   *
   * @throws StateSqlException if it cannot be removed; it is tried again when the JVM exits
   */
  @Override
  public void close() {
    if (!OPEN.contains(this)) {
      return;
    }
    try {
      remove();
    } catch (IOException e) {
      throw new StateSqlException(
          ErrorCode.IO_ERROR,
          "Cannot remove the work folder " + folder + ": " + FaultText.of(e) + ".",
          e);
    }
  }

  private void remove() throws IOException {
    StaleFolders.delete(folder);
    lock.close();
    OPEN.remove(this);
  }

  private static void removeOpen() {
    for (WorkFolder folder : OPEN) {
      try {
        folder.remove();
      } catch (IOException e) {
        LOG.warn("Cannot remove the work folder {}", folder.folder, e);
      }
    }
  }
}
