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
package io.statesql.examples.keys;

import java.time.LocalDate;
import java.util.Objects;

/** A key that is no POJO, for its fields are final: Flink leaves it to Kryo. */
public final class Ticket {
  private final String code;
  private final int seat;
  private final LocalDate day;

  private Ticket(String code, int seat, LocalDate day) {
    this.code = code;
    this.seat = seat;
    this.day = day;
  }

  static Ticket ofNumber(long number) {
    return new Ticket(
        "code-" + number + "ß", (int) number, LocalDate.of(1970, 1, 1).plusDays(number));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Ticket ticket
        && code.equals(ticket.code)
        && seat == ticket.seat
        && day.equals(ticket.day);
  }

  @Override
  public int hashCode() {
    return Objects.hash(code, seat, day);
  }
}
