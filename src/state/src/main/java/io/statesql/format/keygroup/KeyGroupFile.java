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
package io.statesql.format.keygroup;

import com.google.common.io.ByteStreams;
import io.statesql.format.bytes.KeyGroupExtents;
import io.statesql.format.model.KeyedSplit;
import io.statesql.snapshot.StateFile;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * The file behind a handle that holds key group after key group, whatever its layout, to be carried
 * part by part. Not thread-safe.
 */
final class KeyGroupFile implements Closeable {
  private static final int SHARE_OF_HEAP = 4;

  /** That every JVM can make. */
  private static final int LARGEST_ARRAY = Integer.MAX_VALUE - 8;

  private final KeyedSplit split;
  private final StateFile file;
  private final KeyGroupExtents extents;
  private final long emptyOffset;

  /**
   * @param file closed with this
   * @param emptyOffset what a handle states for a key group for which nothing is stored
   */
  KeyGroupFile(KeyedSplit split, StateFile file, KeyGroupExtents extents, long emptyOffset) {
    this.split = split;
    this.file = file;
    this.extents = extents;
    this.emptyOffset = emptyOffset;
  }

  KeyedSplit split() {
    return split;
  }

  /**
   * How many bytes one entry may have. Entries are copied, not decoded, so that this may be more
   * than a scan reads.
   */
  static int maxEntryBytes() {
    return (int) Math.min(Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP, LARGEST_ARRAY);
  }

  /** How many key groups the handle covers, by whose index all else here goes. */
  int count() {
    return extents.count();
  }

  int keyGroup(int index) {
    return extents.keyGroup(index);
  }

  /** Whether nothing is stored for a key group. */
  boolean isEmpty(int index) {
    return extents.isEmpty(index);
  }

  /** The offset that a handle states for a key group for which nothing is stored. */
  long emptyOffset() {
    return emptyOffset;
  }

  /** Bytes of a key group. */
  long length(int index) {
    return isEmpty(index) ? 0 : extents.end(index) - extents.start(index);
  }

  /** Offset in the file of a key group that is not empty. */
  long start(int index) {
    return extents.start(index);
  }

  /** Moves a reader to a key group that is not empty. */
  void open(RawTimerGroup group, int index) throws IOException {
    group.open(file, extents, index);
  }

  /** The bytes of a key group that is not empty; valid until another part is asked for. */
  InputStream bytes(int index) {
    file.seek(extents.start(index));
    return ByteStreams.limit(file, length(index));
  }

  /** Copies the header that stands before the key groups. */
  void copyHeader(OutputStream out) throws IOException {
    file.seek(0);
    ByteStreams.limit(file, split.header().length()).transferTo(out);
  }

  /** Copies the bytes of a key group that is not empty. */
  void copy(int index, OutputStream out) throws IOException {
    bytes(index).transferTo(out);
  }

  @Override
  public void close() {
    file.close();
  }
}
