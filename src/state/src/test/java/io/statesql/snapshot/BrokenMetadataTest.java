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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.management.ThreadMXBean;
import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Damaged metadata: an error that says so or another reading, and never much memory or time. */
class BrokenMetadataTest {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** What a reading may allocate: a real one takes less than this for each byte of the file. */
  private static final int ALLOCATED_PER_BYTE = 100;

  /** Loading classes at the first call takes most of this. */
  private static final int ALLOCATED_BESIDE = 2_000_000;

  private static final Set<ErrorCode> CODES =
      Set.of(
          ErrorCode.MALFORMED_SNAPSHOT, ErrorCode.NOT_A_SNAPSHOT, ErrorCode.UNSUPPORTED_SNAPSHOT);

  @Test
  void everyTruncationIsAnError() throws IOException {
    for (byte[] file : samples()) {
      for (int length = 0; length < file.length; length++) {
        assertThat(readOrNull(Arrays.copyOf(file, length)))
            .as("the first %d of %d bytes", length, file.length)
            .isNull();
      }
    }
  }

  @Test
  void bytesThatFollowAreAnError() throws IOException {
    for (byte[] file : samples()) {
      assertThat(readOrNull(Arrays.copyOf(file, file.length + 1))).isNull();
    }
  }

  @Test
  void everyFlippedBitIsAnErrorOrAnotherReading() throws IOException {
    Random random = new Random(42);
    int errors = 0;
    int readings = 0;
    for (byte[] file : samples()) {
      for (int i = 0; i < 1000; i++) {
        byte[] flipped = file.clone();
        flipped[random.nextInt(file.length)] ^= (byte) (1 << random.nextInt(8));
        if (readOrNull(flipped) == null) {
          errors++;
        } else {
          readings++;
        }
      }
    }
    assertThat(errors + readings).isGreaterThanOrEqualTo(6000);
    assertThat(errors).isGreaterThan(1000);
  }

  @Test
  void largeNumbersAnywhereCostNoMemory() throws IOException {
    int errors = 0;
    for (byte[] file : samples()) {
      for (int at = 0; at + 4 <= file.length; at++) {
        byte[] damaged = file.clone();
        damaged[at] = 0x7F;
        Arrays.fill(damaged, at + 1, at + 4, (byte) 0xFF);
        errors += readOrNull(damaged) == null ? 1 : 0;
      }
    }
    assertThat(errors).isGreaterThan(1000);
  }

  @Test
  void aModelLargerThanTheMemoryIsRefused() throws IOException {
    byte[] file = MadeMetadata.allHandles(6);

    assertThat(MetadataReader.read(file, "made", 100_000).operators()).hasSize(2);
    assertThatExceptionOfType(StateSqlException.class)
        .isThrownBy(() -> MetadataReader.read(file, "made", 5_000))
        .withMessage(
            "The metadata made needs more memory than the 5000 bytes, half of this JVM's heap,"
                + " that it may take; give the JVM more with -Xmx.")
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.UNSUPPORTED_SNAPSHOT));
  }

  @Test
  void manyHandlesNestedInEachOtherAreAnErrorAndNoStackOverflow() throws IOException {
    byte[] file = OldForms.nestedKeyGroups(100_000);

    assertThatExceptionOfType(StateSqlException.class)
        .isThrownBy(() -> MetadataReader.read(file, "nested"))
        .withMessageContaining("state handles are nested more than 8 deep");
  }

  /** A small snapshot of each metadata version, and the one with every kind of handle. */
  private static List<byte[]> samples() throws IOException {
    TreeMap<Integer, byte[]> smallest = new TreeMap<>();
    List<Path> bySize = new ArrayList<>(FlinkTestSnapshots.metadataFiles());
    bySize.sort(Comparator.comparingLong(file -> file.toFile().length()));
    for (Path file : bySize) {
      byte[] bytes = Files.readAllBytes(file);
      if (bytes.length > 1000) {
        smallest.putIfAbsent(MetadataReader.read(bytes, "sample").version(), bytes);
      }
    }
    assertThat(smallest.keySet()).containsExactly(2, 3, 4, 5, 6);
    List<byte[]> samples = new ArrayList<>(smallest.values());
    samples.add(MadeMetadata.allHandles(6));
    return samples;
  }

  /** Null for an error, which must be one of ours, short, and cheap. */
  private static SnapshotMetadata readOrNull(byte[] file) {
    SnapshotMetadata metadata = null;
    StateSqlException error = null;
    long before = THREADS.getCurrentThreadAllocatedBytes();
    try {
      metadata = MetadataReader.read(file, "broken");
    } catch (StateSqlException e) {
      error = e;
    }
    long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
    assertThat(allocated)
        .as("bytes allocated for a file of %d", file.length)
        .isLessThan(ALLOCATED_BESIDE + (long) ALLOCATED_PER_BYTE * file.length);
    if (error != null) {
      assertThat(error.code()).isIn(CODES);
      assertThat(error.getMessage()).contains("broken").hasSizeLessThan(1000);
    }
    return metadata;
  }
}
