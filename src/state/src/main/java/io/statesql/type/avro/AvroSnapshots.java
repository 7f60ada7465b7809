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

import io.statesql.type.Codec;
import io.statesql.type.StateInput;
import io.statesql.type.StringValues;
import io.statesql.type.serializer.SnapshotParser;
import io.statesql.type.serializer.SnapshotReader;
import io.statesql.type.serializer.StoredSerializer;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.avro.Schema;

/**
 * {@code AvroSerializerSnapshot}, flink-avro 2.3, of generic, specific and reflected records alike:
 * the schema in the snapshot is the one by which their values were written.
 */
public final class AvroSnapshots {
  private static final int SCHEMA_ALONE = 1;
  private static final int SHORT_TEXTS = 2;
  private static final int LONG_TEXTS = 3;

  /** What the snapshot states of records without a class of their own. */
  private static final String GENERIC_RECORD = "org.apache.avro.generic.GenericRecord";

  private AvroSnapshots() {}

  public static void register(Map<String, SnapshotParser> parsers) {
    parsers.put(
        "org.apache.flink.formats.avro.typeutils.AvroSerializerSnapshot", AvroSnapshots::parse);
  }

  private static StoredSerializer parse(SnapshotReader reader, int version) {
    StateInput in = reader.in();
    if (version < SCHEMA_ALONE || version > LONG_TEXTS) {
      throw in.malformed("Avro's snapshot has the unknown version %d", version);
    }
    String recordClass = version == SCHEMA_ALONE ? "" : readText(in, version);
    long offset = in.offset();
    Schema schema = AvroSchemas.parse(readText(in, version), offset);
    Codec codec =
        recordClass.equals(GENERIC_RECORD) ? AvroCodecs.ofGeneric(schema) : AvroCodecs.of(schema);
    addEnums(schema, reader, new HashSet<>());
    return new StoredSerializer("Avro<" + schema.getFullName() + ">", codec);
  }

  private static void addEnums(Schema schema, SnapshotReader reader, Set<String> seen) {
    switch (schema.getType()) {
      case ENUM -> reader.addEnum(schema.getFullName(), schema.getEnumSymbols());
      case ARRAY -> addEnums(schema.getElementType(), reader, seen);
      case MAP -> addEnums(schema.getValueType(), reader, seen);
      case UNION -> schema.getTypes().forEach(branch -> addEnums(branch, reader, seen));
      case RECORD -> {
        if (seen.add(schema.getFullName())) {
          schema.getFields().forEach(field -> addEnums(field.schema(), reader, seen));
        }
      }
      default -> {
        // Has no parts.
      }
    }
  }

  /** {@code writeUTF} up to version 2; since then texts may be longer than 64 K. */
  private static String readText(StateInput in, int version) {
    String text = version > SHORT_TEXTS ? StringValues.read(in) : in.readUtf();
    if (text == null) {
      throw in.malformed("the class or the schema of an Avro serializer is null");
    }
    return text;
  }
}
