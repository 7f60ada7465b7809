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

/**
 * Finds the files that handles name. Relative ones lie below the folder of the metadata, or of its
 * parent. Absolute ones break when a snapshot moves; they are then looked for, by name, beside the
 * metadata and in the folders {@code shared} and {@code taskowned} next to that folder.
 */
final class StateFileResolver {
  private static final List<String> SHARED_FOLDERS = List.of("shared", "taskowned");

  private final Path metadata;
  private final Path folder;
  private final FileAccess files;

  StateFileResolver(Path metadata, FileAccess files) {
    this.metadata = metadata;
    this.folder = metadata.getParent();
    this.files = files;
  }

  /** The file that a relative handle names. */
  FileStatus relative(String name) {
    requireInside(name);
    return find(name, List.of(new Path(folder, name)));
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
    candidates.add(stored);
    String lastName = stored.getName();
    if (!lastName.isEmpty() && !lastName.equals("..") && !lastName.equals(".")) {
      candidates.add(new Path(folder, lastName));
      addSharedCandidates(stored, candidates);
    }
    return find(name, List.copyOf(candidates));
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

  private FileStatus find(String name, List<Path> candidates) {
    IOException notFound = null;
    for (Path candidate : candidates) {
      try {
        FileStatus status = files.status(candidate);
        if (!status.isDir()) {
          return status;
        }
      } catch (IOException e) {
        if (!SnapshotPaths.isNotFound(e)) {
          throw SnapshotPaths.failure("The state file " + SnapshotPaths.show(candidate), e);
        }
        notFound = e;
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
    throw new StateSqlException(
        ErrorCode.FILE_NOT_FOUND,
        "The state file "
            + name
            + " that the metadata "
            + SnapshotPaths.show(metadata)
            + " names is missing; looked for "
            + candidates.stream().map(SnapshotPaths::show).collect(joining(", "))
            + ".",
        notFound);
  }
}
