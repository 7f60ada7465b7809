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
package io.statesql.type.avro;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import io.statesql.type.Binary;
import io.statesql.type.Codec;
import io.statesql.type.MalformedValueException;
import io.statesql.type.SqlType;
import io.statesql.type.StateInput;
import io.statesql.type.Stored;
import io.statesql.type.registry.StoredSerializers;
import io.statesql.type.serializer.StoredSerializer;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.formats.avro.typeutils.AvroSerializer;
import org.apache.flink.types.StringValue;
import org.junit.jupiter.api.Test;

class AvroSnapshotsTest {
  private static final String ORDER =
      """
      {"type": "record", "name": "Order", "namespace": "com.shop", "fields": [
        {"name": "ok", "type": "boolean"},
        {"name": "n", "type": "int"},
        {"name": "id", "type": "long"},
        {"name": "ratio", "type": "float"},
        {"name": "price", "type": "double"},
        {"name": "text", "type": "string"},
        {"name": "raw", "type": "bytes"},
        {"name": "nothing", "type": "null"},
        {"name": "hash", "type": {"type": "fixed", "name": "Hash", "size": 3}},
        {"name": "level", "type": {"type": "enum", "name": "Level", "symbols": ["LOW", "HIGH"]}},
        {"name": "note", "type": ["null", "string"]},
        {"name": "old", "type": ["int", "null"]},
        {"name": "any", "type": ["null", "int", "string", "Level"]},
        {"name": "where", "type": {"type": "record", "name": "Address", "fields": [
          {"name": "street", "type": "string"}, {"name": "number", "type": "int"}]}},
        {"name": "others", "type": {"type": "array", "items": ["null", "Address"]}},
        {"name": "tags", "type": {"type": "map", "values": {"type": "array", "items": "long"}}}]}
      """;

  private static final String TIMES =
      """
      {"type": "record", "name": "Times", "fields": [
        {"name": "day", "type": {"type": "int", "logicalType": "date"}},
        {"name": "time", "type": {"type": "int", "logicalType": "time-millis"}},
        {"name": "fine", "type": {"type": "long", "logicalType": "time-micros"}},
        {"name": "at", "type": {"type": "long", "logicalType": "timestamp-millis"}},
        {"name": "micros", "type": {"type": "long", "logicalType": "timestamp-micros"}},
        {"name": "nanos", "type": {"type": "long", "logicalType": "timestamp-nanos"}},
        {"name": "local", "type": {"type": "long", "logicalType": "local-timestamp-millis"}},
        {"name": "localMicros", "type": {"type": "long", "logicalType": "local-timestamp-micros"}},
        {"name": "localNanos", "type": {"type": "long", "logicalType": "local-timestamp-nanos"}},
        {"name": "maybe", "type": ["null", {"type": "long", "logicalType": "timestamp-micros"}]},
        {"name": "many", "type": {"type": "array",
          "items": {"type": "long", "logicalType": "timestamp-nanos"}}},
        {"name": "uuid", "type": {"type": "string", "logicalType": "uuid"}},
        {"name": "wrong", "type": {"type": "string", "logicalType": "date"}},
        {"name": "own", "type": {"type": "long", "logicalType": "com.shop.own"}}]}
      """;

  private static final String NODE =
      """
      {"type": "record", "name": "Node", "fields": [
        {"name": "value", "type": "int"},
        {"name": "next", "type": ["null", "Node"]},
        {"name": "day", "type": {"type": "int", "logicalType": "date"}}]}
      """;

  private final Random random = new Random(11);

  private static Schema schema(String text) {
    return new Schema.Parser().parse(text);
  }

  private static AvroSerializer<GenericRecord> generic(Schema schema) {
    return new AvroSerializer<>(GenericRecord.class, schema);
  }

  private static GenericRecord record(Schema schema, Object... values) {
    GenericRecord record = new GenericData.Record(schema);
    for (int i = 0; i < values.length; i++) {
      record.put(i, values[i]);
    }
    return record;
  }

  @Test
  void readsEveryTypeOfAGenericRecord() {
    Schema schema = schema(ORDER);
    AvroSerializer<GenericRecord> serializer = generic(schema);
    for (int i = 0; i < 30; i++) {
      List<Object> expected = new ArrayList<>();
      Stored.check(serializer, randomOrder(schema, expected), Stored.row(expected.toArray()));
    }
    SqlType.Row type = (SqlType.Row) Stored.codec(serializer).type();
    assertThat(type.fields().get(10)).isEqualTo(new SqlType.Field("note", SqlType.Scalar.VARCHAR));
    assertThat(type.fields().get(11)).isEqualTo(new SqlType.Field("old", SqlType.Scalar.INTEGER));
    assertThat(Stored.fieldNames(type.fields().get(12).type()))
        .containsExactly("branch", "int", "string", "Level");
    assertThat(Stored.serializer(serializer).description()).isEqualTo("Avro<com.shop.Order>");
  }

  private GenericRecord randomOrder(Schema schema, List<Object> expected) {
    GenericRecord order = new GenericData.Record(schema);
    put(order, expected, random.nextBoolean());
    put(order, expected, random.nextInt());
    put(order, expected, random.nextLong());
    put(order, expected, random.nextFloat());
    put(order, expected, random.nextInt(9) == 0 ? Double.NaN : random.nextGaussian());
    put(order, expected, "grün €" + random.nextInt());
    byte[] raw = new byte[random.nextInt(5)];
    random.nextBytes(raw);
    put(order, expected, ByteBuffer.wrap(raw), Binary.of(raw));
    put(order, expected, null);
    byte[] hash = new byte[3];
    random.nextBytes(hash);
    Schema hashSchema = schema.getField("hash").schema();
    put(order, expected, new GenericData.Fixed(hashSchema, hash), Binary.of(hash));
    Schema level = schema.getField("level").schema();
    put(order, expected, new GenericData.EnumSymbol(level, "HIGH"), "HIGH");
    put(order, expected, random.nextBoolean() ? null : "n");
    put(order, expected, random.nextBoolean() ? null : 3);
    switch (random.nextInt(4)) {
      case 0 -> put(order, expected, null);
      case 1 -> put(order, expected, 8, Stored.row("int", 8, null, null));
      case 2 -> put(order, expected, "s", Stored.row("string", null, "s", null));
      default ->
          put(
              order,
              expected,
              new GenericData.EnumSymbol(level, "LOW"),
              Stored.row("Level", null, null, "LOW"));
    }
    GenericRecord address = record(schema.getField("where").schema(), "Street", 5);
    put(order, expected, address, Stored.row("Street", 5));
    boolean empty = random.nextBoolean();
    put(
        order,
        expected,
        empty ? List.of() : Arrays.asList(null, address),
        empty ? List.of() : Arrays.asList(null, Stored.row("Street", 5)));
    Map<Object, Object> tags = new LinkedHashMap<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      // More than 127, so that the count takes two bytes.
      tags.put("k" + i, random.longs(random.nextInt(160)).boxed().toList());
    }
    put(order, expected, tags);
    return order;
  }

  private static void put(GenericRecord record, List<Object> expected, Object value) {
    put(record, expected, value, value);
  }

  private static void put(
      GenericRecord record, List<Object> expected, Object value, Object expectedValue) {
    record.put(expected.size(), value);
    expected.add(expectedValue);
  }

  @Test
  void readsTheExampleOfTheFormat() {
    Schema schema =
        schema(
            """
            {"type": "record", "name": "R", "fields": [
              {"name": "i", "type": "int"}, {"name": "u", "type": ["null", "string"]},
              {"name": "a", "type": {"type": "array", "items": "long"}},
              {"name": "m", "type": {"type": "map", "values": "int"}}]}
            """);
    byte[] bytes = {0, 0, 0, 5, 0, 0, 0, 1, 0, 0, 0, 2, 'h', 'i', 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0};
    GenericRecord record = record(schema, 5, "hi", List.of(1L), Map.of());
    assertThat(Stored.value(generic(schema), record)).isEqualTo(bytes);
    Stored.check(generic(schema), record, Stored.row(5, "hi", List.of(1L), Map.of()));
    // Several blocks, which Flink reads but does not write.
    byte[] blocks = {0, 0, 0, 5, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 2};
    byte[] more = Arrays.copyOf(blocks, blocks.length + 18);
    Object read = Stored.codec(generic(schema)).read(new StateInput(more));
    assertThat(Stored.comparable(read))
        .isEqualTo(Stored.row(5, null, List.of(1L, 0L, 0L), Map.of()));
  }

  @Test
  void readsSpecificRecords() {
    AvroSerializer<AvroTrade> serializer = new AvroSerializer<>(AvroTrade.class);
    LocalDate day = LocalDate.of(1960, 2, 29);
    Instant at = Instant.parse("1969-12-31T23:59:59.999999Z");
    BigDecimal price = new BigDecimal("-12345.60");
    Stored.check(
        serializer,
        new AvroTrade(7, "ABC", day, at, price),
        Stored.row(7L, "ABC", (int) day.toEpochDay(), -1L, 999_000, price));
    Stored.check(
        serializer,
        new AvroTrade(8, null, LocalDate.EPOCH, Instant.EPOCH, new BigDecimal("0.00")),
        Stored.row(8L, null, 0, 0L, 0, new BigDecimal("0.00")));
    SqlType.Row type = (SqlType.Row) Stored.codec(serializer).type();
    assertThat(Stored.fieldNames(type))
        .containsExactly("id", "symbol", "day", "at", "at_nanos", "price");
    assertThat(type.fields().get(5).type()).isEqualTo(new SqlType.Decimal(10, 2));
    assertThat(Stored.serializer(serializer).description())
        .isEqualTo("Avro<io.statesql.type.avro.AvroTrade>");
  }

  @Test
  void readsLogicalTypes() {
    Schema schema = schema(TIMES);
    GenericRecord record =
        record(
            schema,
            -719_528,
            86_399_999,
            86_399_999_999L,
            Long.MIN_VALUE,
            -1L,
            -1L,
            253_402_300_800_000L,
            1_000_001L,
            1_000_001L,
            5L,
            List.of(-1_000_001L),
            "c0ffee00-0000-4000-8000-000000000000",
            "text",
            9L);
    Stored.check(
        generic(schema),
        record,
        Stored.row(
            -719_528,
            86_399_999,
            86_399_999,
            999_000,
            Long.MIN_VALUE,
            -1L,
            999_000,
            -1L,
            999_999,
            253_402_300_800_000L,
            1_000L,
            1_000,
            1L,
            1,
            0L,
            5_000,
            List.of(Stored.row(-2L, 999_999)),
            "c0ffee00-0000-4000-8000-000000000000",
            "text",
            9L));
    for (Object[] wrong : new Object[][] {{1, 86_400_000}, {1, -1}, {2, 86_400_000_000L}}) {
      GenericRecord overflowing = GenericData.get().deepCopy(schema, record);
      overflowing.put((int) wrong[0], wrong[1]);
      assertFails(schema, overflowing, ErrorCode.DATETIME_OVERFLOW);
    }
  }

  @Test
  void readsDecimalsOfBytesAndFixed() {
    Schema schema =
        schema(
            """
            {"type": "record", "name": "Money", "fields": [
              {"name": "b", "type":
                {"type": "bytes", "logicalType": "decimal", "precision": 4, "scale": 2}},
              {"name": "f", "type": {"type": "fixed", "name": "F", "size": 9,
                "logicalType": "decimal", "precision": 20, "scale": 0}},
              {"name": "invalid", "type":
                {"type": "bytes", "logicalType": "decimal", "precision": 2, "scale": 3}}]}
            """);
    byte[] fixed = new byte[9];
    Arrays.fill(fixed, (byte) -1);
    GenericRecord record =
        record(
            schema,
            unscaled(-9_999),
            new GenericData.Fixed(schema.getField("f").schema(), fixed),
            unscaled(1));
    Stored.check(
        generic(schema),
        record,
        Stored.row(new BigDecimal("-99.99"), new BigDecimal(-1), Binary.of(new byte[] {1})));
    record.put(0, unscaled(10_000));
    assertFails(schema, record, ErrorCode.NUMERIC_OVERFLOW);
    record.put(0, ByteBuffer.allocate(0));
    assertThatThrownBy(() -> Stored.read(generic(schema), record))
        .isInstanceOf(MalformedValueException.class);
  }

  private static ByteBuffer unscaled(long value) {
    return ByteBuffer.wrap(BigInteger.valueOf(value).toByteArray());
  }

  private static void assertFails(Schema schema, GenericRecord record, ErrorCode code) {
    TypeSerializer<GenericRecord> serializer = generic(schema);
    StateInput in = new StateInput(Stored.value(serializer, record));
    Codec codec = Stored.codec(serializer);
    assertThatThrownBy(() -> codec.read(in))
        .isInstanceOfSatisfying(StateSqlException.class, e -> assertThat(e.code()).isEqualTo(code))
        .hasMessageContaining("out of the select list");
    in.position(0);
    codec.skip(in);
    in.requireEnd();
  }

  @Test
  void tellsBranchesOfTheSameNameByTheirNamespaces() {
    Schema schema =
        schema(
            """
            {"type": "record", "name": "R", "fields": [{"name": "u", "type": [
              {"type": "enum", "name": "E", "namespace": "a", "symbols": ["X"]},
              {"type": "enum", "name": "E", "namespace": "b", "symbols": ["X"]}]}]}
            """);
    Schema second = schema.getFields().get(0).schema().getTypes().get(1);
    Stored.check(
        generic(schema),
        record(schema, new GenericData.EnumSymbol(second, "X")),
        Stored.row(Stored.row("b.E", null, "X")));
    SqlType union = ((SqlType.Row) Stored.codec(generic(schema)).type()).fields().get(0).type();
    assertThat(Stored.fieldNames(union)).containsExactly("branch", "a.E", "b.E");
  }

  @Test
  void showsARecordWithinItselfAsJson() {
    Schema schema = schema(NODE);
    GenericRecord last = record(schema, 3, null, -1);
    GenericRecord middle = record(schema, 2, last, 0);
    Stored.check(
        generic(schema),
        record(schema, 1, middle, 1),
        Stored.row(
            1,
            "{\"value\":2,\"next\":{\"value\":3,\"next\":null,\"day\":\"1969-12-31\"}"
                + ",\"day\":\"1970-01-01\"}",
            1));
    Stored.check(generic(schema), last, Stored.row(3, null, -1));
  }

  @Test
  void refusesARecordWithinItselfThatIsTooDeep() throws IOException {
    Codec codec = Stored.codec(generic(schema(NODE)));
    int levelsOfANode = 2;
    byte[] deep = nodes(AvroJsonCodec.MAX_NESTING / levelsOfANode);
    StateInput in = new StateInput(deep);
    assertThat((String) ((Object[]) codec.read(in))[1]).startsWith("{\"value\":1,\"next\":{");
    in.requireEnd();
    // Deeper than the stack, if nobody counted.
    byte[] tooDeep = nodes(1_000_000);
    assertThatThrownBy(() -> codec.read(new StateInput(tooDeep)))
        .isInstanceOf(StateSqlException.class)
        .hasMessageContaining("nested deeper");
    assertThatThrownBy(() -> codec.skip(new StateInput(tooDeep)))
        .isInstanceOf(StateSqlException.class);
  }

  /** So many nodes within each other, as Flink would write them if its stack allowed. */
  private static byte[] nodes(int count) throws IOException {
    DataOutputSerializer out = new DataOutputSerializer(64);
    for (int i = 0; i < count; i++) {
      out.writeInt(i);
      out.writeInt(i < count - 1 ? 1 : 0);
    }
    for (int i = 0; i < count; i++) {
      out.writeInt(0);
    }
    return out.getCopyOfBuffer();
  }

  @Test
  void writesEveryTypeAsJson() {
    String first = "{\"name\": \"ok\"";
    String self = "{\"name\": \"self\", \"type\": [\"null\", \"Order\"]},";
    Schema schema = schema(ORDER.replace(first, self + first));
    GenericRecord inner = orderOf(schema, null);
    Object[] read =
        (Object[])
            Stored.codec(generic(schema))
                .read(new StateInput(Stored.value(generic(schema), orderOf(schema, inner))));
    assertThat(read[0])
        .isEqualTo(
            "{\"self\":null,\"ok\":true,\"n\":1,\"id\":2,\"ratio\":0.5,\"price\":\"NaN\","
                + "\"text\":\"\\\"\",\"raw\":\"AQI=\",\"nothing\":null,\"hash\":\"AAAA\","
                + "\"level\":\"LOW\",\"note\":\"n\",\"old\":null,\"any\":{\"int\":4},"
                + "\"where\":{\"street\":\"s\",\"number\":1},\"others\":[null],"
                + "\"tags\":{\"k\":[1,2]}}");
  }

  private static GenericRecord orderOf(Schema schema, GenericRecord self) {
    return record(
        schema,
        self,
        true,
        1,
        2L,
        0.5f,
        Double.NaN,
        "\"",
        ByteBuffer.wrap(new byte[] {1, 2}),
        null,
        new GenericData.Fixed(schema.getField("hash").schema(), new byte[3]),
        new GenericData.EnumSymbol(schema.getField("level").schema(), "LOW"),
        "n",
        null,
        4,
        record(schema.getField("where").schema(), "s", 1),
        Arrays.asList((Object) null),
        Map.of("k", List.of(1L, 2L)));
  }

  @Test
  void readsSchemasBeyond64KCharacters() {
    StringBuilder fields = new StringBuilder();
    for (int i = 0; i < 3_000; i++) {
      fields.append(i == 0 ? "" : ",").append("{\"name\": \"field_" + i + "\", \"type\": \"int\"}");
    }
    Schema schema = schema("{\"type\": \"record\", \"name\": \"R\", \"fields\": [" + fields + "]}");
    assertThat(schema.toString().length()).isGreaterThan(1 << 16);
    Object[] values = new Object[3_000];
    Arrays.setAll(values, i -> i);
    assertThat(Stored.read(generic(schema), record(schema, values))).isEqualTo(Stored.row(values));
  }

  @Test
  void readsTheSnapshotsOfEveryVersion() throws IOException {
    Schema schema = schema(ORDER);
    for (int version = 1; version <= 3; version++) {
      StateInput in = new StateInput(snapshot(version, schema.toString()));
      StoredSerializer stored = StoredSerializers.read(in, Stored.FLINK_2);
      in.requireEnd();
      assertThat(stored.description()).isEqualTo("Avro<com.shop.Order>");
      assertThat(stored.codec().type()).isEqualTo(Stored.codec(generic(schema)).type());
    }
    for (int version : new int[] {-1, 0, 4}) {
      byte[] unknown = snapshot(version, schema.toString());
      assertThatThrownBy(() -> StoredSerializers.read(new StateInput(unknown), Stored.FLINK_2))
          .isInstanceOf(MalformedValueException.class);
    }
  }

  private static byte[] snapshot(int version, String schema) throws IOException {
    DataOutputSerializer out = new DataOutputSerializer(256);
    out.writeUTF("org.apache.flink.formats.avro.typeutils.AvroSerializerSnapshot");
    out.writeInt(version);
    if (version == 3) {
      StringValue.writeString("com.shop.Order", out);
      StringValue.writeString(schema, out);
    } else {
      if (version == 2) {
        out.writeUTF("com.shop.Order");
      }
      out.writeUTF(schema);
    }
    return out.getCopyOfBuffer();
  }

  @Test
  void refusesTextsThatAreNoSchema() {
    String deep = "{\"type\":\"array\",\"items\":".repeat(2_000) + "\"int\"" + "}".repeat(2_000);
    String[] wrong = {
      "",
      "{",
      "{schema}",
      "null",
      "[1]",
      "\"com.shop.Order\"",
      "{\"type\":\"fixed\",\"name\":\"F\",\"size\":-1}",
      "{\"type\":\"fixed\",\"name\":\"F\",\"size\":\"x\"}",
      "{\"type\":\"record\",\"name\":\"R\"}",
      "{\"type\":\"record\",\"fields\":{}}",
      "[".repeat(100_000),
      deep
    };
    for (String text : wrong) {
      assertThatThrownBy(() -> AvroSchemas.parse(text, 5))
          .as(text.substring(0, Math.min(60, text.length())))
          .isInstanceOf(MalformedValueException.class);
    }
  }

  @Test
  void boundsSchemasThatGrowWhenTheyAreUnfolded() {
    StringBuilder union = new StringBuilder("[");
    for (int i = 0; i < 60; i++) {
      String inner = i == 0 ? "\"int\"" : "\"R" + (i - 1) + "\"";
      union.append(
          "{\"type\":\"record\",\"name\":\"R%d\",\"fields\":[".formatted(i)
              + "{\"name\":\"a\",\"type\":%1$s},{\"name\":\"b\",\"type\":%1$s}]},"
                  .formatted(inner));
    }
    Schema root = AvroSchemas.parse(union + "\"null\"]", 0).getTypes().get(59);
    Codec codec = AvroCodecs.of(root);
    assertThat(codec.type()).isInstanceOf(SqlType.Row.class);
    assertThatThrownBy(() -> codec.read(new StateInput(new byte[1 << 16])))
        .isInstanceOf(MalformedValueException.class);
  }

  @Test
  void allocatesNothingByAStoredCount() {
    Codec nulls = AvroCodecs.of(schema("{\"type\": \"array\", \"items\": \"null\"}"));
    StateInput in = new StateInput(new byte[] {-1, -1, -1, -1, 7, 0});
    assertThat((List<?>) nulls.read(in)).hasSize(Integer.MAX_VALUE).first().isNull();
    in.requireEnd();
    in.position(0);
    nulls.skip(in);
    in.requireEnd();
    Codec ints = AvroCodecs.of(schema("{\"type\": \"array\", \"items\": \"int\"}"));
    byte[][] wrong = {
      {-1, -1, -1, -1, 7, 0, 0, 0, 1, 0},
      {-1, -1, -1, -1, 8, 0},
      {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 0}
    };
    for (byte[] bytes : wrong) {
      assertThatThrownBy(() -> ints.read(new StateInput(bytes)))
          .isInstanceOf(MalformedValueException.class);
      assertThatThrownBy(() -> ints.skip(new StateInput(bytes)))
          .isInstanceOf(MalformedValueException.class);
    }
  }

  @Test
  void refusesBrokenBytesWithoutHarm() {
    for (Schema schema : List.of(schema(ORDER), schema(NODE))) {
      GenericRecord record =
          schema.getName().equals("Node")
              ? record(schema, 1, record(schema, 2, null, 3), 4)
              : randomOrder(schema, new ArrayList<>());
      byte[] sound = Stored.value(generic(schema), record);
      Codec codec = Stored.codec(generic(schema));
      for (int i = 0; i < 5_000; i++) {
        byte[] broken = sound.clone();
        broken[random.nextInt(broken.length)] = (byte) random.nextInt();
        StateInput in = new StateInput(broken);
        try {
          Stored.assertConforms(codec.type(), codec.read(in));
          int end = in.position();
          in.position(0);
          codec.skip(in);
          assertThat(in.position()).isEqualTo(end);
        } catch (MalformedValueException e) {
          assertThat(e.offset()).isBetween(0L, (long) broken.length);
        }
      }
    }
  }
}
