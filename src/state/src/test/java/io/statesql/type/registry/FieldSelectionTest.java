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
package io.statesql.type.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import io.statesql.type.Codec;
import io.statesql.type.Shop;
import io.statesql.type.SqlType;
import io.statesql.type.StateInput;
import io.statesql.type.Stored;
import io.statesql.type.avro.AvroTrade;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.LocalDateTimeSerializer;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.java.tuple.Tuple3;
import org.apache.flink.api.java.typeutils.runtime.EitherSerializer;
import org.apache.flink.api.java.typeutils.runtime.NullableSerializer;
import org.apache.flink.formats.avro.typeutils.AvroSerializer;
import org.apache.flink.runtime.state.ttl.TtlStateFactory;
import org.apache.flink.runtime.state.ttl.TtlValue;
import org.apache.flink.types.Either;
import org.apache.flink.types.Row;
import org.junit.jupiter.api.Test;

class FieldSelectionTest {
  private static final int FOLLOWING = 5;

  private final Random random = new Random(11);

  /** Its dates are Kryo data to Flink. */
  public static final class Visit {
    public LocalDate day;
    public int count;
    public Object note;
  }

  /** A class of the job that Kryo writes by its name. */
  public static final class Secret {
    private final int code;

    public Secret(int code) {
      this.code = code;
    }

    public int code() {
      return code;
    }
  }

  @Test
  void readsAnySelectionOfAPojosFields() {
    TypeSerializer<Shop.Customer> serializer = serializer(Shop.Customer.class);
    for (int i = 0; i < 30; i++) {
      Shop.Customer customer = new Shop.Customer();
      customer.id = random.nextLong();
      customer.balance = maybe(BigDecimal.valueOf(random.nextLong(), 3));
      customer.tags = maybe(List.of("a", "b"));
      customer.token = maybe(new byte[] {1, 2, 3});
      customer.level = maybe(Shop.Level.GOLD);
      customer.address = maybe(new Shop.Address());
      checkSelections(serializer, customer);
    }
  }

  @Test
  void readsAnySelectionOfTheFieldsOfSubclasses() {
    TypeSerializer<Shop.Animal> serializer =
        serializer(Shop.Animal.class, Shop.Dog.class, Shop.Cat.class, Shop.Fish.class);
    for (int i = 0; i < 30; i++) {
      Shop.Dog dog = new Shop.Dog();
      dog.good = maybe(true);
      dog.breed = maybe("Collie");
      Shop.Cat cat = new Shop.Cat();
      cat.lives = random.nextInt();
      cat.breed = maybe("Manx");
      for (Shop.Animal animal : List.of(new Shop.Animal(), dog, cat)) {
        animal.legs = random.nextInt();
        animal.name = maybe("Rex");
        animal.born = maybe(Instant.ofEpochSecond(random.nextInt(), random.nextInt(1_000_000_000)));
        checkSelections(serializer, animal);
      }
    }
  }

  @Test
  void readsAnySelectionOfTuplesRowsAndEithers() {
    TypeSerializer<Tuple3<Integer, LocalDateTime, Long>> tuple =
        Types.<Tuple3<Integer, LocalDateTime, Long>>TUPLE(
                Types.INT, Types.LOCAL_DATE_TIME, Types.LONG)
            .createSerializer(new SerializerConfigImpl());
    TypeSerializer<Row> row =
        Types.ROW(Types.INT, Types.LOCAL_DATE_TIME, Types.STRING)
            .createSerializer(new SerializerConfigImpl());
    TypeSerializer<Either<LocalDateTime, Long>> either =
        new EitherSerializer<>(LocalDateTimeSerializer.INSTANCE, LongSerializer.INSTANCE);
    for (int i = 0; i < 30; i++) {
      LocalDateTime time = LocalDateTime.of(1, 1, 1, 0, 0).plusNanos(random.nextLong() >>> 2);
      checkSelections(tuple, Tuple3.of(random.nextInt(), time, random.nextLong()));
      checkSelections(row, Row.of(maybe(random.nextInt()), maybe(time), maybe("ä")));
      checkSelections(
          either, random.nextBoolean() ? Either.Left(time) : Either.Right(random.nextLong()));
    }
  }

  @Test
  void selectsThroughWrappers() {
    TypeSerializer<Shop.Point> point = serializer(Shop.Point.class);
    TypeSerializer<Shop.Point> nullable = NullableSerializer.wrap(point, false);
    TypeSerializer<TtlValue<Shop.Point>> ttl =
        new TtlStateFactory.TtlSerializer<>(LongSerializer.INSTANCE, point);
    Shop.Point value = new Shop.Point(1, "a", -0.0);
    checkSelections(nullable, value);
    checkSelections(nullable, null);
    checkSelections(ttl, new TtlValue<>(value, 5));
    assertThat(Stored.comparable(selected(nullable, value, 1)))
        .isEqualTo(Stored.row(null, 1, null));
    assertThat(Stored.comparable(selected(ttl, new TtlValue<>(value, 5), 1)))
        .isEqualTo(Stored.row(null, 1, null));
  }

  @Test
  void readsAnySelectionOfAvroRecords() {
    TypeSerializer<AvroTrade> serializer = new AvroSerializer<>(AvroTrade.class);
    for (String symbol : new String[] {"ABC", null}) {
      checkSelections(
          serializer,
          new AvroTrade(
              7, symbol, LocalDate.EPOCH, Instant.ofEpochSecond(1, 5_000), new BigDecimal("9.90")));
    }
  }

  @Test
  void doesNotDecodeWhatIsNotSelected() {
    TypeSerializer<Visit> serializer = serializer(Visit.class);
    Visit visit = new Visit();
    visit.day = LocalDate.MAX;
    visit.count = 7;
    assertThatThrownBy(() -> selected(serializer, visit, 1))
        .isInstanceOfSatisfying(
            StateSqlException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.DATETIME_OVERFLOW));
    assertThat(Stored.comparable(selected(serializer, visit, 0)))
        .isEqualTo(Stored.row(7, null, null));
  }

  @Test
  void passesOverAnUndecodableFieldAtTheEnd() {
    TypeSerializer<Visit> serializer = serializer(Visit.class);
    Visit visit = new Visit();
    visit.count = 7;
    visit.note = new Secret(3);
    byte[] bytes = Stored.value(serializer, visit);
    Codec codec = Stored.codec(serializer);
    assertThatThrownBy(() -> codec.readLast(new StateInput(bytes)))
        .isInstanceOfSatisfying(
            StateSqlException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.UNDECODABLE_STATE));
    StateInput in = new StateInput(bytes);
    assertThat(Stored.comparable(codec.select(fields(0, 1)).readLast(in)))
        .isEqualTo(Stored.row(7, null, null));
    in.requireEnd();
  }

  @Test
  void stillSeesBytesLeftOverBehindASkippedField() {
    byte[] bytes = Stored.value(serializer(Shop.Point.class), new Shop.Point(1, "a", 2.0));
    StateInput in = new StateInput(Arrays.copyOf(bytes, bytes.length + 1));
    Object read = Stored.codec(serializer(Shop.Point.class)).select(fields(0)).readLast(in);
    assertThat(Stored.comparable(read)).isEqualTo(Stored.row("a", null, null));
    assertThat(in.remaining()).isEqualTo(1);
  }

  private <T> void checkSelections(TypeSerializer<T> serializer, T value) {
    Codec codec = Stored.codec(serializer);
    byte[] bytes = Stored.value(serializer, value);
    Object[] full = (Object[]) codec.read(new StateInput(bytes));
    int width = ((SqlType.Row) codec.type()).fields().size();
    for (int i = 0; i < 40; i++) {
      BitSet fields = BitSet.valueOf(new long[] {random.nextLong() & ((1L << width) - 1)});
      Codec selecting = codec.select(fields);
      assertThat(selecting.type()).isEqualTo(codec.type());
      StateInput in = new StateInput(Arrays.copyOf(bytes, bytes.length + FOLLOWING));
      checkSelection(full, fields, selecting.read(in));
      assertThat(in.position()).as("position after read").isEqualTo(bytes.length);
      in.position(0);
      selecting.skip(in);
      assertThat(in.position()).as("position after skip").isEqualTo(bytes.length);
      StateInput last = new StateInput(bytes);
      checkSelection(full, fields, selecting.readLast(last));
      last.requireEnd();
    }
  }

  private static void checkSelection(Object[] full, BitSet fields, Object read) {
    if (full == null) {
      assertThat(read).isNull();
      return;
    }
    Object[] row = (Object[]) read;
    assertThat(row).hasSameSizeAs(full);
    for (int i = 0; i < full.length; i++) {
      if (fields.get(i) || row[i] != null) {
        assertThat(Stored.comparable(row[i])).isEqualTo(Stored.comparable(full[i]));
      }
    }
  }

  private <T> T maybe(T value) {
    return random.nextBoolean() ? value : null;
  }

  private static <T> Object selected(TypeSerializer<T> serializer, T value, int... fields) {
    return Stored.codec(serializer)
        .select(fields(fields))
        .read(new StateInput(Stored.value(serializer, value)));
  }

  private static BitSet fields(int... positions) {
    BitSet fields = new BitSet();
    Arrays.stream(positions).forEach(fields::set);
    return fields;
  }

  private static <T> TypeSerializer<T> serializer(Class<T> type, Class<?>... registered) {
    SerializerConfigImpl config = new SerializerConfigImpl();
    for (Class<?> subclass : registered) {
      config.registerPojoType(subclass);
    }
    return TypeInformation.of(type).createSerializer(config);
  }
}
