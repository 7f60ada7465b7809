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
package io.statesql.type.composite;

import io.statesql.type.BasicCodecs;
import io.statesql.type.Codec;
import io.statesql.type.CompositeCodec;
import io.statesql.type.MalformedValueException;
import io.statesql.type.RowShape;
import io.statesql.type.SqlType;
import io.statesql.type.StateInput;
import io.statesql.type.StateOutput;
import io.statesql.type.UnwritableValueException;
import java.util.BitSet;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * An element in flight ({@code StreamElementSerializer}, flink-runtime 2.3), as the async wait
 * operator keeps it. A row of {@code element_kind}, {@code timestamp} (BIGINT, milliseconds since
 * the epoch; of a record that has one and of a watermark) and {@code value} (of a record). The
 * details of other kinds, which operators do not keep in state, are passed over.
 */
@SuppressWarnings("EnumOrdinal") // the kinds are declared in the order of their tags
public final class StreamElementCodec implements CompositeCodec {
  private final Codec value;
  private final RowShape.Slot kindSlot;
  private final RowShape.Slot timestampSlot;
  private final RowShape.Slot valueSlot;
  private final SqlType.Row type;

  public StreamElementCodec(Codec value) {
    this.value = value;
    RowShape shape = new RowShape();
    this.kindSlot = shape.add("element_kind", SqlType.Scalar.VARCHAR);
    this.timestampSlot = shape.add("timestamp", SqlType.Scalar.BIGINT);
    this.valueSlot = shape.add("value", value.type());
    this.type = shape.type();
  }

  /** In the order of their tags. */
  private enum Kind {
    RECORD_WITH_TIMESTAMP("RECORD", 0, true, true, 0),
    RECORD("RECORD", 0, false, true, 0),
    WATERMARK("WATERMARK", 0, true, false, 0),
    LATENCY_MARKER("LATENCY_MARKER", 0, false, false, 3 * Long.BYTES + Integer.BYTES),
    WATERMARK_STATUS("WATERMARK_STATUS", 0, false, false, Integer.BYTES),
    RECORD_ATTRIBUTES("RECORD_ATTRIBUTES", 0, false, false, 1),
    INTERNAL_WATERMARK("WATERMARK", Integer.BYTES, true, false, 0);

    private final String shown;
    private final int before;
    private final boolean hasTimestamp;
    private final boolean hasValue;
    private final int after;

    Kind(String shown, int before, boolean hasTimestamp, boolean hasValue, int after) {
      this.shown = shown;
      this.before = before;
      this.hasTimestamp = hasTimestamp;
      this.hasValue = hasValue;
      this.after = after;
    }
  }

  private static final Kind[] KINDS = Kind.values();

  @Override
  public SqlType type() {
    return type;
  }

  @Override
  public Object read(StateInput in) {
    Kind kind = readKind(in);
    Object[] row = new Object[type.fields().size()];
    kindSlot.put(row, kind.shown);
    in.skip(kind.before);
    if (kind.hasTimestamp) {
      timestampSlot.put(row, in.readLong());
    }
    if (kind.hasValue) {
      valueSlot.put(row, value.read(in));
    }
    in.skip(kind.after);
    return row;
  }

  @Override
  public void skip(StateInput in) {
    Kind kind = readKind(in);
    in.skip((long) kind.before + (kind.hasTimestamp ? Long.BYTES : 0));
    if (kind.hasValue) {
      value.skip(in);
    }
    in.skip(kind.after);
  }

  private static Kind readKind(StateInput in) {
    long offset = in.offset();
    int tag = in.readUnsignedByte();
    if (tag >= KINDS.length) {
      throw new MalformedValueException(offset, tag + " is not a kind of stream element");
    }
    return KINDS[tag];
  }

  @Override
  public void write(@Nullable Object value, StateOutput out) {
    if (value == null) {
      throw new UnwritableValueException("it is NULL, for which its stored type has no form");
    }
    Object[] row = (Object[]) value;
    Object timestamp = timestampSlot.get(row);
    Kind kind =
        switch (String.valueOf(kindSlot.get(row))) {
          case "RECORD" -> timestamp == null ? Kind.RECORD : Kind.RECORD_WITH_TIMESTAMP;
          case "WATERMARK" -> Kind.WATERMARK;
          default ->
              throw new UnwritableValueException(
                  "an element of kind " + kindSlot.get(row) + " is not shown as a whole");
        };
    out.writeByte(kind.ordinal());
    if (kind.hasTimestamp) {
      BasicCodecs.LONG.write(timestamp, out);
    }
    if (kind.hasValue) {
      this.value.write(valueSlot.get(row), out);
    }
  }

  @Override
  public @Nullable String unwritable() {
    return value.unwritable();
  }

  @Override
  public void splice(StateInput old, Object[] row, BitSet replaced, StateOutput out) {
    Kind kind = readKind(old);
    boolean keepsKind = kindSlot.isKept(replaced) || kind.shown.equals(kindSlot.get(row));
    if (!keepsKind || !kind.hasValue) {
      throw new UnwritableValueException(
          "of elements in flight, only the timestamp and value of a RECORD can be replaced");
    }
    Object timestamp = kind.hasTimestamp ? (Object) old.readLong() : null;
    if (!timestampSlot.isKept(replaced)) {
      timestamp = timestampSlot.get(row);
    }
    out.writeByte((timestamp == null ? Kind.RECORD : Kind.RECORD_WITH_TIMESTAMP).ordinal());
    if (timestamp != null) {
      out.writeLong((long) timestamp);
    }
    valueSlot.splice(value, old, row, replaced, out);
  }

  @Override
  public int declaredLength() {
    return -1;
  }

  @Override
  public boolean isDelimited() {
    return value.isDelimited();
  }

  @Override
  public Codec mapParts(UnaryOperator<Codec> replacement) {
    return new StreamElementCodec(replacement.apply(value));
  }
}
