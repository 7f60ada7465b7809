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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.statesql.type.MalformedValueException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.flink.runtime.state.SnappyStreamCompressionDecorator;
import org.junit.jupiter.api.Test;

class SnappyFramesTest {
  private static final int STREAM_HEADER_BYTES = 10;

  @Test
  void readsWhatFlinkCompresses() throws IOException {
    for (int size : new int[] {0, 1, 100, 65_535, 65_536, 65_537, 1_000_000}) {
      assertThat(read(compress(text(size)))).as("%d bytes", size).isEqualTo(text(size));
    }
  }

  @Test
  void readsBlocksThatAreStoredBecauseTheyDoNotShrink() throws IOException {
    byte[] noise = new byte[200_000];
    new Random(1).nextBytes(noise);
    assertThat(read(compress(noise))).isEqualTo(noise);
  }

  @Test
  void passesOverBlocksAndReadsOn() throws IOException {
    byte[] text = text(300_000);
    byte[] noise = new byte[300_000];
    new Random(1).nextBytes(noise);
    for (byte[] data : new byte[][] {text, noise}) {
      for (int place : new int[] {0, 1, 65_535, 65_536, 65_537, 131_072, 299_999, 300_000}) {
        SnappyFrames frames = new SnappyFrames(new ByteArrayInputStream(compress(data)), 0);
        frames.pass(place);
        assertThat(frames.readAllBytes())
            .as("after %d bytes", place)
            .isEqualTo(Arrays.copyOfRange(data, place, data.length));
      }
      SnappyFrames frames = new SnappyFrames(new ByteArrayInputStream(compress(data)), 0);
      assertThatThrownBy(() -> frames.pass(300_001))
          .isInstanceOf(MalformedValueException.class)
          .hasMessageContaining("ends 1 bytes before");
    }
  }

  @Test
  void readsConcatenatedStreams() throws IOException {
    ByteArrayOutputStream both = new ByteArrayOutputStream();
    both.write(compress(text(10)));
    both.write(compress(text(20)));
    assertThat(read(both.toByteArray())).hasSize(30);
  }

  @Test
  void anyFlippedBitIsAnError() throws IOException {
    byte[] sound = compress(text(3000));
    List<Integer> unnoticed = new ArrayList<>();
    for (int bit = 0; bit < sound.length * 8; bit++) {
      byte[] flipped = sound.clone();
      flipped[bit / 8] ^= (byte) (1 << (bit % 8));
      try {
        if (!Arrays.equals(read(flipped), text(3000))) {
          unnoticed.add(bit);
        }
      } catch (MalformedValueException | IOException expected) {
        assertThat(expected.getMessage()).isNotBlank();
      }
    }
    // A chunk whose type becomes one that readers must skip is lost; the entries then end too
    // early.
    assertThat(unnoticed).allMatch(bit -> bit / 8 == STREAM_HEADER_BYTES);
  }

  /** The checksum is of the data: a copy of zeros from elsewhere in the block is the same. */
  @Test
  void aFlippedBitThatLeavesTheDataAsItWasIsNoError() throws IOException {
    byte[] zeros = new byte[3000];
    byte[] sound = compress(zeros);
    int harmless = 0;
    for (int bit = 0; bit < sound.length * 8; bit++) {
      byte[] flipped = sound.clone();
      flipped[bit / 8] ^= (byte) (1 << (bit % 8));
      try {
        harmless += Arrays.equals(read(flipped), zeros) ? 1 : 0;
      } catch (MalformedValueException | IOException expected) {
        assertThat(expected.getMessage()).isNotBlank();
      }
    }
    assertThat(harmless).isPositive();
  }

  @Test
  void refusesBlocksThatClaimToBeHuge() {
    byte[] bomb = {
      (byte) 0xFF,
      6,
      0,
      0,
      0x73,
      0x4E,
      0x61,
      0x50,
      0x70,
      0x59, // stream identifier
      0,
      9,
      0,
      0,
      0,
      0,
      0,
      0,
      (byte) 0xFF,
      (byte) 0xFF,
      (byte) 0xFF,
      (byte) 0xFF,
      0x07
    };
    assertThatThrownBy(() -> read(bomb))
        .isInstanceOf(MalformedValueException.class)
        .hasMessageContaining("claims to hold");
  }

  @Test
  void refusesStreamsWithoutIdentifier() {
    assertThatThrownBy(() -> read(new byte[] {0, 5, 0, 0, 1, 2, 3, 4, 5}))
        .isInstanceOf(MalformedValueException.class)
        .hasMessageContaining("identifier is missing");
  }

  private static byte[] text(int size) {
    byte[] bytes = new byte[size];
    for (int i = 0; i < size; i++) {
      bytes[i] = (byte) (i / 7 % 50 + (i % 3));
    }
    return bytes;
  }

  private static byte[] compress(byte[] bytes) throws IOException {
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    try (OutputStream out =
        SnappyStreamCompressionDecorator.INSTANCE.decorateWithCompression(compressed)) {
      out.write(bytes);
    }
    return compressed.toByteArray();
  }

  private static byte[] read(byte[] compressed) throws IOException {
    return new SnappyFrames(new ByteArrayInputStream(compressed), 0).readAllBytes();
  }
}
