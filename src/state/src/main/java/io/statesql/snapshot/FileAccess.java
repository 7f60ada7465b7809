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

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;

/**
 * How a snapshot reaches files: everything that it touches goes through here, so that a test can
 * count what is opened and closed. Implementations are safe for use by many threads.
 */
public interface FileAccess {
  /** Flink's file systems, by the scheme of the path. */
  FileAccess FLINK = new FlinkFileAccess();

  /**
   * What is at a path.
   *
   * @throws java.io.FileNotFoundException or {@link java.nio.file.NoSuchFileException} when there
   *     is nothing
   */
  FileStatus status(Path path) throws IOException;

  /** What a folder holds, in no particular order. */
  FileStatus[] list(Path folder) throws IOException;

  /** Opens a file; the caller closes the stream. */
  FSDataInputStream open(Path path) throws IOException;

  /**
   * Flink's local file system says "not found" for what it may not see. Asking the Java library
   * first tells the two apart.
   */
  final class FlinkFileAccess implements FileAccess {
    private FlinkFileAccess() {}

    @Override
    public FileStatus status(Path path) throws IOException {
      FileSystem fileSystem = path.getFileSystem();
      return isLocal(fileSystem) ? LocalStatus.of(local(path)) : fileSystem.getFileStatus(path);
    }

    @Override
    public FileStatus[] list(Path folder) throws IOException {
      FileSystem fileSystem = folder.getFileSystem();
      if (isLocal(fileSystem)) {
        return listLocal(local(folder));
      }
      FileStatus[] content = fileSystem.listStatus(folder);
      return content == null ? new FileStatus[0] : content;
    }

    /** Flink's own fails for a file that vanishes meanwhile, and for a link that leads nowhere. */
    private static FileStatus[] listLocal(java.nio.file.Path folder) throws IOException {
      List<FileStatus> content = new ArrayList<>();
      try (DirectoryStream<java.nio.file.Path> children = Files.newDirectoryStream(folder)) {
        for (java.nio.file.Path child : children) {
          try {
            content.add(LocalStatus.of(child));
          } catch (IOException e) {
            boolean leadsNowhere = Files.isSymbolicLink(child);
            if (!SnapshotPaths.isNotFound(e) && !leadsNowhere) {
              throw e;
            }
          }
        }
      } catch (DirectoryIteratorException e) {
        throw e.getCause();
      }
      return content.toArray(FileStatus[]::new);
    }

    @Override
    public FSDataInputStream open(Path path) throws IOException {
      FileSystem fileSystem = path.getFileSystem();
      requireReadable(fileSystem, path);
      return fileSystem.open(path);
    }

    private static void requireReadable(FileSystem fileSystem, Path path) throws IOException {
      if (isLocal(fileSystem) && Files.exists(local(path)) && !Files.isReadable(local(path))) {
        throw new AccessDeniedException(path.getPath());
      }
    }

    private static boolean isLocal(FileSystem fileSystem) {
      return "file".equals(fileSystem.getUri().getScheme());
    }

    private static java.nio.file.Path local(Path path) {
      return java.nio.file.Path.of(path.getPath());
    }
  }
}
