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

import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import io.statesql.snapshot.RootEntry.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.Path;
import org.jspecify.annotations.Nullable;

/**
 * One walk through a root folder for the snapshots in it. It lists folders and asks for the status
 * of their {@code _metadata}; it opens no file. Hidden and temporary folders are passed over, and
 * so is what lies within a snapshot. Each folder is visited once, whatever links lead to it.
 */
final class RootSearch {
  /** Deep enough for {@code root/<job name>/<job id>/chk-7}, with one level to spare. */
  static final int MAX_DEPTH = 4;

  /** Far beyond a job's folder; whoever mounts the root of a disk is told so soon. */
  static final int MAX_FOLDERS = 100_000;

  /**
   * How Flink names the folders of checkpoints and savepoints (Flink 2.3.0,
   * AbstractFsCheckpointStorageAccess.CHECKPOINT_DIR_PREFIX and initializeLocationForSavepoint).
   */
  private static final Pattern SNAPSHOT_NAME =
      Pattern.compile("chk-\\d+|savepoint-[0-9a-f]{6}-[0-9a-f]+");

  /** Folders beside checkpoints that hold their files. */
  private static final Set<String> STATE_FOLDERS = Set.of("shared", "taskowned");

  private static final Pattern TEMPORARY_NAME =
      Pattern.compile("\\..*|_temporary|.*\\.(tmp|inprogress)|.*~");

  private final FileAccess files;
  private final Path root;
  private final int maxFolders;
  private final List<RootEntry> found = new ArrayList<>();

  /** The real paths of the local folders that were visited. */
  private final Set<java.nio.file.Path> visited = new HashSet<>();

  /** The root without links; null if it is not local. */
  private final java.nio.file.@Nullable Path realRoot;

  private int folders;

  private RootSearch(Path root, FileAccess files, int maxFolders) throws IOException {
    this.files = files;
    this.root = root;
    this.maxFolders = maxFolders;
    this.realRoot = isLocal(root) ? local(root).toRealPath() : null;
  }

  /**
   * The snapshots below a folder, in order of their relative paths.
   *
   * @throws StateSqlException if the folder cannot be listed or holds too much
   */
  static List<RootEntry> search(Path root, FileAccess files) {
    return search(root, files, MAX_FOLDERS);
  }

  static List<RootEntry> search(Path root, FileAccess files, int maxFolders) {
    try {
      RootSearch search = new RootSearch(root, files, maxFolders);
      if (search.realRoot != null) {
        search.visited.add(search.realRoot);
      }
      search.visit(root, search.realRoot, "", MAX_DEPTH);
      search.found.sort(Comparator.comparing(RootEntry::relativePath));
      return search.found;
    } catch (IOException e) {
      throw SnapshotPaths.failure("The folder " + SnapshotPaths.show(root), e);
    }
  }

  /**
   * @param real the folder without links; null if it is not local
   * @param prefix of the relative paths of its children
   * @param depth how many levels to go down
   */
  private void visit(Path folder, java.nio.file.@Nullable Path real, String prefix, int depth)
      throws IOException {
    List<Path> links = new ArrayList<>();
    for (Path child : foldersIn(folder)) {
      if (real == null) {
        look(child, null, prefix, depth);
      } else if (Files.isSymbolicLink(local(child))) {
        links.add(child);
      } else {
        look(child, real.resolve(child.getName()), prefix, depth);
      }
    }
    // last, so that what has a name of its own here is found under that name
    for (Path link : links) {
      try {
        look(link, local(link).toRealPath(), prefix, depth);
      } catch (IOException e) {
        addProblem(link, prefix + link.getName(), e);
      }
    }
  }

  private List<Path> foldersIn(Path folder) throws IOException {
    List<Path> children = new ArrayList<>();
    for (FileStatus status : files.list(folder)) {
      Path child = status.getPath();
      if (status.isDir() && !TEMPORARY_NAME.matcher(child.getName()).matches()) {
        children.add(child);
      }
    }
    children.sort(Comparator.comparing(Path::getName));
    return children;
  }

  private void look(Path folder, java.nio.file.@Nullable Path real, String prefix, int depth) {
    if (real != null && !visited.add(real)) {
      return;
    }
    if (++folders > maxFolders) {
      throw new StateSqlException(
          ErrorCode.INVALID_ARGUMENT,
          "The folder "
              + SnapshotPaths.show(root)
              + " holds more than "
              + maxFolders
              + " folders; name one nearer to the snapshots.");
    }
    String relativePath = prefix + folder.getName();
    try {
      FileStatus metadata = metadataIn(folder);
      if (metadata != null) {
        add(folder, relativePath, Status.COMPLETE, metadata.getModificationTime(), null);
      } else if (SNAPSHOT_NAME.matcher(folder.getName()).matches()) {
        add(
            folder,
            relativePath,
            Status.INCOMPLETE,
            null,
            "It has no "
                + SnapshotLocator.METADATA_NAME
                + " file: it was never finished, or is being written or deleted.");
      } else if (depth > 1 && !STATE_FOLDERS.contains(folder.getName()) && !isAroundRoot(real)) {
        visit(folder, real, relativePath + "/", depth - 1);
      }
    } catch (IOException e) {
      addProblem(folder, relativePath, e);
    }
  }

  /** Whether a link leads above the root, from where the walk would come back to it. */
  private boolean isAroundRoot(java.nio.file.@Nullable Path real) {
    return real != null && realRoot != null && realRoot.startsWith(real);
  }

  private @Nullable FileStatus metadataIn(Path folder) throws IOException {
    try {
      FileStatus metadata = files.status(new Path(folder, SnapshotLocator.METADATA_NAME));
      return metadata.isDir() ? null : metadata;
    } catch (IOException e) {
      if (SnapshotPaths.isNotFound(e)) {
        return null;
      }
      throw e;
    }
  }

  /** A folder that has gone since its parent was listed is no problem: jobs delete snapshots. */
  private void addProblem(Path folder, String relativePath, IOException e) {
    if (!SnapshotPaths.isNotFound(e)) {
      String what = "The folder " + SnapshotPaths.show(folder);
      add(
          folder,
          relativePath,
          Status.UNREADABLE,
          null,
          SnapshotPaths.failure(what, e).getMessage());
    }
  }

  private void add(
      Path folder,
      String relativePath,
      Status status,
      @Nullable Long modificationTime,
      @Nullable String problem) {
    found.add(new RootEntry(relativePath, folder, status, modificationTime, problem));
  }

  private static boolean isLocal(Path path) {
    return "file".equals(path.toUri().getScheme());
  }

  private static java.nio.file.Path local(Path path) {
    return java.nio.file.Path.of(path.getPath());
  }
}
