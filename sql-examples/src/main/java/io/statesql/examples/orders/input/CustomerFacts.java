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

import java.time.LocalDate;
import java.util.List;

/**
 * The register of customers: what is known of a customer before the first order. Part of the input
 * formula, see {@link OrderFacts}.
 *
 * @param number from 0 to {@link #COUNT} - 1
 */
public record CustomerFacts(int number) {

  public static final int COUNT = 12;

  private static final List<String> IDS =
      List.of(
          "ada",
          "boris",
          "Борис",
          "李雷",
          "",
          "Zoë",
          "dora",
          "eve",
          "François",
          "grace",
          "it's",
          "😀 ivan");
  private static final List<String> COUNTRIES = List.of("DE", "IN", "中国", "BR");
  private static final List<String> CITIES = List.of("Köln", "पुणे", "上海", "São Paulo");

  /** The customer's id; the guest's is the empty text. */
  public String id() {
    return IDS.get(number);
  }

  public String country() {
    return COUNTRIES.get(number % COUNTRIES.size());
  }

  public String displayName() {
    return "Customer " + id();
  }

  /** From before 1970 to beyond the year 9999. */
  public LocalDate since() {
    return number == 11
        ? LocalDate.of(12026, 1, 1)
        : LocalDate.of(1969, 7, 20).plusDays(400L * number);
  }

  /** Null for every fourth customer. */
  public LocalDate birthday() {
    return number % 4 == 0 ? null : LocalDate.of(1990, 1, 31).plusMonths(number);
  }

  public boolean hasAddress() {
    return number % 3 != 0;
  }

  public String street() {
    return number + " Main Street";
  }

  public String city() {
    return CITIES.get(number % CITIES.size());
  }

  /** Null for every second customer. */
  public Integer floor() {
    return number % 2 == 0 ? null : Integer.valueOf(number - 6);
  }

  /** Null, true or false. */
  public Boolean newsletter() {
    return switch (number % 3) {
      case 0 -> null;
      case 1 -> Boolean.TRUE;
      default -> Boolean.FALSE;
    };
  }
}
