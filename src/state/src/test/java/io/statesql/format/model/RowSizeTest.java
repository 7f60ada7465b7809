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
package io.statesql.format.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.statesql.snapshot.Bytes;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What rows take is not less than the bytes that they keep. */
class RowSizeTest {
  private static final int MANY = 100_000;

  private static StoredElement stored(Bytes mapKey, Bytes value) {
    return new StoredElement(null, 0, 0, Bytes.EMPTY, Bytes.EMPTY, mapKey, 0, 0, value);
  }

  @Test
  void whatIsStoredForARowCounts() {
    Bytes many = Bytes.copyOf(new byte[MANY]);
    assertThat(RowSize.of(new Object[] {stored(null, many)})).isBetween((long) MANY, MANY + 1000L);
    assertThat(RowSize.of(new Object[] {List.of(stored(many, many), stored(many, null))}))
        .isBetween(3L * MANY, 3L * MANY + 1000);
  }
}
