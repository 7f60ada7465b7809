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

import static java.util.stream.Collectors.joining;

import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.Path;
import org.jspecify.annotations.Nullable;

/**
 * Finds the files that handles name. Relative ones lie below the folder of the metadata, or of its
 * parent. Absolute ones break when a snapshot moves; a path that a rule of the path map replaces is
 * looked for at its new place only. Where it is not found, the file is looked for, by name, beside
 * the metadata and in the folders {@code shared}, {@code taskowned} and {@code dstl} (changes of a
 * changelog) next to that folder.
 */
final class StateFileResolver {
  private static final List<String> SHARED_FOLDERS = List.of("shared", "taskowned", "dstl");

  private static final String MOVED_HINT =
      " If the files have moved, say where they are with pathMap=FROM=TO (--path-map FROM=TO).";

  private final Path metadata;
  private final Path folder;
  private final OpenedMetadata opened;
  private final FileAccess files;
  private final PathMap pathMap;

  StateFileResolver(OpenedMetadata opened, FileAccess files, PathMap pathMap) {
    this.metadata = opened.path();
    this.folder = metadata.getParent();
    this.opened = opened;
    this.files = files;
    this.pathMap = pathMap;
  }

  /** Where the files are that the metadata names by absolute paths. */
  PathMap pathMap() {
    return pathMap;
  }

  /** The file that a relative handle names. */
  FileStatus relative(String name) {
    requireInside(name);
    return find(name, List.of(new Path(folder, name)), "");
  }

  /** The file that an absolute handle names, where it is now. */
  FileStatus absolute(String name) {
    Path stored;
    try {
      stored = new Path(name);
    } catch (IllegalArgumentException e) {
      throw new StateSqlException(
          ErrorCode.MALFORMED_SNAPSHOT,
          "The metadata "
              + SnapshotPaths.show(metadata)
              + " names a file \""
              + name
              + "\", no path.",
          e);
    }
    Set<Path> candidates = new LinkedHashSet<>();
    candidates.add(pathMap.apply(stored).orElse(stored));
    String lastName = stored.getName();
    if (!lastName.isEmpty() && !lastName.equals("..") && !lastName.equals(".")) {
      candidates.add(new Path(folder, lastName));
      addSharedCandidates(stored, candidates);
    }
    return find(name, List.copyOf(candidates), MOVED_HINT);
  }

  private void addSharedCandidates(Path stored, Set<Path> candidates) {
    Path parent = folder.getParent();
    if (parent == null) {
      return;
    }
    for (String shared : SHARED_FOLDERS) {
      Path moved = new Path(parent, shared);
      // file merging writes to a folder of its own in a shared one
      String storedFolder = stored.getParent() == null ? "" : stored.getParent().getName();
      if (!storedFolder.isEmpty()
          && !storedFolder.startsWith(".")
          && !SHARED_FOLDERS.contains(storedFolder)) {
        candidates.add(new Path(new Path(moved, storedFolder), stored.getName()));
      }
      candidates.add(new Path(moved, stored.getName()));
    }
  }

  /** A name must not climb above the parent of the metadata's folder. */
  private void requireInside(String name) {
    int depth = 1;
    boolean inside = !name.isEmpty() && !name.startsWith("/") && name.indexOf('\\') < 0;
    // a colon would make Flink take what is before it for a scheme
    inside = inside && name.indexOf(':') < 0 && name.indexOf('\0') < 0;
    for (String part : name.split("/", -1)) {
      if (part.equals("..")) {
        depth--;
      } else if (!part.isEmpty() && !part.equals(".")) {
        depth++;
      }
      inside = inside && depth >= 0;
    }
    if (!inside) {
      throw new StateSqlException(
          ErrorCode.MALFORMED_SNAPSHOT,
          "The metadata "
              + SnapshotPaths.show(metadata)
              + " names a state file \""
              + name
              + "\" outside of the snapshot, which is not opened.");
    }
  }

  /**
   * The first file among candidates. What may not or cannot be looked at is passed over, for the
   * place where a snapshot was written is often out of reach where it is read.
   *
   * @param hint what a user can do where no file is found, to follow a sentence's end
   */
  private FileStatus find(String name, List<Path> candidates, String hint) {
    IOException notFound = null;
    StateSqlException failure = null;
    for (Path candidate : candidates) {
      try {
        FileStatus status = files.status(candidate);
        if (!status.isDir()) {
          return status;
        }
      } catch (IOException e) {
        if (SnapshotPaths.isNotFound(e)) {
          notFound = e;
        } else if (failure == null) {
          failure = SnapshotPaths.failure("The state file " + SnapshotPaths.show(candidate), e);
        }
      } catch (IllegalArgumentException e) {
        throw new StateSqlException(
            ErrorCode.MALFORMED_SNAPSHOT,
            "The metadata "
                + SnapshotPaths.show(metadata)
                + " names a file \""
                + name
                + "\", no path.",
            e);
      }
    }
    throw switch (opened.fate()) {
      case REMOVED -> removed(name, notFound);
      case REPLACED -> replaced(name, notFound);
      case UNCHANGED ->
          failure == null
              ? missing(name, candidates, hint, notFound)
              : unreachable(failure, candidates, hint);
    };
  }

  private StateSqlException removed(String name, @Nullable IOException cause) {
    return new StateSqlException(
        ErrorCode.FILE_NOT_FOUND,
        "The snapshot "
            + SnapshotPaths.show(folder)
            + " was removed while it was read: its metadata and its state file "
            + name
            + " are gone; Flink removes a checkpoint that newer ones replace. Connect again to see"
            + " what is there now.",
        cause);
  }

  private StateSqlException replaced(String name, @Nullable IOException cause) {
    return new StateSqlException(
        ErrorCode.FILE_NOT_FOUND,
        "The snapshot "
            + SnapshotPaths.show(folder)
            + " was replaced while it was read: its metadata is not the one that was opened, and"
            + " the state file "
            + name
            + " is gone. Connect again to read what is there now.",
        cause);
  }

  private StateSqlException missing(
      String name, List<Path> candidates, String hint, @Nullable IOException cause) {
    return new StateSqlException(
        ErrorCode.FILE_NOT_FOUND,
        "The state file "
            + name
            + " that the metadata "
            + SnapshotPaths.show(metadata)
            + " names is missing; looked for "
            + list(candidates)
            + "."
            + hint,
        cause);
  }

  /** One of the places cannot be looked at, and the file is at none of the others. */
  private static StateSqlException unreachable(
      StateSqlException failure, List<Path> candidates, String hint) {
    return candidates.size() == 1
        ? failure
        : new StateSqlException(
            failure.code(),
            failure.getMessage() + " Looked for " + list(candidates) + "." + hint,
            failure);
  }

  private static String list(List<Path> paths) {
    return paths.stream().map(SnapshotPaths::show).collect(joining(", "));
  }
}
