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
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;

/**
 * The input formula: what the order with a given index is. The job turns these facts into its own
 * types; the expectation derives the content of every state from them. Uses the JDK alone, so that
 * the expectation loads no class of the job.
 *
 * <p>Twelve customers order in turn, one order every twenty seconds of event time, with a break of
 * half an hour after every forty orders. Times never decrease with the index.
 *
 * @param index the position in the input, from 0
 */
public record OrderFacts(long index) {

  /** Event time of the first order. */
  public static final Instant START = Instant.parse("2026-02-28T22:50:00Z");

  /** How many lanes the input is split into; all orders of a customer are in one lane. */
  public static final int LANES = 2;

  private static final List<String> PRODUCTS =
      List.of("tea", "coffee", "Kräuter, \"fein\"", "お茶", "mug");
  private static final List<String> WAREHOUSES = List.of("north", "south", "");
  private static final List<String> CHANNELS = List.of("WEB", "APP", "STORE");

  /** The number of the first order is 1000. */
  public long orderId() {
    return 1000 + index;
  }

  public CustomerFacts customer() {
    return new CustomerFacts((int) ((7 * index + index / 12) % CustomerFacts.COUNT));
  }

  public int lane() {
    return customer().number() % LANES;
  }

  public Instant time() {
    return START.plusSeconds(20 * index + 1800 * (index / 40));
  }

  /** The event time with digits finer than a millisecond. */
  public Instant preciseTime() {
    return time().plusNanos(index * 1_001_003 % 1_000_000_000);
  }

  public LocalDateTime preciseLocalTime() {
    return LocalDateTime.ofInstant(preciseTime(), ZoneOffset.UTC);
  }

  public LocalDate day() {
    return LocalDate.ofInstant(time(), ZoneOffset.UTC);
  }

  public String product() {
    return PRODUCTS.get((int) (index % PRODUCTS.size()));
  }

  public String warehouse() {
    return WAREHOUSES.get((int) (index % WAREHOUSES.size()));
  }

  /** WEB, APP or STORE. */
  public String channel() {
    return CHANNELS.get((int) (index % CHANNELS.size()));
  }

  public int quantity() {
    return (int) (1 + index % 4);
  }

  public BigDecimal price() {
    return BigDecimal.valueOf(199 + 50 * (index % 7), 2);
  }

  public BigDecimal amount() {
    return price().multiply(BigDecimal.valueOf(quantity()));
  }

  public long amountInCents() {
    return amount().movePointRight(2).longValueExact();
  }

  /** Every third order waits for its payment. */
  public boolean isPaid() {
    return index % 3 != 0;
  }

  /** NaN, minus zero or a number of stars. */
  public double rating() {
    return switch ((int) (index % 5)) {
      case 0 -> Double.NaN;
      case 1 -> -0.0;
      default -> index % 5 * 0.75;
    };
  }

  /** Null, empty or a text. */
  public String note() {
    return switch ((int) (index % 4)) {
      case 0 -> null;
      case 1 -> "";
      default -> "примечание " + index;
    };
  }
}
