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

import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import io.statesql.snapshot.Snapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Where modified savepoints go: beside their source, or into a folder that the user names. */
public final class CommitPlace {
  /** How Flink names the folder of a checkpoint, which belongs to the job that wrote it. */
  private static final Pattern CHECKPOINT = Pattern.compile("chk-\\d+");

  private static final Pattern EDITED = Pattern.compile("(.+)-edited-(\\d{1,9})");

  private final Optional<Path> folder;

  /**
   * @param folder empty for the folder in which the source lies; made by the first commit if it is
   *     not there
   */
  public CommitPlace(Optional<String> folder) {
    this.folder = folder.map(name -> Path.of(name).toAbsolutePath().normalize());
  }

  /**
   * The path of the next commit on a snapshot: {@code <name>-edited-<n>}, where n is one more than
   * the highest number that is there.
   *
   * @throws StateSqlException if the user has to name a folder
   */
  Path next(Snapshot base) {
    Path source = local(base);
    if (folder.isEmpty() && CHECKPOINT.matcher(source.getFileName().toString()).matches()) {
      throw new StateSqlException(
          ErrorCode.INVALID_ARGUMENT,
          source
              + " lies in the checkpoint folder of a job, where nothing else may write; say where"
              + " modified savepoints go with commitTo=DIR (--commit-to DIR in the shell).");
    }
    Path parent = folder.orElseGet(source::getParent);
    String name = source.getFileName().toString();
    Matcher edited = EDITED.matcher(name);
    String stem = edited.matches() ? edited.group(1) : name;
    return parent.resolve(stem + "-edited-" + (highest(parent, stem) + 1));
  }

  /** The path of the commit after the one that wrote a savepoint; empty for other folders. */
  public static Optional<Path> after(Path savepoint) {
    Matcher edited = EDITED.matcher(savepoint.getFileName().toString());
    return edited.matches()
        ? Optional.of(
            savepoint.resolveSibling(
                edited.group(1) + "-edited-" + (Integer.parseInt(edited.group(2)) + 1)))
        : Optional.empty();
  }

  private Path local(Snapshot base) {
    var uri = base.folder().toUri();
    boolean isLocal = uri.getScheme() == null || uri.getScheme().equals("file");
    Path path = isLocal ? Path.of(uri.getPath()) : Path.of(base.folder().getName());
    if ((!isLocal && folder.isEmpty()) || path.getFileName() == null) {
      throw new StateSqlException(
          ErrorCode.INVALID_ARGUMENT,
          base.folder()
              + " is not a folder on the local disk with a name; say where modified savepoints go"
              + " with commitTo=DIR (--commit-to DIR in the shell).");
    }
    return path;
  }

  private static int highest(Path parent, String stem) {
    if (!Files.isDirectory(parent)) {
      return 0;
    }
    try (Stream<Path> names = Files.list(parent)) {
      return names
          .map(path -> EDITED.matcher(path.getFileName().toString()))
          .filter(name -> name.matches() && name.group(1).equals(stem))
          .mapToInt(name -> Integer.parseInt(name.group(2)))
          .max()
          .orElse(0);
    } catch (IOException e) {
      throw new StateSqlException(
          ErrorCode.IO_ERROR, "The folder " + parent + " cannot be listed: " + e.getMessage(), e);
    }
  }
}
