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
package io.statesql.format.bytes;

import java.io.ByteArrayOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import org.xerial.snappy.SnappyFramedOutputStream;

/**
 * Compresses as Flink does ({@code SnappyStreamCompressionDecorator}, flink-runtime 2.3), in the
 * form that {@link SnappyFrames} reads.
 */
public final class SnappyOutput {
  private static final int BLOCK_BYTES = 1 << 16;
  private static final double MIN_RATIO = 0.85;

  /** The identifier that starts each framed stream. */
  private static final int IDENTIFIER_BYTES = 10;

  private SnappyOutput() {}

  /** A framed stream, which starts at once and ends when it is closed; {@code out} stays open. */
  public static OutputStream stream(OutputStream out) throws IOException {
    SnappyLibrary.load();
    return new SnappyFramedOutputStream(new Unclosed(out), BLOCK_BYTES, MIN_RATIO);
  }

  private static final class Unclosed extends FilterOutputStream {
    Unclosed(OutputStream out) {
      super(out);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      out.write(bytes, from, length);
    }

    @Override
    public void close() throws IOException {
      flush();
    }
  }

  /** The chunks of some bytes, to stand within a stream that has started before. */
  public static byte[] chunks(byte[] bytes) throws IOException {
    ByteArrayOutputStream framed = new ByteArrayOutputStream();
    try (OutputStream out = stream(framed)) {
      out.write(bytes);
    }
    return Arrays.copyOfRange(framed.toByteArray(), IDENTIFIER_BYTES, framed.size());
  }
}
