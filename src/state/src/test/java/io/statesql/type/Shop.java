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

import java.io.IOException;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;
import org.apache.flink.types.Value;

/** Classes of a job. The code under test must never need them. */
public final class Shop {
  private Shop() {}

  /** Flink takes public fields and a public constructor without arguments for a POJO. */
  public static class Animal {
    public int legs;
    public String name;
    public Instant born;
  }

  public static class Dog extends Animal {
    public Boolean good;
    public String breed;
  }

  public static class Cat extends Animal {
    public int lives;
    public String breed;
  }

  public static class Kitten extends Cat {
    public Long age;
  }

  /** Not a POJO: it has no constructor without arguments. */
  public static class Fish extends Animal {
    private final int scales;

    public Fish(int scales) {
      this.scales = scales;
    }

    public int scales() {
      return scales;
    }
  }

  /** Fields of a believable domain, nested. */
  public static class Customer {
    public long id;
    public Address address;
    public BigDecimal balance;
    public List<String> tags;
    public Map<String, Address> others;
    public Level level;
    public byte[] token;
  }

  public static class Address {
    public String street;
    public Integer number;
  }

  public enum Level {
    BASIC,
    GOLD
  }

  /** A type that its own code writes. */
  public static class Money implements Value {
    private long cents;

    public Money() {}

    public Money(long cents) {
      this.cents = cents;
    }

    @Override
    public void write(DataOutputView out) throws IOException {
      out.writeLong(cents);
    }

    @Override
    public void read(DataInputView in) throws IOException {
      cents = in.readLong();
    }
  }

  /** Holds what needs the job's code between what does not. */
  public static class Order {
    public int id;
    public Money money;
    public String note;
    public int total;
  }

  /** A record is a POJO to Flink. */
  public record Point(int x, String label, Double y) {}
}
