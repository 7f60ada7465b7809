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
package io.statesql.examples.orders.job;

import io.statesql.examples.orders.input.CustomerFacts;
import io.statesql.examples.orders.input.OrderFacts;
import io.statesql.examples.orders.model.Address;
import io.statesql.examples.orders.model.CardPayment;
import io.statesql.examples.orders.model.Channel;
import io.statesql.examples.orders.model.Customer;
import io.statesql.examples.orders.model.Order;
import io.statesql.examples.orders.model.OrderLine;
import io.statesql.examples.orders.model.Payment;
import io.statesql.examples.orders.model.Tier;
import io.statesql.examples.orders.model.VoucherPayment;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/** Keeps what the shop knows of each customer, in states of many types. */
final class CustomerProfiles extends KeyedProcessFunction<String, Order, Order> {

  private static final long serialVersionUID = 1L;

  /** Reviews are due on days so far away that no run of the job sees them. */
  private static final Instant FIRST_REVIEW = Instant.parse("2100-01-01T00:00:00Z");

  private static final int REMEMBERED = 3;

  private transient ValueState<Customer> profile;
  private transient ValueState<LocalDate> firstOrderDate;
  private transient ValueState<LocalDateTime> lastOrderTime;
  private transient ValueState<Instant> lastSeen;
  private transient ValueState<Double> lastRating;
  private transient ValueState<BigDecimal> lifetimeSpend;
  private transient ValueState<BigInteger> loyaltyPoints;
  private transient ValueState<Channel> lastChannel;
  private transient ValueState<Payment> lastPayment;
  private transient ListState<OrderLine> recentLines;
  private transient MapState<String, BigDecimal> spendPerProduct;
  private transient MapState<LocalDate, String> notes;

  @Override
  public void open(OpenContext context) {
    profile = value("profile", Types.POJO(Customer.class));
    firstOrderDate = value("first-order-date", Types.LOCAL_DATE);
    lastOrderTime = value("last-order-time", Types.LOCAL_DATE_TIME);
    lastSeen = value("last-seen", Types.INSTANT);
    lastRating = value("last-rating", Types.DOUBLE);
    lifetimeSpend = value("lifetime-spend", Types.BIG_DEC);
    loyaltyPoints = value("loyalty-points", Types.BIG_INT);
    lastChannel = value("last-channel", Types.ENUM(Channel.class));
    lastPayment = value("last-payment", Types.POJO(Payment.class));
    recentLines =
        getRuntimeContext()
            .getListState(new ListStateDescriptor<>("recent-lines", Types.POJO(OrderLine.class)));
    spendPerProduct =
        getRuntimeContext()
            .getMapState(
                new MapStateDescriptor<>("spend-per-product", Types.STRING, Types.BIG_DEC));
    notes =
        getRuntimeContext()
            .getMapState(new MapStateDescriptor<>("notes", Types.LOCAL_DATE, Types.STRING));
  }

  private <T> ValueState<T> value(String name, TypeInformation<T> type) {
    return getRuntimeContext().getState(new ValueStateDescriptor<>(name, type));
  }

  @Override
  public void processElement(Order order, Context context, Collector<Order> out) throws Exception {
    CustomerFacts registered = new CustomerFacts(order.customerNumber);
    Customer known = profile.value();
    Customer customer = known == null ? registered(registered) : known;
    note(order, customer);
    profile.update(customer);

    Instant preciseTime = customer.lastSeen;
    LocalDateTime preciseLocalTime = LocalDateTime.ofInstant(preciseTime, ZoneOffset.UTC);
    if (firstOrderDate.value() == null) {
      firstOrderDate.update(preciseLocalTime.toLocalDate());
      Instant review = FIRST_REVIEW.plus(Duration.ofDays(registered.number()));
      context.timerService().registerProcessingTimeTimer(review.toEpochMilli());
    }
    lastOrderTime.update(preciseLocalTime);
    lastSeen.update(preciseTime);
    lastRating.update(order.rating);
    BigDecimal spent = lifetimeSpend.value();
    lifetimeSpend.update(spent == null ? order.amount : spent.add(order.amount));
    loyaltyPoints.update(customer.points);
    lastChannel.update(order.channel);
    lastPayment.update(payment(order));
    rememberLine(order);
    BigDecimal spentOnProduct = spendPerProduct.get(order.product);
    spendPerProduct.put(
        order.product, spentOnProduct == null ? order.amount : spentOnProduct.add(order.amount));
    notes.put(preciseLocalTime.toLocalDate(), order.note);
  }

  private static Customer registered(CustomerFacts facts) {
    Customer customer = new Customer();
    customer.displayName = facts.displayName();
    customer.since = facts.since();
    customer.birthday = facts.birthday();
    customer.newsletter = facts.newsletter();
    customer.nicknames = new String[] {facts.id(), "", "№" + facts.number()};
    if (facts.hasAddress()) {
      customer.address = new Address();
      customer.address.street = facts.street();
      customer.address.city = facts.city();
      customer.address.floor = facts.floor();
    }
    customer.balance = BigDecimal.ZERO;
    customer.points = BigInteger.TEN.pow(36 + facts.number());
    customer.purchases = new HashMap<>();
    customer.channels = new HashSet<>();
    customer.ratings = new double[0];
    customer.tags = new ArrayList<>();
    return customer;
  }

  private static void note(Order order, Customer customer) {
    customer.orders++;
    customer.avatar =
        order.customerNumber == 7
            ? null
            : new byte[] {(byte) order.customerNumber, (byte) order.index, -1};
    if (!order.paid) {
      customer.balance = customer.balance.subtract(order.amount);
    }
    customer.channels.add(order.channel.name());
    customer.lastSeen = new OrderFacts(order.index).preciseTime();
    customer.nextReview = LocalDateTime.ofInstant(customer.lastSeen, ZoneOffset.UTC).plusDays(90);
    customer.points = customer.points.add(BigInteger.valueOf(order.quantity));
    customer.purchases.merge(order.product, order.quantity, Integer::sum);
    customer.ratings = Arrays.copyOf(customer.ratings, customer.ratings.length + 1);
    customer.ratings[customer.ratings.length - 1] = order.rating;
    customer.score = order.rating;
    customer.tags.add(order.product);
    customer.tier = order.customerNumber % 5 == 0 ? null : tier(customer.orders);
  }

  private static Tier tier(int orders) {
    if (orders < 3) {
      return Tier.BRONZE;
    }
    return orders < 9 ? Tier.SILVER : Tier.GOLD;
  }

  private static Payment payment(Order order) {
    Payment payment =
        switch (order.channel) {
          case WEB -> {
            CardPayment card = new CardPayment();
            card.network = "card-" + order.country;
            card.expiryMonth = 1 + order.customerNumber;
            yield card;
          }
          case APP -> {
            VoucherPayment voucher = new VoucherPayment();
            voucher.code = "code-" + order.id;
            voucher.worth = order.amount;
            yield voucher;
          }
          case STORE -> new Payment();
        };
    payment.reference = "payment-" + order.id;
    return payment;
  }

  private void rememberLine(Order order) throws Exception {
    OrderLine line = new OrderLine();
    line.product = order.product;
    line.quantity = order.quantity;
    line.price = order.price;
    line.note = order.note;
    List<OrderLine> lines = new ArrayList<>();
    recentLines.get().forEach(lines::add);
    lines.add(line);
    if (lines.size() > REMEMBERED) {
      recentLines.update(lines.subList(lines.size() - REMEMBERED, lines.size()));
    } else {
      recentLines.add(line);
    }
  }
}
