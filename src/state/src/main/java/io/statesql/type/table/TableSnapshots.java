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

import io.statesql.type.BasicCodecs;
import io.statesql.type.Codec;
import io.statesql.type.DateTimeValues;
import io.statesql.type.FixedCodec;
import io.statesql.type.NullFlag;
import io.statesql.type.OpaqueCodec;
import io.statesql.type.SqlType;
import io.statesql.type.StateInput;
import io.statesql.type.StateOutput;
import io.statesql.type.UnwritableValueException;
import io.statesql.type.ValueWriter;
import io.statesql.type.VariableCodec;
import io.statesql.type.avro.AvroInput;
import io.statesql.type.avro.AvroOutput;
import io.statesql.type.composite.GlobalWindowCodec;
import io.statesql.type.composite.ListCodec;
import io.statesql.type.composite.MapCodec;
import io.statesql.type.composite.MaskedListCodec;
import io.statesql.type.composite.TimeWindowCodec;
import io.statesql.type.composite.TimerCodec;
import io.statesql.type.serializer.SnapshotParser;
import io.statesql.type.serializer.SnapshotReader;
import io.statesql.type.serializer.StoredSerializer;
import io.statesql.type.table.LogicalType.Field;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.flink.util.MathUtils;

/**
 * Rows of Flink SQL and the Table API, and what they are made of: flink-table-runtime 2.3.
 *
 * <p>Fields of a stored row are {@code f0}, {@code f1} and so on: the snapshot has their types
 * alone. Rows within it have the names of their type.
 */
public final class TableSnapshots {
  /** Stands for the list or map of an accumulator that is a state of its own. */
  static final String DATA_VIEW_SERIALIZER = "org.apache.flink.table.dataview.NullSerializer";

  private static final String TYPEUTILS = "org.apache.flink.table.runtime.typeutils.";
  private static final String VIEWS = "org.apache.flink.table.dataview.";
  private static final String OPERATORS = "org.apache.flink.table.runtime.operators.";
  private static final int ROW_VERSION = 3;
  private static final int ARRAY_VERSION = 3;
  private static final int DECIMAL_VERSION = 3;
  private static final int TIMESTAMP_VERSION = 1;
  private static final int SORTED_MAP_VERSION = 3;
  private static final int LINKED_LIST_VERSION = 3;
  private static final int FIRST_MASKED_LIST = 2;
  private static final int SHORTEST_OBJECT = Integer.BYTES + 1;

  private TableSnapshots() {}

  public static void register(Map<String, SnapshotParser> parsers) {
    typeutils(parsers, "RowDataSerializer$RowData", TableSnapshots::parseRow);
    typeutils(parsers, "BinaryRowDataSerializer$BinaryRowData", TableSnapshots::parseBinaryRow);
    typeutils(parsers, "ArrayDataSerializer$ArrayData", TableSnapshots::parseArray);
    typeutils(parsers, "MapDataSerializer$MapData", TableSnapshots::parseMap);
    typeutils(parsers, "RawValueDataSerializer$RawValueData", TableSnapshots::parseRaw);
    typeutils(parsers, "DecimalDataSerializer$Decimal", TableSnapshots::parseDecimal);
    typeutils(parsers, "TimestampDataSerializer$TimestampData", TableSnapshots::parseTimestamp);
    typeutils(parsers, "ExternalSerializer$External", TableSnapshots::parseExternal);
    typeutils(parsers, "SortedMap", TableSnapshots::parseSortedMap);
    typeutils(parsers, "LinkedListSerializer$LinkedList", TableSnapshots::parseLinkedList);
    typeutils(
        parsers, "StringDataSerializer$StringData", SnapshotParser.simple("StringData", text()));
    parsers.put(VIEWS + "ListViewSerializerSnapshot", TableSnapshots::parseView);
    parsers.put(VIEWS + "MapViewSerializerSnapshot", TableSnapshots::parseView);
    parsers.put(
        DATA_VIEW_SERIALIZER + "$NullSerializerSnapshot",
        SnapshotParser.simple("DataView", BasicCodecs.VOID));
    parsers.put(
        OPERATORS + "window.TimeWindow$Serializer$TimeWindowSerializerSnapshot",
        SnapshotParser.simple("TimeWindow", TimeWindowCodec.INSTANCE));
    parsers.put(
        OPERATORS + "window.CountWindow$Serializer$CountWindowSerializerSnapshot",
        SnapshotParser.simple(
            "CountWindow",
            BasicCodecs.LONG.hashedBy(value -> MathUtils.longToIntWithBitMixing((long) value))));
    parsers.put(
        OPERATORS + "window.GlobalWindow$Serializer$GlobalWindowSerializerSnapshot",
        SnapshotParser.simple("GlobalWindow", GlobalWindowCodec.INSTANCE));
    parsers.put(
        OPERATORS + "sink.SortedLongSerializer$SortedLongSerializerSnapshot",
        SnapshotParser.simple("SortedLong", TimerCodec.FLIPPED_LONG));
  }

  private static void typeutils(
      Map<String, SnapshotParser> parsers, String name, SnapshotParser parser) {
    parsers.put(TYPEUTILS + name + "SerializerSnapshot", parser);
  }

  private static StoredSerializer parseRow(SnapshotReader reader, int version) {
    requireExactly(reader, version, ROW_VERSION);
    int count = reader.in().readCount(SHORTEST_OBJECT);
    List<Field> fields = new ArrayList<>(count);
    StringBuilder unknown = new StringBuilder();
    for (int i = 0; i < count; i++) {
      try {
        fields.add(new Field("f" + i, LogicalTypeReader.read(reader.in())));
      } catch (UnknownLogicalTypeException e) {
        unknown.append(unknown.isEmpty() ? e.getMessage() : "");
      }
    }
    List<StoredSerializer> serializers = reader.readNested(count);
    if (!unknown.isEmpty()) {
      return opaque("RowData", unknown.toString());
    }
    return new StoredSerializer(
        fields.stream()
            .map(field -> field.type().text())
            .collect(Collectors.joining(", ", "RowData<", ">")),
        new RowDataCodec(BinaryForms.row(fields, serializers)));
  }

  /** The snapshot holds no more than the number of fields. */
  private static StoredSerializer parseBinaryRow(SnapshotReader reader, int version) {
    requireExactly(reader, version, ROW_VERSION);
    int count = reader.in().readInt();
    return opaque(
        "BinaryRowData", "The types of the " + count + " fields of a BinaryRowData are not stored");
  }

  private static StoredSerializer parseArray(SnapshotReader reader, int version) {
    requireExactly(reader, version, ARRAY_VERSION);
    LogicalType element;
    try {
      element = LogicalTypeReader.read(reader.in());
    } catch (UnknownLogicalTypeException e) {
      LogicalTypeReader.skipObject(reader.in());
      return opaque("ArrayData", e.getMessage());
    }
    LogicalTypeReader.skipObject(reader.in());
    LogicalType type =
        new LogicalType(LogicalType.Root.ARRAY, 0, 0, List.of(new Field("", element)));
    return new StoredSerializer(
        "ArrayData<" + element.text() + ">", new BinaryCodec(BinaryForms.array(type)));
  }

  private static StoredSerializer parseMap(SnapshotReader reader, int version) {
    requireExactly(reader, version, ARRAY_VERSION);
    List<Field> parts = new ArrayList<>();
    String unknown = null;
    for (int i = 0; i < 2; i++) {
      try {
        parts.add(new Field("", LogicalTypeReader.read(reader.in())));
      } catch (UnknownLogicalTypeException e) {
        unknown = e.getMessage();
      }
    }
    LogicalTypeReader.skipObject(reader.in());
    LogicalTypeReader.skipObject(reader.in());
    if (unknown != null) {
      return opaque("MapData", unknown);
    }
    LogicalType type = new LogicalType(LogicalType.Root.MAP, 0, 0, parts);
    return new StoredSerializer(
        "MapData<" + parts.get(0).type().text() + ", " + parts.get(1).type().text() + ">",
        new BinaryCodec(BinaryForms.map(type)));
  }

  private static StoredSerializer parseRaw(SnapshotReader reader, int version) {
    reader.readOuterVersion(version, 0);
    StoredSerializer value = reader.readNested(1).get(0);
    return new StoredSerializer(
        "RawValueData<" + value.description() + ">", new BinaryCodec(new BinaryRaw(value.codec())));
  }

  private static StoredSerializer parseDecimal(SnapshotReader reader, int version) {
    requireExactly(reader, version, DECIMAL_VERSION);
    int precision = reader.in().readInt();
    int scale = reader.in().readInt();
    if (!LogicalTypeReader.isDecimal(precision, scale)) {
      throw reader.in().malformed("there is no DECIMAL(%d, %d)", precision, scale);
    }
    return new StoredSerializer(
        "DecimalData(" + precision + ", " + scale + ")", decimal(precision, scale));
  }

  private static Codec decimal(int precision, int scale) {
    boolean isCompact = BinaryForms.isCompactDecimal(precision);
    return new VariableCodec(
        new SqlType.Decimal(precision, scale),
        isCompact ? Long.BYTES : Integer.BYTES + 1,
        in ->
            isCompact
                ? BigDecimal.valueOf(in.readLong(), scale)
                : new BigDecimal(new BigInteger(in.readBytes(decimalLength(in))), scale),
        in -> in.skip(isCompact ? Long.BYTES : decimalLength(in)),
        ValueWriter.of(
            BigDecimal.class,
            (value, out) -> {
              BigInteger unscaled = BinaryDecimalForm.unscaled(value, precision, scale);
              if (isCompact) {
                out.writeLong(unscaled.longValueExact());
              } else {
                byte[] bytes = unscaled.toByteArray();
                out.writeInt(bytes.length);
                out.writeBytes(bytes);
              }
            }));
  }

  private static int decimalLength(StateInput in) {
    int length = in.readCount(1);
    if (length == 0 || length > BinaryDecimalForm.AREA) {
      throw in.malformed("a decimal cannot take %d bytes", length);
    }
    return length;
  }

  private static StoredSerializer parseTimestamp(SnapshotReader reader, int version) {
    requireExactly(reader, version, TIMESTAMP_VERSION);
    int precision = reader.in().readInt();
    return new StoredSerializer(
        "TimestampData(" + precision + ")",
        BinaryForms.isCompactTimestamp(precision)
            ? new FixedCodec(
                SqlType.Scalar.TIMESTAMP,
                Long.BYTES,
                StateInput::readLong,
                ValueWriter.of(Long.class, (value, out) -> out.writeLong(value)))
            : new FixedCodec(
                DateTimeValues.NANO_TIMESTAMP,
                Long.BYTES + Integer.BYTES,
                TableSnapshots::readNanoTimestamp,
                DateTimeValues.writer(
                    TableSnapshots::refuseNull,
                    (value, out) -> {
                      out.writeLong((long) value[0]);
                      out.writeInt(DateTimeValues.nanos(value));
                    })));
  }

  private static Object readNanoTimestamp(StateInput in) {
    long millis = in.readLong();
    int nanos = in.readInt();
    if (nanos < 0 || nanos >= DateTimeValues.NANOS_PER_MILLI) {
      throw in.malformed("%d is not a number of nanoseconds within a millisecond", nanos);
    }
    return new Object[] {millis, nanos};
  }

  private static void refuseNull(StateOutput out) {
    throw new UnwritableValueException("it is NULL, for which its stored type has no form");
  }

  /** {@code StringDataSerializer}: four bytes of length and UTF-8, as in Flink's form of Avro. */
  private static Codec text() {
    return new VariableCodec(
        SqlType.Scalar.VARCHAR,
        Integer.BYTES,
        AvroInput::readText,
        AvroInput::skipText,
        ValueWriter.of(String.class, AvroOutput::writeText));
  }

  /** The list or map of a data view that is not a state of its own. */
  private static StoredSerializer parseView(SnapshotReader reader, int version) {
    reader.readOuterVersion(version, 1);
    return reader.readNested(1).get(0);
  }

  /** Objects of the job that are stored in the form of Flink SQL. */
  private static StoredSerializer parseExternal(SnapshotReader reader, int version) {
    reader.readOuterVersion(version, 1);
    LogicalTypeReader.skipObject(reader.in());
    reader.in().readBoolean();
    return reader.readNested(1).get(0);
  }

  /** A map in the order of a comparator, which Flink sorts again when it reads it. */
  private static StoredSerializer parseSortedMap(SnapshotReader reader, int version) {
    requireExactly(reader, version, SORTED_MAP_VERSION);
    LogicalTypeReader.skipObject(reader.in());
    List<StoredSerializer> nested = reader.readNested(2);
    return new StoredSerializer(
        StoredSerializer.describe("SortedMap", nested),
        new MapCodec(nested.get(0).codec(), nested.get(1).codec()));
  }

  private static StoredSerializer parseLinkedList(SnapshotReader reader, int version) {
    int outerVersion = reader.readOuterVersion(version, LINKED_LIST_VERSION);
    boolean hasMask =
        outerVersion == LINKED_LIST_VERSION
            ? reader.in().readBoolean()
            : outerVersion == FIRST_MASKED_LIST;
    StoredSerializer element = reader.readNested(1).get(0);
    return new StoredSerializer(
        "LinkedList<" + element.description() + ">",
        hasMask
            ? MaskedListCodec.of(element.codec())
            : new ListCodec(element.codec(), NullFlag.NONE));
  }

  private static StoredSerializer opaque(String description, String reason) {
    return new StoredSerializer(
        description, OpaqueCodec.delimited(reason, in -> in.skip(in.readCount(1))));
  }

  private static void requireExactly(SnapshotReader reader, int version, int known) {
    if (version != known) {
      throw reader
          .in()
          .malformed(
              "a serializer snapshot of Flink SQL has version %d, but %d is known", version, known);
    }
  }
}
