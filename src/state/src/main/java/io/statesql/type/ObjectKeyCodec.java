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
package io.statesql.type;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A key, or a part of a key, that the job's own serializer writes. Beside what it shows of the
 * object stand the stored bytes, in a field {@code _bytes} of the same inline row. A new key is
 * given by its bytes, as they are read from another key; or by its text, where that tells all.
 * Given both, they must be of the same object.
 */
public final class ObjectKeyCodec implements Codec {
  private final Codec shown;
  private final ObjectCodec object;
  private final boolean isJson;
  private final int width;
  private final SqlType.Row type;
  private final boolean readsShown;

  /**
   * @param shown of the same bytes as {@code object}
   * @param isJson whether it shows objects as {@code object} does
   */
  public ObjectKeyCodec(Codec shown, ObjectCodec object, boolean isJson) {
    this(shown, object, isJson, /* readsShown= */ true);
  }

  private ObjectKeyCodec(Codec shown, ObjectCodec object, boolean isJson, boolean readsShown) {
    this.shown = shown;
    this.object = object;
    this.isJson = isJson;
    this.readsShown = readsShown;
    List<SqlType.Field> fields = new ArrayList<>();
    if (shown.type() instanceof SqlType.Row row && row.inline()) {
      fields.addAll(row.fields());
    } else {
      fields.add(new SqlType.Field("", shown == object ? textOf(object) : shown.type()));
    }
    this.width = fields.size();
    fields.add(new SqlType.Field("_bytes", SqlType.Scalar.VARBINARY));
    this.type = new SqlType.Row(fields, true);
  }

  private static SqlType textOf(ObjectCodec object) {
    return new SqlType.ObjectText(
        object.note() + "; a new key is given by its stored bytes, in the column beside it",
        /* isWritable= */ true);
  }

  @Override
  public SqlType type() {
    return type;
  }

  @Override
  public Object read(StateInput in) {
    int start = in.position();
    Object[] row = new Object[width + 1];
    if (!readsShown) {
      shown.skip(in);
    } else {
      Object value = shown.read(in);
      if (!(shown.type() instanceof SqlType.Row)) {
        row[0] = value;
      } else if (value != null) {
        System.arraycopy((Object[]) value, 0, row, 0, width);
      }
    }
    row[width] = Binary.of(Arrays.copyOfRange(in.array(), start, in.position()));
    return row;
  }

  @Override
  public void skip(StateInput in) {
    shown.skip(in);
  }

  @Override
  public Codec select(BitSet fields) {
    return fields.nextSetBit(0) == width
        ? new ObjectKeyCodec(shown, object, isJson, /* readsShown= */ false)
        : this;
  }

  @Override
  public void write(@Nullable Object value, StateOutput out) {
    Object[] row = value == null ? new Object[width + 1] : (Object[]) value;
    Object[] given = Arrays.copyOf(row, width);
    boolean isShown = Arrays.stream(given).anyMatch(Objects::nonNull);
    if (row[width] == null && !isShown) {
      throw new UnwritableValueException(
          "it is NULL; give its stored bytes (the column that ends in _bytes), as they are read from"
              + " another key");
    }
    byte[] bytes = row[width] == null ? bytesOf(given[0]) : ((Binary) row[width]).bytes();
    object.requireStored(bytes);
    if (isShown && !Arrays.deepEquals(given, shownOf(bytes))) {
      throw new UnwritableValueException(
          "its bytes are those of another object than it shows: "
              + Arrays.toString(shownOf(bytes)));
    }
    out.writeBytes(bytes);
  }

  private Object[] shownOf(byte[] bytes) {
    return Arrays.copyOf((Object[]) read(new StateInput(bytes)), width);
  }

  private byte[] bytesOf(Object text) {
    if (isJson) {
      return object.bytesOf((String) text);
    }
    if (shown.type() == SqlType.Scalar.VARCHAR) {
      return object.bytesOf(
          '"' + new String(JsonStringEncoder.getInstance().quoteAsString((String) text)) + '"');
    }
    throw new UnwritableValueException(
        "Kryo wrote it, and a new one is given by its stored bytes alone (the column that ends in"
            + " _bytes), as they are read from another key");
  }

  /** What is not replaced goes with the bytes that are: only the new fields say what it becomes. */
  @Override
  public void splice(StateInput old, Object[] row, BitSet replaced, StateOutput out) {
    int start = old.position();
    skip(old);
    if (replaced.isEmpty()) {
      out.writeBytes(old.array(), start, old.position() - start);
      return;
    }
    Object[] given = new Object[width + 1];
    replaced.stream().forEach(i -> given[i] = row[i]);
    write(given, out);
  }

  @Override
  public int declaredLength() {
    return shown.declaredLength();
  }

  @Override
  public boolean isDelimited() {
    return true;
  }
}
