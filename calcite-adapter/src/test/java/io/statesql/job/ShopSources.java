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
package io.statesql.job;

import java.util.HashMap;
import java.util.Map;

/** The classes of a shop's job, by their full names: what its state is made of. */
public final class ShopSources {
  private ShopSources() {}

  /** All of them. */
  public static Map<String, String> all() {
    Map<String, String> sources = new HashMap<>();
    sources.put("shop.Order", ORDER);
    sources.put("shop.Item", ITEM);
    sources.put("shop.Gift", GIFT);
    sources.put("shop.Status", "package shop; public enum Status { OPEN, PAID }");
    sources.put("shop.Place", PLACE);
    sources.put("shop.Ticket", TICKET);
    sources.put("shop.Basket", BASKET);
    sources.put("shop.Counting", COUNTING);
    sources.put("shop.Money", MONEY);
    sources.put("shop.MoneySerializer", MONEY_SERIALIZER);
    sources.put("shop.MoneySnapshot", MONEY_SNAPSHOT);
    return sources;
  }

  /** All of them, with a change in one. */
  public static Map<String, String> replacing(String className, String before, String after) {
    Map<String, String> sources = all();
    String source = sources.get(className);
    if (!source.contains(before)) {
      throw new IllegalArgumentException(className + " has no " + before);
    }
    sources.put(className, source.replace(before, after));
    return sources;
  }

  /** No POJO, for it has no constructor without arguments: Flink leaves it to Kryo. */
  private static final String ORDER =
      """
      package shop;
      import java.util.*;
      public class Order {
        private final String id;
        private final int count;
        private final Status status = Status.PAID;
        private final java.time.LocalDate day = java.time.LocalDate.of(2026, 3, 1);
        private final List<Item> items = new ArrayList<>();
        private final Map<String, Double> rebates = new TreeMap<>();
        private transient long cached = 99;
        public Order(String id, int count) {
          this.id = id;
          this.count = count;
          for (int i = 0; i < count; i++) {
            items.add(i % 2 == 0 ? new Item("item " + i) : new Gift("item " + i, "card"));
            rebates.put("r" + i, i / 4.0);
          }
        }
      }
      """;

  private static final String ITEM =
      """
      package shop;
      public class Item {
        final String name;
        public Item(String name) { this.name = name; }
      }
      """;

  private static final String GIFT =
      """
      package shop;
      public class Gift extends Item {
        final String message;
        public Gift(String name, String message) { super(name); this.message = message; }
      }
      """;

  /** What a function keeps is often a class within it; no POJO, as it has no setters. */
  private static final String COUNTING =
      """
      package shop;
      import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
      import org.apache.flink.util.Collector;
      public class Counting extends KeyedProcessFunction<String, String, String> {
        public static class Kept {
          private final int count;
          public Kept(Integer count) { this.count = count; }
        }
        @Override public void processElement(String in, Context context, Collector<String> out) {}
      }
      """;

  /** A POJO, to be a key. */
  static final String PLACE =
      """
      package shop;
      public class Place {
        public String town;
        public int number;
        public Place() {}
        public Place(String town, int number) { this.town = town; this.number = number; }
        @Override public boolean equals(Object other) {
          return other instanceof Place p && town.equals(p.town) && number == p.number;
        }
        @Override public int hashCode() { return 31 * town.hashCode() + number; }
      }
      """;

  /** No POJO, to be a key that Kryo writes. */
  private static final String TICKET =
      """
      package shop;
      import java.time.LocalDate;
      public class Ticket {
        private final String code;
        private final int seat;
        private final LocalDate day;
        public Ticket(String code, Integer seat, LocalDate day) {
          this.code = code;
          this.seat = seat;
          this.day = day;
        }
        @Override public boolean equals(Object other) {
          return other instanceof Ticket t
              && code.equals(t.code) && seat == t.seat && day.equals(t.day);
        }
        @Override public int hashCode() { return java.util.Objects.hash(code, seat, day); }
      }
      """;

  /** A POJO with a field that Kryo writes between two that Flink knows. */
  private static final String BASKET =
      """
      package shop;
      public class Basket {
        public int after;
        public String before;
        public Order order;
        public Basket() {}
        public Basket(String before, Order order, Integer after) {
          this.before = before;
          this.order = order;
          this.after = after;
        }
      }
      """;

  private static final String MONEY =
      """
      package shop;
      public class Money {
        final long cents;
        final String currency;
        public Money(Long cents, String currency) { this.cents = cents; this.currency = currency; }
        @Override public boolean equals(Object other) {
          return other instanceof Money m && cents == m.cents && currency.equals(m.currency);
        }
        @Override public int hashCode() { return Long.hashCode(cents) + currency.hashCode(); }
      }
      """;

  /** A serializer of the job's own. */
  static final String MONEY_SERIALIZER =
      """
      package shop;
      import java.io.IOException;
      import org.apache.flink.api.common.typeutils.*;
      import org.apache.flink.api.common.typeutils.base.TypeSerializerSingleton;
      import org.apache.flink.core.memory.*;
      public class MoneySerializer extends TypeSerializerSingleton<Money> {
        final String currency;
        public MoneySerializer(String currency) { this.currency = currency; }
        @Override public boolean isImmutableType() { return true; }
        @Override public Money createInstance() { return new Money(0L, currency); }
        @Override public Money copy(Money from) { return from; }
        @Override public Money copy(Money from, Money reuse) { return from; }
        @Override public int getLength() { return -1; }
        @Override public void serialize(Money value, DataOutputView target) throws IOException {
          target.writeUTF(Long.toString(value.cents));
        }
        @Override public Money deserialize(DataInputView source) throws IOException {
          long cents = Long.parseLong(source.readUTF());
          if (cents < 0) { throw new IllegalStateException("debts\\nare not shown"); }
          return new Money(cents, currency);
        }
        @Override public Money deserialize(Money reuse, DataInputView source) throws IOException {
          return deserialize(source);
        }
        @Override public void copy(DataInputView source, DataOutputView target) throws IOException {
          target.writeUTF(source.readUTF());
        }
        @Override public TypeSerializerSnapshot<Money> snapshotConfiguration() {
          return new MoneySnapshot(currency);
        }
      }
      """;

  /** Holds what the values do not: their currency. */
  private static final String MONEY_SNAPSHOT =
      """
      package shop;
      import java.io.IOException;
      import org.apache.flink.api.common.typeutils.*;
      import org.apache.flink.core.memory.*;
      public class MoneySnapshot implements TypeSerializerSnapshot<Money> {
        private String currency;
        public MoneySnapshot() {}
        public MoneySnapshot(String currency) { this.currency = currency; }
        @Override public int getCurrentVersion() { return 1; }
        @Override public void writeSnapshot(DataOutputView out) throws IOException {
          out.writeUTF(currency);
        }
        @Override public void readSnapshot(int version, DataInputView in, ClassLoader loader)
            throws IOException {
          currency = in.readUTF();
        }
        @Override public TypeSerializer<Money> restoreSerializer() {
          return new MoneySerializer(currency);
        }
        @Override public TypeSerializerSchemaCompatibility<Money> resolveSchemaCompatibility(
            TypeSerializerSnapshot<Money> old) {
          return TypeSerializerSchemaCompatibility.compatibleAsIs();
        }
      }
      """;
}
