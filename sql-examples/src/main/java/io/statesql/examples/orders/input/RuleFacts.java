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
package io.statesql.examples.orders.input;

import java.math.BigDecimal;
import java.util.List;

/**
 * The input formula of the fraud rules, see {@link OrderFacts}.
 *
 * @param index the position in the input, from 0 to {@link #COUNT} - 1
 */
public record RuleFacts(long index) {

  public static final int COUNT = 5;

  private static final List<String> COUNTRIES = List.of("DE", "IN", "中国", "BR");

  public String name() {
    return "rule-" + index;
  }

  /** More digits than a DECIMAL(38) holds, for the last rule. */
  public BigDecimal threshold() {
    return index == COUNT - 1
        ? new BigDecimal("12345678901234567890123456789012345678901234567890.5")
        : new BigDecimal("9.90").multiply(BigDecimal.valueOf(index + 1));
  }

  /** Null where the rule holds in every country. */
  public String country() {
    return index % 2 == 0 ? null : COUNTRIES.get((int) (index % COUNTRIES.size()));
  }

  public boolean isActive() {
    return index != 2;
  }
}
