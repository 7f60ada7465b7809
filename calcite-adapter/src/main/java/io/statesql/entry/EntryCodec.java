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
package io.statesql.entry;

import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import io.statesql.change.ValueEncoder;
import io.statesql.format.model.KeyedStateMeta;
import io.statesql.format.model.StateKind;
import io.statesql.schema.SqlTypes;
import io.statesql.schema.SqlValues;
import io.statesql.snapshot.Bytes;
import io.statesql.sql.StateSqlTypeFactory;
import io.statesql.type.Codec;
import io.statesql.type.CompositeCodec;
import io.statesql.type.ForwardingCodec;
import io.statesql.type.FramedCodec;
import io.statesql.type.MalformedValueException;
import io.statesql.type.ObjectCodec;
import io.statesql.type.SqlType;
import io.statesql.type.StateInput;
import io.statesql.type.StateOutput;
import io.statesql.type.kryo.KryoCodec;
import io.statesql.value.ValueText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;

/**
 * Between the forms of an entry that a client sees and its stored bytes. Safe for use by many
 * threads.
 */
public final class EntryCodec {
  static final RelDataTypeFactory TYPES = new StateSqlTypeFactory();

  private final KeyedStateMeta state;
  private final SqlType type;
  private final RelDataType relType;

  /**
   * @param state of the handle that holds, or shall hold, the entry
   */
  public EntryCodec(KeyedStateMeta state) {
    this.state = state;
    this.type = wholeType(state);
    this.relType = SqlTypes.relType(type, TYPES);
  }

  /** The type of the value, or of the whole list or map. */
  private static SqlType wholeType(KeyedStateMeta state) {
    Codec value = state.codecs().value();
    return switch (state.kind()) {
      case LIST -> state.codecs().wholeList() ? value.type() : new SqlType.Array(value.type());
      case MAP -> new SqlType.MapOf(state.codecs().mapKey().type(), value.type());
      default -> value.type();
    };
  }

  public SqlType type() {
    return type;
  }

  /**
   * The name of the type that a remote function gave the value; empty for values that Java wrote.
   */
  public Optional<String> remoteType() {
    return framed().flatMap(FramedCodec::remoteType);
  }

  /** Of a value that its serializer writes behind its length. */
  private Optional<FramedCodec> framed() {
    return framed(state);
  }

  static Optional<FramedCodec> framed(KeyedStateMeta state) {
    boolean isWhole = state.kind() != StateKind.LIST && state.kind() != StateKind.MAP;
    return isWhole && state.codecs().value() instanceof FramedCodec framed
        ? Optional.of(framed)
        : Optional.empty();
  }

  /** Whether the value is a text for Java too; names of enum constants are not. */
  public boolean isString() {
    return type == SqlType.Scalar.VARCHAR
        && state.codecs().value().declaredLength() < 0
        && framed().isEmpty();
  }

  /** How a user reads the type of the stored serializer. */
  public String serializer() {
    return state.value().description();
  }

  /** The text of an entry; null if its value is null. */
  public String text(StoredEntry entry) {
    Object value = SqlValues.of(type, entry.value());
    return value == null ? null : ValueText.of(value, relType);
  }

  /** The JSON of an entry. */
  public String json(StoredEntry entry) {
    return ValueText.json(SqlValues.of(type, entry.value()), relType);
  }

  /**
   * Reads the text of a new entry.
   *
   * @throws StateSqlException with {@link ErrorCode#INVALID_ARGUMENT} if it is malformed, and with
   *     {@link ErrorCode#INVALID_VALUE} or {@link ErrorCode#UNWRITABLE_VALUE} if it does not fit
   */
  public NewEntry ofText(String text) {
    return ofValue(ValueText.read(text, relType));
  }

  /** As {@link #ofText}, of JSON. */
  public NewEntry ofJson(String json) {
    return ofValue(ValueText.readJson(json, relType));
  }

  private NewEntry ofValue(Object value) {
    Codec codec = state.codecs().value();
    return switch (state.kind()) {
      case LIST -> {
        if (state.codecs().wholeList()) {
          throw untold();
        }
        List<Bytes> elements = new ArrayList<>();
        for (Object element : (List<?>) required(value)) {
          elements.add(ValueEncoder.encode("an element", codec, required(element)));
        }
        yield new NewEntry.Elements(elements);
      }
      case MAP -> {
        Map<Bytes, Bytes> entries = new LinkedHashMap<>();
        ((Map<?, ?>) required(value))
            .forEach(
                (key, mapped) ->
                    put(
                        entries,
                        ValueEncoder.encode("a key", state.codecs().mapKey(), key),
                        mapped == null ? null : ValueEncoder.encode("an entry", codec, mapped)));
        yield new NewEntry.Entries(entries);
      }
      default -> new NewEntry.Whole(ValueEncoder.encode("the value", codec, required(value)));
    };
  }

  private static Object required(Object value) {
    if (value == null) {
      throw unfit("NULL is no value of a state; DELETE removes an entry");
    }
    return value;
  }

  private static void put(Map<Bytes, Bytes> entries, Bytes key, Bytes value) {
    if (entries.containsKey(key)) {
      throw unfit("a key of the map is there twice");
    }
    entries.put(key, value);
  }

  /**
   * Reads a new entry as {@link StoredEntry#bytes} writes it. Values of a type that is not known
   * here are taken as they come.
   *
   * @throws StateSqlException with {@link ErrorCode#UNWRITABLE_VALUE} if the bytes are not what the
   *     serializer would write
   */
  public NewEntry ofBytes(byte[] bytes) {
    StateInput in = new StateInput(framed().isPresent() ? behindLength(bytes) : bytes);
    try {
      NewEntry entry =
          switch (state.kind()) {
            case LIST -> elements(in);
            case MAP -> entries(in);
            default -> new NewEntry.Whole(part(state.codecs().value(), in, true));
          };
      in.requireEnd();
      return entry;
    } catch (MalformedValueException e) {
      throw new StateSqlException(
          ErrorCode.UNWRITABLE_VALUE,
          "The bytes are not of the stored type "
              + serializer()
              + ": at byte "
              + e.offset()
              + " "
              + e.getMessage()
              + ".",
          e);
    }
  }

  private static byte[] behindLength(byte[] bytes) {
    StateOutput out = new StateOutput();
    out.writeInt(bytes.length);
    out.writeBytes(bytes);
    return out.toByteArray();
  }

  private NewEntry elements(StateInput in) {
    Codec codec = state.codecs().value();
    if (state.codecs().wholeList()) {
      throw untold();
    }
    int count = in.readCount(codec.minimumLength());
    List<Bytes> elements = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      elements.add(part(codec, in, false));
    }
    return new NewEntry.Elements(elements);
  }

  private NewEntry entries(StateInput in) {
    Codec keys = state.codecs().mapKey();
    Codec values = state.codecs().value();
    int count = in.readCount(keys.minimumLength() + 1);
    if (count > 1 && !(keys.isDelimited() && values.isDelimited())) {
      throw unfit("entries of the map cannot be told apart without the class of the job");
    }
    Map<Bytes, Bytes> entries = new LinkedHashMap<>();
    for (int i = 0; i < count; i++) {
      Bytes key = part(keys, in, false);
      put(entries, key, in.readBoolean() ? null : part(values, in, i == count - 1));
    }
    return new NewEntry.Entries(entries);
  }

  /** Reads a part, to see that it can be, and gives its bytes. */
  private static Bytes part(Codec codec, StateInput in, boolean last) {
    int from = in.position();
    if (last) {
      asItsClassesWouldWrite(codec).readLast(in);
    } else {
      codec.read(in);
    }
    int to = in.position();
    in.position(from);
    return Bytes.copyOf(in.readBytes(to - from));
  }

  /** Refuses what the classes of the job cannot read, where those are there. */
  private static Codec asItsClassesWouldWrite(Codec codec) {
    if (codec instanceof ObjectCodec || codec instanceof KryoCodec) {
      return new ForwardingCodec() {
        @Override
        public Codec delegate() {
          return codec;
        }
      };
    }
    return codec instanceof CompositeCodec composite
        ? composite.mapParts(EntryCodec::asItsClassesWouldWrite)
        : codec;
  }

  private StateSqlException untold() {
    return unfit("elements of the list cannot be told apart without the class of the job");
  }

  private static StateSqlException unfit(String reason) {
    return new StateSqlException(
        ErrorCode.UNWRITABLE_VALUE, "Nothing was changed: " + reason + ".");
  }
}
