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

import io.statesql.format.bytes.BlockInput;
import io.statesql.format.header.KeyedHeaderReader;
import io.statesql.format.key.CompositeKey;
import io.statesql.format.model.KeyedHeader;
import io.statesql.format.model.KeyedSplit;
import io.statesql.snapshot.StateFile;
import io.statesql.type.MalformedValueException;
import io.statesql.type.StateInput;
import io.statesql.type.serializer.SerializerContext;
import io.statesql.type.serializer.UnknownSerializerException;
import java.io.IOException;

/**
 * The file of a base of a changelog, of which the handle may cover some key groups alone: after a
 * job was rescaled, each subtask keeps its part of the handles that it was given ({@code
 * KeyGroupsStateHandle.getIntersection}, Flink 2.3) until it writes a base of its own. Other key
 * groups may then stand between the header and the first that is covered, and after the last.
 */
public final class BaseFile {
  /** Nearly all headers are shorter. */
  private static final int FIRST_READ = 1 << 16;

  private static final int SNAPPY_IDENTIFIER = 0xFF060000;

  /** Number of a state, length of a key, key group of the key. */
  private static final int CANONICAL_START = Short.BYTES + Integer.BYTES + Short.BYTES;

  private BaseFile() {}

  /**
   * Reads the header, and refuses bytes between it and the first key group that the handle covers,
   * unless another key group begins with them.
   *
   * @param split without a header
   * @param limit where the first key group begins that the handle covers
   */
  public static KeyedHeader readHeader(KeyedSplit split, StateFile file, long limit) {
    int longest = (int) Math.min(limit, KeyedHeaderReader.MAX_HEADER);
    KeyedHeader header = readHeader(file, longest, split.serializers());
    requireKeyGroup(split.withHeader(header), file, limit);
    return header;
  }

  private static KeyedHeader readHeader(StateFile file, int limit, SerializerContext serializers) {
    int length = Math.min(limit, FIRST_READ);
    while (true) {
      byte[] bytes = read(file, 0, length);
      try {
        return KeyedHeaderReader.readStart(bytes, serializers);
      } catch (MalformedValueException | UnknownSerializerException e) {
        if (length == limit) {
          // Lengths that are not known can only be told where the header is known to end.
          return KeyedHeaderReader.read(bytes, serializers);
        }
        length = (int) Math.min(limit, 4L * length);
      }
    }
  }

  private static void requireKeyGroup(KeyedSplit split, StateFile file, long limit) {
    long start = split.header().length();
    if (start == limit) {
      return;
    }
    int length = (int) Math.min(limit - start, 2 * Integer.BYTES);
    byte[] bytes = read(file, start, length);
    if (length < CANONICAL_START
        || !(beginsAsHeap(split, new StateInput(bytes))
            || beginsAsCanonical(split, new StateInput(bytes)))) {
      throw new MalformedValueException(start, "what follows the header is no key group");
    }
  }

  private static boolean beginsAsHeap(KeyedSplit split, StateInput in) {
    return isOther(split, in.readInt())
        && (split.header().compressed()
            ? in.readInt() == SNAPPY_IDENTIFIER
            : in.readUnsignedShort() < split.header().states().size());
  }

  private static boolean beginsAsCanonical(KeyedSplit split, StateInput in) {
    if (split.header().compressed()) {
      return in.readInt() == SNAPPY_IDENTIFIER;
    }
    boolean isState = in.readUnsignedShort() < split.header().states().size();
    boolean hasKey = in.readInt() >= prefixBytes(split);
    return isState && hasKey && isOther(split, prefix(split, in.readUnsignedShort()));
  }

  /**
   * Refuses bytes behind the last key group that the handle covers, unless another key group begins
   * with them.
   *
   * @param in behind the mark of its end
   */
  static void requireCanonicalEnd(KeyedSplit split, BlockInput in) throws IOException {
    if (in.isAtEnd()) {
      return;
    }
    long offset = in.offset();
    boolean isState = in.readUnsignedShort() < split.header().states().size();
    boolean hasKey = in.readInt() >= prefixBytes(split);
    if (!isState || !hasKey || !isOther(split, prefix(split, in.readUnsignedShort()))) {
      throw noEntry(offset);
    }
  }

  /**
   * As {@link #requireCanonicalEnd}, where the heap backend wrote the key group, uncompressed. It
   * leaves out none.
   *
   * @param in behind the last entry
   */
  static void requireHeapEnd(int keyGroup, BlockInput in) throws IOException {
    if (in.isAtEnd()) {
      return;
    }
    long offset = in.offset();
    if (in.readInt() != keyGroup + 1) {
      throw noEntry(offset);
    }
  }

  /**
   * Where a compressed key group ends that the heap backend wrote, as its chunks say: each state is
   * a framed stream of its own.
   *
   * @param start of the key group, with its number
   * @param end of the file
   */
  static long compressedHeapEnd(
      KeyedSplit split, StateFile file, int keyGroup, long start, long end) {
    int streams = 0;
    long position = start + Integer.BYTES;
    while (position < end) {
      int length = (int) Math.min(end - position, 2 * Integer.BYTES);
      StateInput in = new StateInput(read(file, position, length));
      if (length < Integer.BYTES) {
        throw new MalformedValueException(position, "the data ends within a snappy chunk");
      }
      int chunk = in.readInt();
      if (streams == split.header().states().size()
          && chunk == keyGroup + 1
          && length == 2 * Integer.BYTES
          && in.readInt() == SNAPPY_IDENTIFIER) {
        return position;
      }
      if (chunk == SNAPPY_IDENTIFIER) {
        streams++;
      }
      position += Integer.BYTES + (Integer.reverseBytes(chunk) >>> Byte.SIZE);
    }
    return end;
  }

  private static boolean isOther(KeyedSplit split, int keyGroup) {
    return keyGroup >= 0
        && keyGroup < split.operator().maxParallelism()
        && !split.handle().keyGroups().contains(keyGroup);
  }

  private static int prefixBytes(KeyedSplit split) {
    return CompositeKey.prefixBytes(split.operator().maxParallelism());
  }

  /** The key group in the first two bytes of a key, of which the mark of the last entry is part. */
  private static int prefix(KeyedSplit split, int firstBytes) {
    int unmarked = firstBytes & ~(CanonicalElements.LAST_OF_STATE << Byte.SIZE);
    return prefixBytes(split) == 1 ? unmarked >>> Byte.SIZE : unmarked;
  }

  private static byte[] read(StateFile file, long start, int length) {
    byte[] bytes = new byte[length];
    file.seek(start);
    file.readFully(bytes, 0, length);
    return bytes;
  }

  private static MalformedValueException noEntry(long offset) {
    return new MalformedValueException(
        offset, "bytes follow that belong to no entry of the key group");
  }
}
