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
package io.statesql.examples.orders.expect;

import io.statesql.examples.orders.input.CustomerFacts;
import io.statesql.examples.orders.input.OrderFacts;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Operator {@code customers}, keyed by the customer's id. */
final class CustomersExpectation {

  private static final String UID = "customers";
  private static final Instant FIRST_REVIEW = Instant.parse("2100-01-01T00:00:00Z");

  private CustomersExpectation() {}

  static void fill(Tables tables, Input input) {
    KeyedStates states =
        new KeyedStates(UID, tables)
            .declare("profile", profile(new CustomerFacts(0), List.of(new OrderFacts(0))).keySet())
            .declare("first-order-date")
            .declare("last-order-time")
            .declare("last-seen")
            .declare("last-rating")
            .declare("lifetime-spend")
            .declare("loyalty-points")
            .declare("last-channel")
            .declare("last-payment", payment(new OrderFacts(0)).keySet())
            .declare("recent-lines")
            .declare("spend-per-product")
            .declare("notes");
    input
        .byCustomer()
        .forEach(
            (customer, orders) -> {
              fill(states, customer, orders);
              tables.addTimer(
                  UID,
                  Columns.of(Columns.key(customer.id())),
                  "PROCESSING",
                  FIRST_REVIEW.plus(customer.number(), ChronoUnit.DAYS),
                  "user-timers");
            });
    states.join();
  }

  private static void fill(KeyedStates states, CustomerFacts customer, List<OrderFacts> orders) {
    Map<String, Object> key = Columns.key(customer.id());
    OrderFacts last = Input.last(orders);
    states.fields("profile", key, profile(customer, orders));
    states.value("first-order-date", key, orders.get(0).day());
    states.value("last-order-time", key, last.preciseLocalTime());
    states.value("last-seen", key, last.preciseTime());
    states.value("last-rating", key, last.rating());
    states.value("lifetime-spend", key, sum(orders));
    states.value("loyalty-points", key, points(customer, orders));
    states.value("last-channel", key, last.channel());
    states.fields("last-payment", key, payment(last));
    states.list(
        "recent-lines",
        key,
        Input.lastOf(orders, 3).stream().map(CustomersExpectation::line).toList());
    states.map(
        "spend-per-product",
        key,
        orders.stream()
            .collect(
                Collectors.groupingBy(
                    OrderFacts::product,
                    Collectors.reducing(BigDecimal.ZERO, OrderFacts::amount, BigDecimal::add))));
    Map<LocalDate, String> notes = new LinkedHashMap<>();
    orders.forEach(order -> notes.put(order.day(), order.note()));
    states.map("notes", key, notes);
  }

  private static Map<String, Object> profile(CustomerFacts customer, List<OrderFacts> orders) {
    OrderFacts last = Input.last(orders);
    return Columns.of("displayName", customer.displayName())
        .and("since", customer.since())
        .and("address", address(customer))
        .and("avatar", avatar(customer, last))
        .and("balance", sum(orders.stream().filter(order -> !order.isPaid()).toList()).negate())
        .and("birthday", customer.birthday())
        .and("channels", orders.stream().map(OrderFacts::channel).collect(Collectors.toSet()))
        .and("lastSeen", last.preciseTime())
        .and("newsletter", customer.newsletter())
        .and("nextReview", last.preciseLocalTime().plusDays(90))
        .and("nicknames", Arrays.asList(customer.id(), "", "№" + customer.number()))
        .and("orders", orders.size())
        .and("points", points(customer, orders))
        .and(
            "purchases",
            orders.stream()
                .collect(
                    Collectors.groupingBy(
                        OrderFacts::product, Collectors.summingInt(OrderFacts::quantity))))
        .and("ratings", orders.stream().map(OrderFacts::rating).toList())
        .and("score", last.rating())
        .and("tags", orders.stream().map(OrderFacts::product).toList())
        .and("tier", tier(customer, orders.size()))
        .toMap();
  }

  private static Map<String, Object> address(CustomerFacts customer) {
    return customer.hasAddress()
        ? Columns.of("street", customer.street())
            .and("city", customer.city())
            .and("floor", customer.floor())
            .toMap()
        : null;
  }

  private static byte[] avatar(CustomerFacts customer, OrderFacts last) {
    return customer.number() == 7
        ? null
        : new byte[] {(byte) customer.number(), (byte) last.index(), -1};
  }

  private static String tier(CustomerFacts customer, int orders) {
    if (customer.number() % 5 == 0) {
      return null;
    }
    if (orders < 3) {
      return "BRONZE";
    }
    return orders < 9 ? "SILVER" : "GOLD";
  }

  /** More digits than a BIGINT has: shown as a decimal without fraction. */
  private static BigDecimal points(CustomerFacts customer, List<OrderFacts> orders) {
    int units = orders.stream().mapToInt(OrderFacts::quantity).sum();
    return new BigDecimal(
        BigInteger.TEN.pow(36 + customer.number()).add(BigInteger.valueOf(units)));
  }

  /** The fields of the base class and of both subclasses; each payment has its own class's. */
  private static Map<String, Object> payment(OrderFacts order) {
    boolean isCard = order.channel().equals("WEB");
    boolean isVoucher = order.channel().equals("APP");
    return Columns.of("reference", "payment-" + order.orderId())
        .and("network", isCard ? "card-" + order.customer().country() : null)
        .and("expiryMonth", isCard ? 1 + order.customer().number() : null)
        .and("code", isVoucher ? "code-" + order.orderId() : null)
        .and("worth", isVoucher ? order.amount() : null)
        .toMap();
  }

  private static Map<String, Object> line(OrderFacts order) {
    return Columns.of("product", order.product())
        .and("quantity", order.quantity())
        .and("price", order.price())
        .and("note", order.note())
        .toMap();
  }

  private static BigDecimal sum(List<OrderFacts> orders) {
    return orders.stream().map(OrderFacts::amount).reduce(BigDecimal.ZERO, BigDecimal::add);
  }
}
