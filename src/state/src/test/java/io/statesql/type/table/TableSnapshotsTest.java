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
package io.statesql.type.table;

import static io.statesql.type.Stored.row;
import static io.statesql.type.table.TableRows.TEXT;
import static io.statesql.type.table.TableRows.array;
import static io.statesql.type.table.TableRows.binary;
import static io.statesql.type.table.TableRows.decimal;
import static io.statesql.type.table.TableRows.each;
import static io.statesql.type.table.TableRows.map;
import static io.statesql.type.table.TableRows.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.statesql.type.Binary;
import io.statesql.type.Codec;
import io.statesql.type.MalformedValueException;
import io.statesql.type.Shop;
import io.statesql.type.SqlType;
import io.statesql.type.StateInput;
import io.statesql.type.StateOutput;
import io.statesql.type.Stored;
import io.statesql.type.UnwritableValueException;
import io.statesql.type.serializer.StoredSerializer;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.table.data.GenericMapData;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RawValueData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.data.binary.BinaryArrayData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.data.writer.BinaryRowWriter;
import org.apache.flink.table.dataview.NullSerializer;
import org.apache.flink.table.runtime.typeutils.BinaryRowDataSerializer;
import org.apache.flink.table.runtime.typeutils.InternalSerializers;
import org.apache.flink.table.runtime.typeutils.RowDataSerializer;
import org.apache.flink.table.types.logical.ArrayType;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.BooleanType;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.DoubleType;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.MapType;
import org.apache.flink.table.types.logical.RawType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.SmallIntType;
import org.apache.flink.table.types.logical.StructuredType;
import org.apache.flink.table.types.logical.TimestampType;
import org.apache.flink.types.RowKind;
import org.junit.jupiter.api.Test;

/** Rows of Flink SQL, which Flink's own serializers write. */
class TableSnapshotsTest {
  private static final RowDataSerializer SERIALIZER = new RowDataSerializer(each());

  @Test
  void readsShortValuesOfEachType() {
    Stored.check(
        SERIALIZER,
        binary(SERIALIZER, TableRows.shortValues()),
        row(
            true,
            (byte) -1,
            (short) -2,
            -3,
            -4L,
            -0.5f,
            -0.25,
            "abc",
            "Zürich",
            Binary.of(new byte[] {1, 2}),
            new BigDecimal("-12345678.90"),
            new BigDecimal("-1.5000000000"),
            -1,
            86_399_999,
            -1L,
            -1L,
            999_999,
            1L,
            0L,
            1_000,
            -14,
            -86_400_000L,
            row("Chur", 7, 5L, 6),
            Arrays.asList(Arrays.asList("a", null), null, List.of()),
            map("k", new BigDecimal("1.500"), "n", null),
            map("twice", 2),
            "raw",
            "+I"));
  }

  @Test
  void readsLongValues() {
    Codec codec = Stored.codec(SERIALIZER);
    BinaryRowData value = binary(SERIALIZER, TableRows.longValues());
    Object[] read = (Object[]) codec.read(new StateInput(Stored.value(SERIALIZER, value)));
    Stored.check(SERIALIZER, value, Stored.comparable(read));
    assertThat(read[8]).isEqualTo("a text that has to lie in an area of its own ä漢😀");
    assertThat(read[11]).isEqualTo(new BigDecimal("9999999999999999999999999999.9999999999"));
    assertThat(Stored.comparable(read[22]))
        .isEqualTo(row("a long name of a town", null, null, null));
    assertThat(read[23]).isEqualTo(List.of(List.of("a long text within an array", ""), List.of()));
  }

  @Test
  void readsNulls() {
    Object[] expected = new Object[Stored.fieldNames(Stored.codec(SERIALIZER).type()).size()];
    expected[expected.length - 1] = "+I";
    Stored.check(SERIALIZER, binary(SERIALIZER, TableRows.nulls()), row(expected));
  }

  /** Which is how rows of aggregates and keys come about. */
  @Test
  void readsNullsOfGeneratedRows() {
    LogicalType[] types = {new DecimalType(38, 10), new TimestampType(9), TEXT};
    RowDataSerializer serializer = new RowDataSerializer(types);
    byte[] bytes = Stored.value(serializer, generatedNulls("a text with an area"));
    Codec values = Stored.codec(serializer);
    assertThat(Stored.comparable(values.read(new StateInput(bytes))))
        .isEqualTo(row(null, null, null, "a text with an area", "+I"));
    Object[] replacement = new Object[5];
    replacement[3] = "a text with an area";
    assertThat(Stored.spliced(values, bytes, replacement, 3)).isEqualTo(bytes);

    Codec keys = values.ofKey();
    Object[] key = (Object[]) keys.read(new StateInput(bytes));
    assertThat(Stored.written(keys, key)).isEqualTo(bytes);
    assertThat(keys.keyHash().of(key)).isEqualTo(generatedNulls("a text with an area").hashCode());
  }

  private static BinaryRowData generatedNulls(String text) {
    BinaryRowData row = new BinaryRowData(3);
    BinaryRowWriter writer = new BinaryRowWriter(row);
    writer.reset();
    writer.writeDecimal(0, null, 38);
    writer.writeTimestamp(1, null, 9);
    writer.writeString(2, text(text));
    writer.complete();
    return row;
  }

  @Test
  void namesFieldsByTheirTypes() {
    StoredSerializer stored = Stored.serializer(new RowDataSerializer(TEXT, TableRows.PLACE));
    assertThat(stored.description())
        .isEqualTo("RowData<VARCHAR, ROW<town VARCHAR, number INTEGER, since TIMESTAMP(9)>>");
    assertThat(Stored.fieldNames(stored.codec().type())).containsExactly("f0", "f1", "row_kind");
    assertThat(Stored.fieldNames(((SqlType.Row) stored.codec().type()).fields().get(1).type()))
        .containsExactly("town", "number", "since", "since_nanos");
  }

  @Test
  void showsTheKindOfARow() {
    RowDataSerializer serializer = new RowDataSerializer(new IntType());
    for (RowKind kind : RowKind.values()) {
      BinaryRowData value = binary(serializer, GenericRowData.ofKind(kind, 5));
      Stored.check(serializer, value, row(5, kind.shortString()));
      Codec keys = Stored.codec(serializer).ofKey();
      StateInput in = new StateInput(Stored.value(serializer, value));
      if (kind == RowKind.INSERT) {
        assertThat(Stored.comparable(keys.read(in))).isEqualTo(row(5));
      } else {
        assertThatThrownBy(() -> keys.read(in))
            .isInstanceOf(MalformedValueException.class)
            .hasMessage(
                "a key is a row of the kind %s, which keys do not show", kind.shortString());
      }
    }
  }

  @Test
  void aRowWithoutFieldsIsAText() {
    RowDataSerializer serializer = new RowDataSerializer(new LogicalType[0]);
    Stored.check(serializer, binary(serializer, new GenericRowData(0)), "()");
  }

  @Test
  void readsRowsOfAnyWidth() {
    for (int arity = 1; arity < 140; arity += 7) {
      LogicalType[] types = new LogicalType[arity];
      Arrays.fill(types, new SmallIntType());
      RowDataSerializer serializer = new RowDataSerializer(types);
      GenericRowData value = new GenericRowData(arity);
      Object[] expected = new Object[arity + 1];
      for (int i = 0; i < arity; i++) {
        expected[i] = i % 3 == 1 ? null : (short) i;
        value.setField(i, expected[i]);
      }
      expected[arity] = "+I";
      Stored.check(serializer, binary(serializer, value), row(expected));
    }
  }

  @Test
  void readsArraysOfEachType() {
    Object[] elements = new Object[each().length];
    for (int i = 0; i < each().length; i++) {
      LogicalType type = each()[i];
      GenericRowData row = i % 2 == 0 ? TableRows.longValues() : TableRows.shortValues();
      elements[i] = row.getField(i);
      TypeSerializer<Object> serializer = InternalSerializers.create(new ArrayType(type));
      Codec codec = Stored.codec(serializer);
      byte[] bytes = Stored.value(serializer, array(elements[i], null, elements[i]));
      List<?> read = (List<?>) codec.read(new StateInput(bytes));
      assertThat(read).as("array of %s", type).hasSize(3);
      assertThat(read.get(0)).as("element of %s", type).isNotNull();
      assertThat(read.get(1)).isNull();
      assertThat(Stored.comparable(read.get(2))).isEqualTo(Stored.comparable(read.get(0)));
      if (codec.unwritable() == null) {
        assertThat(Stored.written(codec, read)).as("array of %s", type).isEqualTo(bytes);
      }
      Stored.assertConforms(codec.type(), read);
    }
  }

  @Test
  void readsArraysOfPrimitives() {
    checkArray(new IntType(), BinaryArrayData.fromPrimitiveArray(new int[] {1, 2, 3}), 1, 2, 3);
    checkArray(new BigIntType(), BinaryArrayData.fromPrimitiveArray(new long[] {7}), 7L);
    checkArray(new DoubleType(), BinaryArrayData.fromPrimitiveArray(new double[] {}));
    checkArray(new BooleanType(), BinaryArrayData.fromPrimitiveArray(new boolean[] {true}), true);
  }

  private static void checkArray(LogicalType element, BinaryArrayData array, Object... expected) {
    Stored.check(InternalSerializers.create(new ArrayType(element)), array, List.of(expected));
  }

  @Test
  void readsMapsAndLoneValues() {
    Stored.check(
        InternalSerializers.create(new MapType(new IntType(), TEXT)),
        new GenericMapData(map(1, text("one"), 2, null)),
        map(1, "one", 2, null));
    Stored.check(InternalSerializers.create(TEXT), text("Zürich"), "Zürich");
    Stored.check(
        InternalSerializers.create(new DecimalType(10, 2)),
        decimal("1.50", 10, 2),
        new BigDecimal("1.50"));
    Stored.check(
        InternalSerializers.create(new DecimalType(30, 2)),
        decimal("-1.50", 30, 2),
        new BigDecimal("-1.50"));
    Stored.check(
        InternalSerializers.create(new TimestampType(3)), TimestampData.fromEpochMillis(9), 9L);
    Stored.check(
        InternalSerializers.create(new TimestampType(6)),
        TimestampData.fromEpochMillis(9, 1_000),
        row(9L, 1_000));
  }

  /** The class of a structured type is named in the snapshot, and is not needed. */
  @Test
  void readsStructuredTypes() {
    LogicalType type =
        StructuredType.newBuilder(Shop.Address.class)
            .attributes(
                List.of(
                    new StructuredType.StructuredAttribute("street", TEXT),
                    new StructuredType.StructuredAttribute("number", new IntType())))
            .build();
    RowDataSerializer serializer = new RowDataSerializer(new IntType(), type);
    Stored.check(
        serializer,
        binary(serializer, GenericRowData.of(1, GenericRowData.of(text("Gasse"), 2))),
        row(1, row("Gasse", 2), "+I"));
  }

  /** The map of an aggregate of distinct values, and of one that takes values back. */
  @Test
  void showsWhatIsAStateOfItsOwnAsNull() {
    RawType<Object> view = new RawType<>(Object.class, NullSerializer.INSTANCE);
    RowType retracting =
        RowType.of(new LogicalType[] {new BigIntType(), view}, new String[] {"max", "map"});
    RowDataSerializer serializer = new RowDataSerializer(new BigIntType(), view, retracting);
    RawValueData<Object> unseen = RawValueData.fromObject("a map");
    BinaryRowData value =
        binary(serializer, GenericRowData.of(3L, unseen, GenericRowData.of(5L, unseen)));
    Stored.check(serializer, value, row(3L, null, row(5L, null), "+I"));

    Codec codec = Stored.codec(serializer);
    assertThat(codec.unwritable()).isNull();
    assertRefused(codec, row(3L, "x", null, "+I"), "is a state of its own");
  }

  @Test
  void aBinaryRowShowsAsBytes() {
    BinaryRowDataSerializer serializer = new BinaryRowDataSerializer(1);
    BinaryRowData value = binary(new RowDataSerializer(new IntType()), GenericRowData.of(5));
    StoredSerializer stored = Stored.serializer(serializer);
    assertThat(stored.codec().type())
        .isEqualTo(
            new SqlType.Opaque("The types of the 1 fields of a BinaryRowData are not stored"));
    assertThat(stored.codec().read(new StateInput(Stored.value(serializer, value))))
        .isEqualTo(Binary.of(Stored.value(serializer, value)));
  }

  /** What UPDATE writes is what Flink would have written. */
  @Test
  void replacesFieldsByShorterAndLongerOnes() {
    Codec codec = Stored.codec(SERIALIZER);
    RowData[] values = {TableRows.shortValues(), TableRows.longValues(), TableRows.nulls()};
    for (RowData from : values) {
      for (RowData to : values) {
        byte[] old = Stored.value(SERIALIZER, from);
        byte[] wanted = Stored.value(SERIALIZER, to);
        Object[] row = (Object[]) codec.read(new StateInput(wanted));
        StateOutput out = new StateOutput();
        BitSet all = new BitSet();
        all.set(0, row.length);
        codec.splice(new StateInput(old), row, all, out);
        assertThat(out.toByteArray()).isEqualTo(wanted);
        byte[] oneByOne = old;
        for (int field = 0; field < row.length; field++) {
          oneByOne = Stored.spliced(codec, oneByOne, row, field);
        }
        assertThat(oneByOne).isEqualTo(wanted);
      }
    }
  }

  @Test
  void refusesWhatATypeCannotHold() {
    Codec codec = Stored.codec(new RowDataSerializer(new DecimalType(4, 2), TEXT));
    for (String number : List.of("1.234", "123")) {
      assertRefused(
          codec, row(new BigDecimal(number), null, null), "does not fit into a DECIMAL(4, 2)");
    }
    assertRefused(codec, row(null, "\uD800", null), "half of a surrogate pair");
    assertRefused(codec, row(null, null, "+X"), "must be one of [+I, -U, +U, -D]");
    assertThat(Stored.written(codec, new Object[] {new BigDecimal("1.5"), null, null}))
        .isEqualTo(Stored.written(codec, new Object[] {new BigDecimal("1.50"), null, "+I"}));
  }

  private static void assertRefused(Codec codec, Stored.Row row, String reason) {
    assertThatThrownBy(() -> Stored.written(codec, row.fields().toArray()))
        .isInstanceOf(UnwritableValueException.class)
        .hasMessageContaining(reason);
  }

  @Test
  void refusesAreasOutsideOfTheRow() {
    RowDataSerializer serializer = new RowDataSerializer(TEXT);
    Codec codec = Stored.codec(serializer);
    byte[] bytes = Stored.value(serializer, GenericRowData.of(text("a text of some length")));
    int slot = Integer.BYTES + Long.BYTES;
    long begin = 16L << Integer.SIZE;
    long absurd = 1_000_000_000L;
    long[] areas = {begin | absurd, (absurd << Integer.SIZE) | 8, begin | 0xFFFFFFF0L};
    for (long area : areas) {
      byte[] hostile = bytes.clone();
      for (int i = 0; i < Long.BYTES; i++) {
        hostile[slot + i] = (byte) (area >>> (i * Byte.SIZE));
      }
      assertThatThrownBy(() -> codec.read(new StateInput(hostile)))
          .isInstanceOf(MalformedValueException.class)
          .hasMessageContaining("outside of a value");
    }
  }

  /** Each of many elements is the same long text: small as it is stored, huge if it were read. */
  @Test
  void refusesElementsThatShareAnArea() {
    TypeSerializer<Object> serializer = InternalSerializers.create(new ArrayType(TEXT));
    Object[] texts = new Object[1_000];
    Arrays.fill(texts, text(""));
    texts[0] = text("x".repeat(100_000));
    byte[] bytes = Stored.value(serializer, array(texts));
    int first = Integer.BYTES + Integer.BYTES + (1_000 + 31) / 32 * Integer.BYTES;
    for (int i = 1; i < texts.length; i++) {
      System.arraycopy(bytes, first, bytes, first + i * Long.BYTES, Long.BYTES);
    }
    assertThatThrownBy(() -> Stored.codec(serializer).read(new StateInput(bytes)))
        .isInstanceOf(MalformedValueException.class)
        .hasMessageContaining("overlap");
  }

  /** Parts that are references to one another: few bytes, and more types than could be made. */
  @Test
  void aTypeOfTooManyPartsShowsAsBytes() {
    LogicalType type = new IntType();
    for (int i = 0; i < 30; i++) {
      type = RowType.of(type, type);
    }
    TypeSerializer<?>[] fields = {InternalSerializers.create(TEXT)};
    StoredSerializer stored =
        Stored.serializer(new RowDataSerializer(new LogicalType[] {type}, fields));
    assertThat(stored.codec().type())
        .isEqualTo(
            new SqlType.Opaque(
                "A type of Flink SQL in the snapshot is nested too deep, or has too many parts"));
  }
}
