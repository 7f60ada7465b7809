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
package io.statesql.change;

import io.statesql.format.model.ColumnSource;
import io.statesql.format.model.ColumnSource.Derived;
import io.statesql.format.model.ColumnSource.Part;
import io.statesql.format.model.StateMeta;
import io.statesql.snapshot.Bytes;
import io.statesql.type.Codec;
import io.statesql.type.SqlType;
import io.statesql.type.StateOutput;
import io.statesql.type.UnwritableValueException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** Makes the bytes of one part of an entry from the columns that a statement assigns. */
final class PartEncoder {
  private final Codec codec;

  /** The column of the part as a whole, or null. */
  private final ChangedColumn whole;

  /** The columns of single fields, and which fields these are. */
  private final List<ChangedColumn> fields = new ArrayList<>();

  private final List<Integer> fieldIndexes = new ArrayList<>();
  private final BitSet fieldSet = new BitSet();

  /**
   * @param state whose serializers write the part
   * @param columns of all parts
   */
  PartEncoder(StateMeta state, Part part, List<ChangedColumn> columns) {
    this.codec = state.codec(part);
    ChangedColumn found = null;
    for (ChangedColumn column : columns) {
      int field = field(part, column.source());
      if (column.source().equals(new ColumnSource.Whole(part))) {
        found = column;
      } else if (field >= 0) {
        fields.add(column);
        fieldIndexes.add(field);
        fieldSet.set(field);
      } else if (column.source() instanceof ColumnSource.FieldOf of && of.part() == part) {
        throw new RefusedValueException(
            column.name(), "the serializer of this part of the snapshot has no such field");
      }
    }
    this.whole = found;
  }

  private int field(Part part, ColumnSource source) {
    if (source instanceof ColumnSource.FieldOf of && of.part() == part) {
      return of.indexIn(codec.type());
    }
    if (part != Part.NAMESPACE || !(source instanceof Derived derived)) {
      return -1;
    }
    return switch (derived) {
      case WINDOW_START, WINDOW_START_MS -> 0;
      case WINDOW_END, WINDOW_END_MS -> 1;
      default -> -1;
    };
  }

  /** Whether the statement assigns any of it. */
  boolean isAssigned() {
    return whole != null || !fields.isEmpty();
  }

  /** Whether the statement assigns it as one value. */
  boolean isWhole() {
    return whole != null;
  }

  /** Whether the row has no value for any column of it. */
  boolean isNull(Object[] row) {
    return whole != null
        ? row[whole.position()] == null
        : fields.stream().allMatch(field -> row[field.position()] == null);
  }

  /** Whether the statement assigns all fields there are. */
  boolean isComplete() {
    return whole != null
        || (codec.type() instanceof SqlType.Row type
            && fieldSet.cardinality() == type.fields().size());
  }

  /** The value, as the codec reads it; fields that the statement does not assign are null. */
  Object value(Object[] row) {
    if (whole != null) {
      return whole.valueIn(row);
    }
    if (!(codec.type() instanceof SqlType.Row type)) {
      return null;
    }
    Object[] value = new Object[type.fields().size()];
    for (int i = 0; i < fields.size(); i++) {
      Object field = fields.get(i).valueIn(row);
      // Of the two columns of a window's time, the one that can hold it has it.
      value[fieldIndexes.get(i)] = field == null ? value[fieldIndexes.get(i)] : field;
    }
    return value;
  }

  /**
   * The bytes of a new value.
   *
   * @throws RefusedValueException if the stored type cannot hold it
   */
  Bytes encode(Object[] row) {
    Object value = value(row);
    StateOutput out = new StateOutput();
    try {
      codec.write(value, out);
    } catch (UnwritableValueException e) {
      throw refused(e, value);
    }
    return Bytes.copyOf(out.toByteArray());
  }

  private RefusedValueException refused(UnwritableValueException e, Object value) {
    if (whole != null) {
      return new RefusedValueException(whole.name(), e.reason());
    }
    if (e.fieldPosition() < 0 || !(codec.type() instanceof SqlType.Row type)) {
      return new RefusedValueException(culprit(value), e.reason());
    }
    int assigned = fieldIndexes.indexOf(e.fieldPosition());
    return assigned >= 0
        ? new RefusedValueException(fields.get(assigned).name(), e.getMessage())
        : new RefusedValueException(
            null,
            "no value is given for \""
                + type.fields().get(e.fieldPosition()).name()
                + "\": "
                + e.getMessage());
  }

  /**
   * The column of several whose value cannot be written: without it, the codec has another reason
   * or none. Null if that cannot be told.
   */
  private String culprit(Object value) {
    if (fields.size() == 1) {
      return fields.get(0).name();
    }
    String reason = reason(value);
    for (int i = 0; i < fields.size(); i++) {
      Object[] without = ((Object[]) value).clone();
      without[fieldIndexes.get(i)] = null;
      if (((Object[]) value)[fieldIndexes.get(i)] != null && !reason.equals(reason(without))) {
        return fields.get(i).name();
      }
    }
    return null;
  }

  private String reason(Object value) {
    try {
      codec.write(value, new StateOutput());
      return "";
    } catch (UnwritableValueException e) {
      return e.getMessage();
    }
  }

  /** The bytes of a value of a column. */
  static Bytes encode(Codec codec, String column, Object value) {
    StateOutput out = new StateOutput();
    try {
      codec.write(value, out);
    } catch (UnwritableValueException e) {
      throw new RefusedValueException(column, e.reason());
    }
    return Bytes.copyOf(out.toByteArray());
  }

  /**
   * The bytes of a value of which the assigned fields are replaced; the others stay as they are.
   *
   * @throws RefusedValueException if the stored type cannot hold the new values
   */
  Bytes replace(Bytes old, Object[] row) {
    if (!isAssigned()) {
      return old;
    }
    if (whole != null) {
      return encode(row);
    }
    Object[] values = (Object[]) value(row);
    try {
      return splice(old, values, fieldSet);
    } catch (UnwritableValueException e) {
      throw new RefusedValueException(culprit(old, values), e.reason());
    }
  }

  private Bytes splice(Bytes old, Object[] values, BitSet replaced) {
    StateOutput out = new StateOutput();
    codec.splice(old.input(), values, replaced, out);
    return Bytes.copyOf(out.toByteArray());
  }

  /** The first column that cannot be replaced alone; null if each of them can. */
  private String culprit(Bytes old, Object[] values) {
    for (int i = 0; i < fields.size(); i++) {
      BitSet one = new BitSet();
      one.set(fieldIndexes.get(i));
      Object[] value = new Object[values.length];
      value[fieldIndexes.get(i)] = values[fieldIndexes.get(i)];
      try {
        splice(old, value, one);
      } catch (UnwritableValueException e) {
        return fields.get(i).name();
      }
    }
    return null;
  }
}
