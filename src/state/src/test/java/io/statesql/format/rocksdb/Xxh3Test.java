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
package io.statesql.format.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Compares with what another implementation of XXH3 computes. */
class Xxh3Test {
  private static final int TIMES = 20_000;

  @ParameterizedTest
  @CsvSource({
    "0, 2d06800538d394c2",
    "3, 3698b80191e625f9",
    "8, 60e1baa91347a1f2",
    "16, f9fbd0260ba978df",
    "100, 10c6f5eff4f45481",
    "200, c56a3bc977e096fb",
    "1000, 2a7a65d13a1450eb",
    "5000, 60b1c0ae31e84fef"
  })
  void hashesEachLength(int length, String expected) {
    assertThat(Long.toHexString(Xxh3.hash(bytes(length), length)))
        .isEqualTo(expected.replaceFirst("^0+", ""));
  }

  @Test
  void staysTheSameOnceItIsCompiled() {
    byte[] bytes = bytes(5000);
    for (int i = 0; i < TIMES; i++) {
      Xxh3.hash(bytes, 241 + i % 4700);
      if (i % 100 == 0) {
        assertThat(Long.toHexString(Xxh3.hash(bytes, 5000))).isEqualTo("60b1c0ae31e84fef");
      }
    }
  }

  private static byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (i * 31);
    }
    return bytes;
  }
}
