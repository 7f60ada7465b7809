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
package io.statesql.benchmark.scan;

import io.statesql.snapshot.KeyedStateHandle;
import io.statesql.snapshot.Snapshot;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.xerial.snappy.SnappyFramedInputStream;

/**
 * The least that a reader of one canonical file can do: no checks, and nothing that depends on what
 * the file's header says.
 */
final class BareCanonicalLoop implements Callable<BareSums> {
  private static final int END_OF_KEY_GROUP = 0xFFFF;
  private static final int LAST_OF_STATE = 0x80;
  private static final long NO_KEY_GROUP = 0;

  private final Path path;
  private final KeyedStateHandle.KeyGroupsSavepoint handle;
  private final boolean compressed;
  private final boolean decode;

  /**
   * @param decode whether to decode values; else they are skipped
   */
  BareCanonicalLoop(
      Snapshot snapshot,
      KeyedStateHandle.KeyGroupsSavepoint handle,
      boolean compressed,
      boolean decode) {
    this.path = snapshot.localFile(handle.delegate()).orElseThrow();
    this.handle = handle;
    this.compressed = compressed;
    this.decode = decode;
  }

  @Override
  public BareSums call() throws IOException {
    BareSums sums = new BareSums();
    try (FileChannel channel = FileChannel.open(path)) {
      ByteBuffer file = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
      long end = channel.size();
      for (int i = handle.offsets().length() - 1; i >= 0; i--) {
        long start = handle.offsets().get(i);
        if (start != NO_KEY_GROUP) {
          keyGroup(file.slice((int) start, (int) (end - start)), sums);
          end = start;
        }
      }
    }
    return sums;
  }

  private void keyGroup(ByteBuffer stored, BareSums sums) throws IOException {
    ByteBuffer in = compressed ? uncompress(stored) : stored;
    int state = in.getShort() & 0xFFFF;
    while (state != END_OF_KEY_GROUP) {
      int keyLength = in.getInt();
      int keyStart = in.position();
      boolean last = (in.get(keyStart) & LAST_OF_STATE) != 0;
      int valueStart = keyStart + keyLength + Integer.BYTES;
      int valueLength = in.getInt(keyStart + keyLength);
      sums.entries++;
      if (decode) {
        BareValues.decode(in, keyStart, keyLength, valueStart, valueLength, sums);
      }
      in.position(valueStart + valueLength);
      if (last) {
        state = in.getShort() & 0xFFFF;
      }
    }
  }

  private static ByteBuffer uncompress(ByteBuffer stored) throws IOException {
    byte[] bytes = new byte[stored.remaining()];
    stored.get(bytes);
    try (SnappyFramedInputStream in =
        new SnappyFramedInputStream(new java.io.ByteArrayInputStream(bytes))) {
      return ByteBuffer.wrap(in.readAllBytes());
    }
  }
}
