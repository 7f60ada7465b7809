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
import io.statesql.FaultText;
import io.statesql.StateSqlException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import org.apache.flink.core.fs.Path;
import org.apache.flink.core.fs.UnsupportedFileSystemSchemeException;
import org.jspecify.annotations.Nullable;

/** SnapshotPaths as users write and read them, and what a failure to reach one means. */
final class SnapshotPaths {
  private SnapshotPaths() {}

  /**
   * The path that a user means. What exists on the local disk under exactly that text wins, for a
   * name may hold a colon; else a text with a scheme is a URI of a Flink file system.
   */
  static Path of(String text) {
    if (text.isBlank()) {
      throw notAPath(text, null);
    }
    if (text.indexOf('\\') >= 0) {
      throw new StateSqlException(
          ErrorCode.INVALID_ARGUMENT,
          "\""
              + text
              + "\" holds a backslash, for which Flink's file systems would take a slash; write"
              + " slashes between folders, and reach a name with a backslash through a link.");
    }
    try {
      java.nio.file.Path local = java.nio.file.Path.of(text);
      if (!hasScheme(text) || Files.exists(local)) {
        return new Path("file", null, local.toAbsolutePath().normalize().toString());
      }
    } catch (InvalidPathException e) {
      throw notAPath(text, e);
    }
    try {
      return new Path(text);
    } catch (IllegalArgumentException e) {
      throw notAPath(text, e);
    }
  }

  private static StateSqlException notAPath(String text, @Nullable RuntimeException cause) {
    return new StateSqlException(
        ErrorCode.INVALID_ARGUMENT, "\"" + text + "\" is not a path or URI.", cause);
  }

  private static boolean hasScheme(String text) {
    int colon = text.indexOf(':');
    int slash = text.indexOf('/');
    return colon > 0 && (slash < 0 || colon < slash);
  }

  /** A path as a user would write it: local ones without a scheme. */
  static String show(Path path) {
    String scheme = path.toUri().getScheme();
    return scheme == null || scheme.equals("file") ? path.getPath() : path.toString();
  }

  /** Whether a failure says that nothing is there. */
  static boolean isNotFound(IOException e) {
    return e instanceof FileNotFoundException || e instanceof NoSuchFileException;
  }

  /**
   * The failure in a user's words.
   *
   * @param what the thing that could not be read, with its path, at the start of a sentence
   */
  static StateSqlException failure(String what, IOException e) {
    if (isNotFound(e)) {
      return new StateSqlException(ErrorCode.FILE_NOT_FOUND, what + " does not exist.", e);
    }
    if (isDenied(e)) {
      return new StateSqlException(
          ErrorCode.PERMISSION_DENIED,
          what + " may not be read by this user; check its permissions.",
          e);
    }
    if (e instanceof UnsupportedFileSystemSchemeException) {
      return new StateSqlException(
          ErrorCode.INVALID_ARGUMENT,
          what + " needs a Flink file system that is not on the class path.",
          e);
    }
    return new StateSqlException(
        ErrorCode.IO_ERROR, what + " cannot be read: " + FaultText.of(e) + ".", e);
  }

  /** Hadoop's exception for this is not on our class path, so it is known by its name. */
  private static boolean isDenied(IOException e) {
    return e instanceof AccessDeniedException
        || e.getClass().getSimpleName().equals("AccessControlException");
  }
}
