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
package io.statesql.type;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import org.junit.jupiter.api.Test;

/** An approximate number takes the place of no other number. */
class ExactConversionTest {
  @Test
  void doubleHoldsIntegersThatItIs() {
    assertThat(ExactConversion.doubleOf(1L << 53)).isEqualTo(0x1p53);
    assertThat(ExactConversion.doubleOf((1L << 53) + 1)).isNull();
    assertThat(ExactConversion.doubleOf(Long.MIN_VALUE)).isEqualTo(-0x1p63);
    assertThat(ExactConversion.doubleOf(Long.MAX_VALUE)).isNull();
  }

  @Test
  void doubleHoldsDecimalsThatItPrintsAs() {
    assertThat(ExactConversion.doubleOf(new BigDecimal("0.10"))).isEqualTo(0.1);
    assertThat(
            ExactConversion.doubleOf(
                new BigDecimal("0.1000000000000000055511151231257827021181583404541015625")))
        .isEqualTo(0.1);
    assertThat(ExactConversion.doubleOf(new BigDecimal("0.12345678901234567890"))).isNull();
    assertThat(ExactConversion.doubleOf(new BigDecimal("1e400"))).isNull();
    assertThat(ExactConversion.doubleOf(new BigDecimal("1e-400"))).isNull();
  }

  @Test
  void realHoldsWhatItIsOrPrintsAs() {
    assertThat(ExactConversion.real(16_777_216)).isEqualTo(0x1p24f);
    assertThat(ExactConversion.real(16_777_217)).isNull();
    assertThat(ExactConversion.real(0.1)).isEqualTo(0.1f);
    assertThat(ExactConversion.real((double) 0.1f)).isEqualTo(0.1f);
    assertThat(ExactConversion.real(0.123456789)).isNull();
    assertThat(ExactConversion.real(new BigDecimal("0.1"))).isEqualTo(0.1f);
    assertThat(ExactConversion.real(1e300)).isNull();
  }

  @Test
  void nanAndInfinitiesStay() {
    assertThat(ExactConversion.real(Double.NaN)).isNaN();
    assertThat(ExactConversion.doubleOf(Double.NEGATIVE_INFINITY))
        .isEqualTo(Double.NEGATIVE_INFINITY);
    assertThat(ExactConversion.real(-0.0)).isEqualTo(-0.0f);
  }

  @Test
  void digitsOfAnApproximateNumberAreThoseOfItsValue() {
    assertThat(ExactConversion.decimal(1.23456789012345677E18))
        .isEqualByComparingTo("1234567890123456768");
  }
}
