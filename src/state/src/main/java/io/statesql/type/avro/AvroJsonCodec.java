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

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import io.statesql.type.Binary;
import io.statesql.type.Codec;
import io.statesql.type.DateTimeText;
import io.statesql.type.DateTimeValues;
import io.statesql.type.LimitedWriter;
import io.statesql.type.SqlType;
import io.statesql.type.StateInput;
import io.statesql.type.StateOutput;
import io.statesql.type.UnwritableValueException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.IdentityHashMap;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * An Avro value as JSON text, for types that no SQL type can be made of: a record within itself.
 * Records and maps are objects in stored order, arrays arrays; the value of a union stands for
 * itself if there is one branch beside null, else as the only field, called by the branch, of an
 * object; numbers are numbers with all their digits, or the texts {@code NaN}, {@code Infinity} and
 * {@code -Infinity}; bytes are Base64; dates and times are the texts of {@link DateTimeText},
 * followed by six more digits where the stored unit is finer than a millisecond.
 *
 * <p>A value nested deeper than {@value #MAX_NESTING} levels, or of a text too long, is an error.
 */
final class AvroJsonCodec implements Codec {
  /** Levels of the schema; deeper values could exhaust the stack. */
  static final int MAX_NESTING = 1_000;

  private static final JsonFactory FACTORY =
      new JsonFactory().disable(JsonGenerator.Feature.AUTO_CLOSE_JSON_CONTENT);

  private final Schema schema;
  private final IdentityHashMap<Schema, Codec> leaves;

  /**
   * @param leaves codecs of all types without parts in the schema, by identity; not to be changed
   */
  AvroJsonCodec(Schema schema, IdentityHashMap<Schema, Codec> leaves) {
    this.schema = schema;
    this.leaves = leaves;
  }

  @Override
  public SqlType type() {
    return SqlType.Scalar.VARCHAR;
  }

  @Override
  public Object read(StateInput in) {
    LimitedWriter text = new LimitedWriter();
    try (JsonGenerator out = FACTORY.createGenerator(text)) {
      write(schema, in, out, 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }

  private void write(Schema schema, StateInput in, JsonGenerator out, int depth)
      throws IOException {
    requireShallow(depth);
    switch (schema.getType()) {
      case RECORD -> {
        out.writeStartObject();
        for (Schema.Field field : schema.getFields()) {
          out.writeFieldName(field.name());
          write(field.schema(), in, out, depth + 1);
        }
        out.writeEndObject();
      }
      case ARRAY -> {
        AvroBlocks.Element<IOException> element =
            next -> write(schema.getElementType(), next, out, depth + 1);
        out.writeStartArray();
        AvroBlocks.forEach(
            in,
            element,
            more -> {
              for (int i = 0; i < more; i++) {
                element.take(in);
              }
            });
        out.writeEndArray();
      }
      case MAP -> {
        out.writeStartObject();
        AvroBlocks.<IOException>forEach(
            in,
            next -> {
              out.writeFieldName(AvroInput.readText(next));
              write(schema.getValueType(), next, out, depth + 1);
            },
            more -> {});
        out.writeEndObject();
      }
      case UNION -> {
        Schema branch = readBranch(schema, in);
        boolean named = branch.getType() != Schema.Type.NULL && AvroCodecs.hasBranches(schema);
        if (named) {
          out.writeStartObject();
          out.writeFieldName(branch.getFullName());
        }
        write(branch, in, out, depth + 1);
        if (named) {
          out.writeEndObject();
        }
      }
      default -> {
        Codec leaf = leaves.get(schema);
        writeLeaf(leaf.type(), leaf.read(in), out);
      }
    }
  }

  private static Schema readBranch(Schema union, StateInput in) {
    return union
        .getTypes()
        .get(AvroInput.readIndex(in, union.getTypes().size(), "a union's branches"));
  }

  private static void writeLeaf(SqlType type, Object value, JsonGenerator out) throws IOException {
    if (value == null) {
      out.writeNull();
    } else if (value instanceof Object[] parts) {
      SqlType whole = ((SqlType.Row) type).fields().get(0).type();
      int digitsBeyondMillis = DateTimeValues.NANOS_PER_MILLI + (int) parts[1];
      out.writeString(
          dateTime(whole, parts[0]) + Integer.toString(digitsBeyondMillis).substring(1));
    } else if (type == SqlType.Scalar.DATE
        || type == SqlType.Scalar.TIME
        || type == SqlType.Scalar.TIMESTAMP) {
      out.writeString(dateTime(type, value));
    } else if (value instanceof Boolean flag) {
      out.writeBoolean(flag);
    } else if (value instanceof Integer number) {
      out.writeNumber(number);
    } else if (value instanceof Long number) {
      out.writeNumber(number);
    } else if (value instanceof Float number) {
      out.writeNumber(number);
    } else if (value instanceof Double number) {
      out.writeNumber(number);
    } else if (value instanceof BigDecimal number) {
      out.writeNumber(number);
    } else if (value instanceof Binary bytes) {
      out.writeBinary(bytes.bytes());
    } else {
      out.writeString((String) value);
    }
  }

  private static String dateTime(SqlType type, Object value) {
    if (type == SqlType.Scalar.DATE) {
      return DateTimeText.date((int) value);
    }
    return type == SqlType.Scalar.TIME
        ? DateTimeText.time((int) value)
        : DateTimeText.timestamp((long) value);
  }

  @Override
  public void skip(StateInput in) {
    skip(schema, in, 0);
  }

  private void skip(Schema schema, StateInput in, int depth) {
    requireShallow(depth);
    switch (schema.getType()) {
      case RECORD -> {
        for (Schema.Field field : schema.getFields()) {
          skip(field.schema(), in, depth + 1);
        }
      }
      case ARRAY ->
          AvroBlocks.forEach(
              in, next -> skip(schema.getElementType(), next, depth + 1), more -> {});
      case MAP ->
          AvroBlocks.forEach(
              in,
              next -> {
                AvroInput.skipText(next);
                skip(schema.getValueType(), next, depth + 1);
              },
              more -> {});
      case UNION -> skip(readBranch(schema, in), in, depth + 1);
      default -> leaves.get(schema).skip(in);
    }
  }

  private static void requireShallow(int depth) {
    if (depth > MAX_NESTING) {
      throw new StateSqlException(
          ErrorCode.UNDECODABLE_STATE,
          "An Avro value is nested deeper than "
              + MAX_NESTING
              + " levels; leave its column out of the select list.");
    }
  }

  @Override
  public void write(@Nullable Object value, StateOutput out) {
    throw new UnwritableValueException(unwritable());
  }

  @Override
  public String unwritable() {
    return "an Avro type that is shown as JSON text can be read but not written";
  }

  @Override
  public int declaredLength() {
    return -1;
  }

  /** A record may have no fields but such as take no bytes. */
  @Override
  public int minimumLength() {
    return 0;
  }

  @Override
  public boolean isDelimited() {
    return true;
  }
}
