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
import io.statesql.type.KeyHash;
import io.statesql.type.StateInput;
import io.statesql.type.StateOutput;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.util.Utf8;
import org.jspecify.annotations.Nullable;

/**
 * The hash code of a generic record: Avro's own, over the object that Flink would read. Records of
 * generated classes have the same, unless they hold objects of logical types or maps.
 */
record AvroKeyHash(Codec codec, Schema schema) implements KeyHash {
  @Override
  public int of(Object value) {
    StateOutput bytes = new StateOutput();
    codec.write(value, bytes);
    return GenericData.get().hashCode(read(schema, new StateInput(bytes.toByteArray())), schema);
  }

  /** The datum in the form of Avro's generic reader. */
  private static @Nullable Object read(Schema schema, StateInput in) {
    return switch (schema.getType()) {
      case NULL -> null;
      case BOOLEAN -> in.readBoolean();
      case INT -> in.readInt();
      case LONG -> in.readLong();
      case FLOAT -> in.readFloat();
      case DOUBLE -> in.readDouble();
      case STRING -> new Utf8(AvroInput.readText(in));
      case BYTES -> ByteBuffer.wrap(AvroInput.readBytes(in));
      case FIXED -> new GenericData.Fixed(schema, in.readBytes(schema.getFixedSize()));
      case ENUM -> new GenericData.EnumSymbol(schema, schema.getEnumSymbols().get(in.readInt()));
      case UNION -> read(schema.getTypes().get(in.readInt()), in);
      case RECORD -> {
        GenericData.Record datum = new GenericData.Record(schema);
        for (Schema.Field field : schema.getFields()) {
          datum.put(field.pos(), read(field.schema(), in));
        }
        yield datum;
      }
      case ARRAY -> {
        List<Object> elements = new ArrayList<>();
        AvroBlocks.forEach(
            in,
            next -> elements.add(read(schema.getElementType(), next)),
            more -> elements.addAll(Collections.nCopies(more, elements.get(0))));
        yield elements;
      }
      case MAP -> {
        Map<Object, Object> entries = new HashMap<>();
        AvroBlocks.forEach(
            in,
            next -> {
              Utf8 key = new Utf8(AvroInput.readText(next));
              entries.put(key, read(schema.getValueType(), next));
            },
            more -> {});
        yield entries;
      }
    };
  }
}
