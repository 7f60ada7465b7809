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
package io.statesql.type.pojo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.primitives.Bytes;
import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import io.statesql.type.BasicCodecs;
import io.statesql.type.Binary;
import io.statesql.type.Codec;
import io.statesql.type.MalformedValueException;
import io.statesql.type.NullFlag;
import io.statesql.type.OpaqueCodec;
import io.statesql.type.Shop;
import io.statesql.type.SqlType;
import io.statesql.type.StateInput;
import io.statesql.type.Stored;
import io.statesql.type.StoredField;
import io.statesql.type.composite.OneOfCodec;
import io.statesql.type.composite.OptionalCodec;
import io.statesql.type.composite.RowCodec;
import io.statesql.type.composite.StructCodec;
import io.statesql.type.composite.TtlCodec;
import io.statesql.type.registry.StoredSerializers;
import io.statesql.type.serializer.KryoVersion;
import io.statesql.type.serializer.PojoNotes;
import io.statesql.type.serializer.PojoSubclasses;
import io.statesql.type.serializer.SerializerContext;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.junit.jupiter.api.Test;

class PojoSnapshotsTest {

  private static <T> TypeSerializer<T> pojo(Class<T> type, Class<?>... registered) {
    SerializerConfigImpl config = new SerializerConfigImpl();
    for (Class<?> subclass : registered) {
      config.registerPojoType(subclass);
    }
    return TypeInformation.of(type).createSerializer(config);
  }

  private static Shop.Animal animal() {
    Shop.Animal animal = new Shop.Animal();
    animal.legs = 4;
    animal.name = "Rex";
    animal.born = Instant.ofEpochSecond(1, 2_000_003);
    return animal;
  }

  private static Shop.Dog dog() {
    Shop.Dog dog = new Shop.Dog();
    dog.legs = 3;
    dog.name = "Dog";
    dog.good = true;
    dog.breed = "Collie";
    return dog;
  }

  private static Shop.Cat cat() {
    Shop.Cat cat = new Shop.Cat();
    cat.legs = 4;
    cat.lives = 9;
    cat.breed = "Manx";
    return cat;
  }

  @Test
  void readsFieldsByNameWithNulls() {
    TypeSerializer<Shop.Animal> serializer = pojo(Shop.Animal.class);
    Codec codec = Stored.codec(serializer);
    assertThat(Stored.fieldNames(codec.type()))
        .containsExactly("born", "born_nanos", "legs", "name");
    Stored.check(serializer, animal(), Stored.row(1_002L, 3, 4, "Rex"));
    Stored.check(serializer, new Shop.Animal(), Stored.row(null, null, 0, null));
    Stored.check(serializer, null, null);
    assertThat(Stored.serializer(serializer).description())
        .isEqualTo("Pojo<io.statesql.type.Shop$Animal>");
  }

  @Test
  void readsNestedPojosCollectionsAndEnums() {
    TypeSerializer<Shop.Customer> serializer = pojo(Shop.Customer.class);
    Random random = new Random(7);
    for (int i = 0; i < 50; i++) {
      Shop.Customer customer = randomCustomer(random);
      Stored.check(serializer, customer, expected(customer));
    }
    assertThat(Stored.fieldNames(Stored.codec(serializer).type()))
        .containsExactly("address", "balance", "id", "level", "others", "tags", "token");
  }

  private static Shop.Customer randomCustomer(Random random) {
    Shop.Customer customer = new Shop.Customer();
    customer.id = random.nextLong();
    customer.address = random.nextBoolean() ? null : randomAddress(random);
    customer.balance =
        random.nextBoolean() ? null : BigDecimal.valueOf(random.nextLong(), random.nextInt(9));
    customer.level = random.nextBoolean() ? null : Shop.Level.GOLD;
    if (random.nextBoolean()) {
      customer.tags = new ArrayList<>(Arrays.asList("a", "ä", "x" + random.nextInt()));
      customer.others = new HashMap<>(Map.of("home", randomAddress(random)));
      customer.others.put("none", null);
      customer.token = new byte[random.nextInt(5)];
    }
    return customer;
  }

  private static Shop.Address randomAddress(Random random) {
    Shop.Address address = new Shop.Address();
    address.street = "Street " + random.nextInt(100);
    address.number = random.nextBoolean() ? null : random.nextInt();
    return address;
  }

  private static Object expected(Shop.Customer customer) {
    Map<Object, Object> others = null;
    if (customer.others != null) {
      others = new HashMap<>();
      for (Map.Entry<String, Shop.Address> entry : customer.others.entrySet()) {
        others.put(entry.getKey(), expected(entry.getValue()));
      }
    }
    return Stored.row(
        expected(customer.address),
        customer.balance,
        customer.id,
        customer.level == null ? null : customer.level.name(),
        others,
        customer.tags,
        customer.token == null ? null : Binary.of(customer.token));
  }

  private static Object expected(Shop.Address address) {
    return address == null ? null : Stored.row(address.number, address.street);
  }

  @Test
  void readsRecords() {
    TypeSerializer<Shop.Point> serializer = pojo(Shop.Point.class);
    Stored.check(serializer, new Shop.Point(1, "a", -0.0), Stored.row("a", 1, -0.0));
    Stored.check(serializer, new Shop.Point(1, null, null), Stored.row(null, 1, null));
    assertThat(Stored.fieldNames(Stored.codec(serializer).type()))
        .containsExactly("label", "x", "y");
  }

  @Test
  void addsTheFieldsOfRegisteredSubclasses() {
    TypeSerializer<Shop.Animal> serializer =
        pojo(Shop.Animal.class, Shop.Dog.class, Shop.Cat.class);
    assertThat(Stored.fieldNames(Stored.codec(serializer).type()))
        .containsExactly(
            "pojo_class",
            "born",
            "born_nanos",
            "legs",
            "name",
            "breed",
            "good",
            "breed",
            "lives",
            "pojo_bytes");
    Stored.check(
        serializer,
        animal(),
        Stored.row(
            "io.statesql.type.Shop$Animal", 1_002L, 3, 4, "Rex", null, null, null, null, null));
    Stored.check(
        serializer,
        dog(),
        Stored.row(
            "io.statesql.type.Shop$Dog", null, null, 3, "Dog", "Collie", true, null, null, null));
    Stored.check(
        serializer,
        cat(),
        Stored.row("io.statesql.type.Shop$Cat", null, null, 4, null, null, null, "Manx", 9, null));
    Stored.check(serializer, null, null);
  }

  @Test
  void sharesTheFieldsThatSubclassesInheritFromEachOther() {
    TypeSerializer<Shop.Animal> serializer =
        pojo(Shop.Animal.class, Shop.Kitten.class, Shop.Cat.class);
    Shop.Kitten kitten = new Shop.Kitten();
    kitten.age = 1L;
    kitten.lives = 8;
    assertThat(Stored.fieldNames(Stored.codec(serializer).type()))
        .containsExactly(
            "pojo_class",
            "born",
            "born_nanos",
            "legs",
            "name",
            "age",
            "breed",
            "lives",
            "pojo_bytes");
    Stored.check(
        serializer,
        kitten,
        Stored.row("io.statesql.type.Shop$Kitten", null, null, 0, null, 1L, null, 8, null));
    Stored.check(
        serializer,
        cat(),
        Stored.row("io.statesql.type.Shop$Cat", null, null, 4, null, null, "Manx", 9, null));
  }

  @Test
  void readsUnregisteredSubclassesThatTheSerializerHasMet() {
    TypeSerializer<Shop.Animal> serializer = pojo(Shop.Animal.class);
    Stored.value(serializer, dog());
    Stored.check(
        serializer,
        dog(),
        Stored.row("io.statesql.type.Shop$Dog", null, null, 3, "Dog", "Collie", true, null));
    Stored.check(
        serializer,
        animal(),
        Stored.row("io.statesql.type.Shop$Animal", 1_002L, 3, 4, "Rex", null, null, null));
  }

  /** One is registered, and of two others the first subtask has met one, the second the other. */
  @Test
  void headersThatKnowDifferentSubclassesHaveTheSameFields() throws IOException {
    TypeSerializer<Shop.Animal> first = pojo(Shop.Animal.class, Shop.Fish.class);
    TypeSerializer<Shop.Animal> second = pojo(Shop.Animal.class, Shop.Fish.class);
    Stored.value(first, dog());
    Stored.value(second, cat());
    PojoNotes ofFirst = new PojoNotes();
    PojoNotes ofSecond = new PojoNotes();
    read(first, PojoSubclasses.NONE, ofFirst);
    read(second, PojoSubclasses.NONE, ofSecond);
    PojoSubclasses all = PojoSubclasses.of(List.of(ofFirst, ofSecond));
    assertThat(all.areNewTo(ofFirst)).isTrue();

    PojoNotes again = new PojoNotes();
    Codec codec = read(first, all, again);
    assertThat(all.areNewTo(again)).isFalse();
    assertThat(codec.type()).isEqualTo(read(second, all, new PojoNotes()).type());
    assertThat(Stored.fieldNames(codec.type()))
        .containsExactly(
            "pojo_class",
            "born",
            "born_nanos",
            "legs",
            "name",
            "Fish",
            "breed",
            "lives",
            "breed",
            "good",
            "pojo_bytes");
    Object[] dog = (Object[]) readLast(codec, Stored.value(pojo(Shop.Animal.class), dog()));
    assertThat(dog).contains("io.statesql.type.Shop$Dog", "Collie", true);
    byte[] bytes = Stored.value(pojo(Shop.Animal.class), cat());
    Object[] cat = (Object[]) readLast(codec, bytes);
    assertThat(cat).startsWith("io.statesql.type.Shop$Cat", null, null, null);
    assertThat(((Binary) cat[10]).length()).as("not by what the other knows").isPositive();
  }

  private static Codec read(TypeSerializer<?> serializer, PojoSubclasses known, PojoNotes notes)
      throws IOException {
    DataOutputSerializer out = new DataOutputSerializer(256);
    TypeSerializerSnapshot.writeVersionedSnapshot(out, serializer.snapshotConfiguration());
    return StoredSerializers.read(
            new StateInput(out.getCopyOfBuffer()),
            SerializerContext.of(KryoVersion.KRYO_5).knowing(known).noting(notes))
        .codec();
  }

  @Test
  void failsOnASubclassWithoutASerializerInTheSnapshot() {
    TypeSerializer<Shop.Animal> met = pojo(Shop.Animal.class);
    Codec codec = Stored.codec(pojo(Shop.Animal.class));
    byte[] bytes = Stored.value(met, dog());
    assertThatThrownBy(() -> codec.read(new StateInput(bytes)))
        .isInstanceOfSatisfying(
            StateSqlException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.UNDECODABLE_STATE))
        .hasMessageContaining("io.statesql.type.Shop$Dog");
    assertThatThrownBy(() -> codec.skip(new StateInput(bytes)))
        .isInstanceOf(StateSqlException.class)
        .hasMessageContaining("io.statesql.type.Shop$Dog");
  }

  @Test
  void showsTheBytesOfASubclassWithoutASerializerWhereTheyFillTheInput() {
    Codec codec = Stored.codec(pojo(Shop.Animal.class, Shop.Cat.class));
    byte[] bytes = Stored.value(pojo(Shop.Animal.class), dog());
    Object expected = missingDog(codec, bytes);
    assertThat(Stored.comparable(readLast(codec, bytes))).isEqualTo(expected);

    Codec optional = new OptionalCodec(codec, NullFlag.IS_PRESENT, 0);
    assertThat(Stored.comparable(readLast(optional, Bytes.concat(new byte[] {1}, bytes))))
        .isEqualTo(expected);
    assertThat(readLast(optional, new byte[] {0})).isNull();
    assertThat(Stored.comparable(readLast(new TtlCodec(codec), Bytes.concat(new byte[8], bytes))))
        .isEqualTo(expected);
    Codec either = new OneOfCodec("side", List.of(new OneOfCodec.Alternative(0, "right", codec)));
    assertThat(Stored.comparable(readLast(either, Bytes.concat(new byte[] {0}, bytes))))
        .isEqualTo(Stored.row("right", expected));
    Codec struct =
        new StructCodec(
            List.of(new StoredField("ok", BasicCodecs.BOOLEAN), new StoredField("animal", codec)),
            -1);
    assertThat(Stored.comparable(readLast(struct, Bytes.concat(new byte[] {1}, bytes))))
        .isEqualTo(Stored.row(true, expected));
    Codec row = new RowCodec(List.of(new StoredField("animal", codec)), false);
    assertThat(Stored.comparable(readLast(row, Bytes.concat(new byte[] {0}, bytes))))
        .isEqualTo(Stored.row(expected));
    Codec undelimited =
        new RowCodec(
            List.of(
                new StoredField("animal", codec),
                new StoredField("lost", OpaqueCodec.undelimited("It is lost"))),
            false);
    assertThatThrownBy(() -> readLast(undelimited, Bytes.concat(new byte[] {0x40}, bytes)))
        .as("bytes of other fields may follow")
        .isInstanceOf(StateSqlException.class);
  }

  /** Behind the flag, the length and the name of the class. */
  private static Object missingDog(Codec codec, byte[] bytes) {
    String name = "io.statesql.type.Shop$Dog";
    Object[] row = new Object[((SqlType.Row) codec.type()).fields().size()];
    row[0] = name;
    row[row.length - 1] =
        Binary.of(Arrays.copyOfRange(bytes, 1 + Short.BYTES + name.length(), bytes.length));
    return Stored.comparable(row);
  }

  @Test
  void showsTheBytesOfALastFieldOfASubclassWithoutASerializer() {
    SerializerConfigImpl config = new SerializerConfigImpl();
    config.registerPojoType(Shop.Cat.class);
    TypeSerializer<Owner> stored = TypeInformation.of(Owner.class).createSerializer(config);
    Codec codec = Stored.codec(stored);
    Owner owner = new Owner();
    owner.age = 40;
    owner.pet = dog();
    byte[] bytes = Stored.value(stored, owner);
    byte[] pet = Stored.value(pojo(Shop.Animal.class), owner.pet);
    SqlType.Row type = (SqlType.Row) codec.type();
    Object[] read = (Object[]) readLast(codec, bytes);
    assertThat(read[0]).isEqualTo(40);
    Codec petCodec = Stored.codec(pojo(Shop.Animal.class, Shop.Cat.class));
    assertThat(type.fields().get(1).type()).isEqualTo(petCodec.type());
    assertThat(Stored.comparable(read[1])).isEqualTo(missingDog(petCodec, pet));
    assertThatThrownBy(() -> codec.read(new StateInput(bytes)))
        .isInstanceOf(StateSqlException.class)
        .hasMessageContaining("out of the query");
  }

  @Test
  void readsLastWhatItReads() {
    TypeSerializer<Shop.Animal> serializer =
        pojo(Shop.Animal.class, Shop.Dog.class, Shop.Fish.class);
    Codec codec = Stored.codec(serializer);
    for (Shop.Animal value : Arrays.asList(animal(), dog(), new Shop.Fish(12), null)) {
      byte[] bytes = Stored.value(serializer, value);
      assertThat(Stored.comparable(readLast(codec, bytes)))
          .isEqualTo(Stored.read(serializer, value));
    }
    byte[] unknown = Stored.value(pojo(Shop.Animal.class), dog());
    assertThatThrownBy(() -> readLast(Stored.codec(pojo(Shop.Animal.class)), unknown))
        .as("no pojo_class to name the class")
        .isInstanceOf(StateSqlException.class)
        .hasMessageContaining("io.statesql.type.Shop$Dog");
  }

  private static Object readLast(Codec codec, byte[] bytes) {
    StateInput in = new StateInput(bytes);
    Object value = codec.readLast(in);
    in.requireEnd();
    Stored.assertConforms(codec.type(), value);
    return value;
  }

  /** A POJO that ends with one of a class with subclasses. */
  public static final class Owner {
    public int age;
    public Shop.Animal pet;
  }

  @Test
  void refusesHeadsAndTagsThatAreNotInTheSnapshot() {
    Codec codec = Stored.codec(pojo(Shop.Animal.class, Shop.Dog.class));
    byte[][] wrong = {{0}, {3}, {8, 1}, {8, -1}, {8, 0, 1}, {8, 0, 8, 0}, {16}};
    for (byte[] bytes : wrong) {
      assertThatThrownBy(() -> codec.read(new StateInput(bytes)))
          .isInstanceOf(MalformedValueException.class);
      assertThatThrownBy(() -> codec.skip(new StateInput(bytes)))
          .isInstanceOf(MalformedValueException.class);
    }
  }

  @Test
  void readsPojosInsideOfTuplesAndLists() {
    TypeSerializer<List<Shop.Animal>> serializer =
        Types.LIST(TypeInformation.of(Shop.Animal.class))
            .createSerializer(new SerializerConfigImpl());
    Stored.check(
        serializer,
        Arrays.asList(animal(), null),
        Arrays.asList(Stored.row(1_002L, 3, 4, "Rex"), null));
  }

  @Test
  void passesTheRegistrationsOfASubclassThatKryoWrites() {
    TypeSerializer<Shop.Animal> serializer = pojo(Shop.Animal.class, Shop.Fish.class);
    SqlType.Row type = (SqlType.Row) Stored.codec(serializer).type();
    assertThat(Stored.fieldNames(type))
        .containsExactly("pojo_class", "born", "born_nanos", "legs", "name", "Fish", "pojo_bytes");
    assertThat(type.fields().get(5).type()).isInstanceOf(SqlType.Opaque.class);
    Codec codec = Stored.codec(serializer);
    Object[] row =
        (Object[]) codec.read(new StateInput(Stored.value(serializer, new Shop.Fish(12))));
    assertThat(row[0]).isEqualTo("io.statesql.type.Shop$Fish");
    assertThat(row[5]).isInstanceOf(Binary.class);
    assertThat(Stored.comparable(codec.read(new StateInput(Stored.value(serializer, animal())))))
        .isEqualTo(Stored.row("io.statesql.type.Shop$Animal", 1_002L, 3, 4, "Rex", null, null));
  }
}
