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
import java.nio.file.Files;
import java.nio.file.attribute.BasicFileAttributes;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.Path;

/**
 * What is at a local path, by one call of the system. Flink's own status makes one for each
 * question, which thousands of snapshots multiply.
 */
final class LocalStatus implements FileStatus {
  private final Path path;
  private final BasicFileAttributes attributes;

  private LocalStatus(Path path, BasicFileAttributes attributes) {
    this.path = path;
    this.attributes = attributes;
  }

  /**
   * The status of what is there; links are followed.
   *
   * @throws java.nio.file.NoSuchFileException if there is nothing
   */
  static LocalStatus of(java.nio.file.Path local) throws IOException {
    Path path = new Path("file", null, local.toAbsolutePath().toString());
    return new LocalStatus(path, Files.readAttributes(local, BasicFileAttributes.class));
  }

  @Override
  public Path getPath() {
    return path;
  }

  @Override
  public boolean isDir() {
    return attributes.isDirectory();
  }

  @Override
  public long getLen() {
    return attributes.size();
  }

  @Override
  public long getModificationTime() {
    return attributes.lastModifiedTime().toMillis();
  }

  @Override
  public long getAccessTime() {
    return attributes.lastAccessTime().toMillis();
  }

  /** Of a file that is in one piece, its length. */
  @Override
  public long getBlockSize() {
    return getLen();
  }

  @Override
  public short getReplication() {
    return 1;
  }
}
