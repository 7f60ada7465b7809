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

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.statesql.type.MalformedValueException;
import org.junit.jupiter.api.Test;

class StateNumbersTest {
  private final StateNumbers numbers = new StateNumbers(3);

  @Test
  void eachComesOnceInAKeyGroupInAnyOrder() {
    numbers.startKeyGroup();
    numbers.next(2, 10);
    numbers.next(0, 20);
    numbers.startKeyGroup();
    assertThatCode(() -> numbers.next(2, 30)).doesNotThrowAnyException();
  }

  /** Or the entries of one state would be taken for another's, and be missing from their own. */
  @Test
  void oneThatComesAgainIsDamage() {
    numbers.startKeyGroup();
    numbers.next(1, 10);
    numbers.next(2, 20);
    assertThatThrownBy(() -> numbers.next(1, 30))
        .isInstanceOf(MalformedValueException.class)
        .hasMessageContaining("state number 1")
        .hasMessageContaining("a second time");
  }

  @Test
  void oneWithoutAStateIsDamage() {
    numbers.startKeyGroup();
    assertThatThrownBy(() -> numbers.next(3, 10))
        .isInstanceOf(MalformedValueException.class)
        .hasMessageContaining("there are only 3");
  }
}
