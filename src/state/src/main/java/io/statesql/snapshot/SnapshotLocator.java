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
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.Path;

/** Finds the metadata file that a path means, and reads its bytes. */
final class SnapshotLocator {
  /** The name of the metadata file in the folder of a snapshot. */
  static final String METADATA_NAME = "_metadata";

  /** Far beyond any real metadata, well below what an array can hold. */
  static final long MAX_FILE_BYTES = 1L << 30;

  /** How many names an error message tells. */
  private static final int SHOWN = 8;

  /** How many sub-folders of a folder are looked into for snapshots. */
  private static final int LOOKED_INTO = 200;

  private static final int MAGIC_BYTES = Integer.BYTES;

  private final FileAccess files;

  SnapshotLocator(FileAccess files) {
    this.files = files;
  }

  /**
   * The metadata file of a snapshot.
   *
   * @param path the folder of a snapshot, its metadata file, or a single-file snapshot
   * @throws StateSqlException with a sentence that tells what is there instead
   */
  FileStatus locate(Path path) {
    FileStatus found;
    try {
      found = files.status(path);
    } catch (IOException e) {
      throw SnapshotPaths.isNotFound(e)
          ? nothingThere(path, e)
          : SnapshotPaths.failure("The path " + SnapshotPaths.show(path), e);
    }
    if (!found.isDir()) {
      return found;
    }
    Path metadata = new Path(path, METADATA_NAME);
    try {
      found = files.status(metadata);
    } catch (IOException e) {
      throw SnapshotPaths.isNotFound(e)
          ? noSnapshot(path)
          : SnapshotPaths.failure("The file " + SnapshotPaths.show(metadata), e);
    }
    if (found.isDir()) {
      throw new StateSqlException(
          ErrorCode.NOT_A_SNAPSHOT,
          "The folder "
              + SnapshotPaths.show(path)
              + " is not a snapshot: its "
              + METADATA_NAME
              + " is a folder where a file must be.");
    }
    return found;
  }

  /** All bytes of a metadata file; refused early when it does not start as one. */
  byte[] read(FileStatus metadata) {
    String location = SnapshotPaths.show(metadata.getPath());
    long length = metadata.getLen();
    if (length < MAGIC_BYTES) {
      throw new StateSqlException(
          ErrorCode.NOT_A_SNAPSHOT,
          length == 0
              ? "The file " + location + " is empty, so it is not a snapshot."
              : "The file " + location + " is not a snapshot: it has only " + length + " bytes.");
    }
    try (FSDataInputStream in = files.open(metadata.getPath())) {
      byte[] magic = in.readNBytes(MAGIC_BYTES);
      if (magic.length == MAGIC_BYTES
          && Bytes.copyOf(magic).input().readInt() != MetadataReader.MAGIC) {
        throw new StateSqlException(
            ErrorCode.NOT_A_SNAPSHOT,
            "The file "
                + location
                + " is not a snapshot: it does not start as Flink's metadata does.");
      }
      requireFits(location, length);
      byte[] file = Arrays.copyOf(magic, (int) length);
      int read = magic.length + in.readNBytes(file, magic.length, file.length - magic.length);
      return read == file.length ? file : Arrays.copyOf(file, read);
    } catch (IOException e) {
      throw SnapshotPaths.failure("The file " + location, e);
    }
  }

  /**
   * The first bytes of a metadata file, fewer if it ends before.
   *
   * @throws StateSqlException if it cannot be read
   */
  byte[] readStart(Path metadata, int count) {
    try (FSDataInputStream in = files.open(metadata)) {
      return in.readNBytes(count);
    } catch (IOException e) {
      throw SnapshotPaths.failure("The file " + SnapshotPaths.show(metadata), e);
    }
  }

  private static void requireFits(String location, long length) {
    long limit = Math.min(MAX_FILE_BYTES, Runtime.getRuntime().maxMemory() / 2);
    if (length > limit) {
      throw new StateSqlException(
          ErrorCode.UNSUPPORTED_SNAPSHOT,
          "The metadata "
              + location
              + " has "
              + length
              + " bytes, more than the "
              + limit
              + " that are read"
              + (limit < MAX_FILE_BYTES ? "; give the JVM more memory with -Xmx." : "."));
    }
  }

  private StateSqlException nothingThere(Path path, IOException cause) {
    StringBuilder message = new StringBuilder("There is no file or folder ");
    message.append(SnapshotPaths.show(path));
    for (Path parent = path.getParent(); parent != null; parent = parent.getParent()) {
      if (isFolder(parent)) {
        message
            .append("; the nearest folder that exists is ")
            .append(SnapshotPaths.show(parent))
            .append(describeContent(parent));
        break;
      }
    }
    return new StateSqlException(ErrorCode.FILE_NOT_FOUND, message.append('.').toString(), cause);
  }

  private StateSqlException noSnapshot(Path folder) {
    List<String> snapshots = snapshotsBelow(folder);
    String rest =
        snapshots.isEmpty()
            ? describeContent(folder)
            : "; open one of the snapshots in it: " + someOf(snapshots);
    return new StateSqlException(
        ErrorCode.NOT_A_SNAPSHOT,
        "The folder "
            + SnapshotPaths.show(folder)
            + " is not a snapshot, for it has no "
            + METADATA_NAME
            + " file"
            + rest
            + ".");
  }

  /** Relative names of the snapshots in a folder, else of those one level deeper. */
  private List<String> snapshotsBelow(Path folder) {
    List<Path> children = foldersIn(folder);
    List<String> snapshots = children.stream().filter(this::isSnapshot).map(Path::getName).toList();
    if (!snapshots.isEmpty()) {
      return snapshots;
    }
    return children.stream()
        .limit(SHOWN)
        .flatMap(
            child ->
                foldersIn(child).stream()
                    .filter(this::isSnapshot)
                    .map(grandchild -> child.getName() + "/" + grandchild.getName()))
        .toList();
  }

  private List<Path> foldersIn(Path folder) {
    return contentOf(folder).orElse(List.of()).stream()
        .filter(FileStatus::isDir)
        .map(FileStatus::getPath)
        .sorted(Comparator.comparing(Path::getName))
        .limit(LOOKED_INTO)
        .toList();
  }

  private String describeContent(Path folder) {
    return contentOf(folder)
        .map(content -> content.stream().map(status -> status.getPath().getName()).sorted())
        .map(Stream::toList)
        .map(names -> names.isEmpty() ? ", and it is empty" : ", with " + someOf(names) + " in it")
        .orElse("");
  }

  private static String someOf(List<String> names) {
    String shown = names.stream().limit(SHOWN).collect(joining(", "));
    return names.size() <= SHOWN ? shown : shown + " and " + (names.size() - SHOWN) + " more";
  }

  // The three methods below serve messages of failures that are known already: what cannot be
  // looked at
  // is left out of the message.

  private Optional<List<FileStatus>> contentOf(Path folder) {
    try {
      return Optional.of(List.of(files.list(folder)));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private boolean isSnapshot(Path folder) {
    try {
      return !files.status(new Path(folder, METADATA_NAME)).isDir();
    } catch (IOException e) {
      return false;
    }
  }

  private boolean isFolder(Path path) {
    try {
      return files.status(path).isDir();
    } catch (IOException e) {
      return false;
    }
  }
}
