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
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import org.apache.flink.core.fs.Path;

/**
 * The side file by which a savepoint that StateSQL wrote is known. Flink ignores it. Such a
 * savepoint never becomes the newest of a root: what a job wrote last and what somebody made of it
 * are different things.
 */
public final class EditMark {
  /** The name of the side file, in the folder of the savepoint. */
  public static final String FILE_NAME = "_statesql.json";

  /** The statements of a transaction are its main part. */
  private static final int MAX_LENGTH = 1 << 26;

  private EditMark() {}

  /** Whether a folder is a savepoint that StateSQL wrote. */
  static boolean isOn(Path folder, FileAccess files) {
    Path mark = new Path(folder, FILE_NAME);
    try {
      return !files.status(mark).isDir();
    } catch (IOException e) {
      if (SnapshotPaths.isNotFound(e)) {
        return false;
      }
      throw SnapshotPaths.failure("The file " + SnapshotPaths.show(mark), e);
    }
  }

  /**
   * What the side file of a folder holds; empty if there is none.
   *
   * @throws io.statesql.StateSqlException if it cannot be read, or is larger than any that we write
   */
  public static Optional<byte[]> read(Path folder, FileAccess files) {
    Path mark = new Path(folder, FILE_NAME);
    try (InputStream in = files.open(mark)) {
      byte[] content = in.readNBytes(MAX_LENGTH + 1);
      if (content.length > MAX_LENGTH) {
        throw new StateSqlException(
            ErrorCode.MALFORMED_SNAPSHOT,
            "The file " + SnapshotPaths.show(mark) + " is too large to be one of StateSQL.");
      }
      return Optional.of(content);
    } catch (IOException e) {
      if (SnapshotPaths.isNotFound(e)) {
        return Optional.empty();
      }
      throw SnapshotPaths.failure("The file " + SnapshotPaths.show(mark), e);
    }
  }
}
