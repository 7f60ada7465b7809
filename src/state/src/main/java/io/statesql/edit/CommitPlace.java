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
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;

/** Where modified savepoints go: beside their source, or into a folder that the user names. */
public final class CommitPlace {
  /** How Flink names the folder of a checkpoint, which belongs to the job that wrote it. */
  private static final Pattern CHECKPOINT = Pattern.compile("chk-\\d+");

  private final Optional<Path> folder;

  /**
   * @param folder empty for the folder in which the source lies; made by the first commit if it is
   *     not there
   */
  public CommitPlace(Optional<String> folder) {
    this.folder = folder.map(name -> Path.of(name).toAbsolutePath().normalize());
  }

  /**
   * Where the next commit on a snapshot goes.
   *
   * @throws StateSqlException if the user has to name a folder
   */
  SuccessorName successorOf(Snapshot base) {
    Path source = local(base);
    String name = source.getFileName().toString();
    if (folder.isEmpty() && CHECKPOINT.matcher(name).matches()) {
      throw new StateSqlException(
          ErrorCode.INVALID_ARGUMENT,
          source
              + " lies in the checkpoint folder of a job, where nothing else may write; say where"
              + " modified savepoints go with commitTo=DIR (--commit-to DIR in the shell).");
    }
    return new SuccessorName(folder.orElseGet(source::getParent), base.folder(), name);
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
}
