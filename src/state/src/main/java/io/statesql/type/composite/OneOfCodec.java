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

import io.statesql.type.Codec;
import io.statesql.type.CompositeCodec;
import io.statesql.type.KeyHash;
import io.statesql.type.MalformedValueException;
import io.statesql.type.RowShape;
import io.statesql.type.SqlType;
import io.statesql.type.StateInput;
import io.statesql.type.StateOutput;
import io.statesql.type.UnwritableValueException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A tag and a value of the alternative that the tag names. The row says which one it is in its
 * first field, and has a field for each alternative, null for those that it is not.
 */
public final class OneOfCodec implements CompositeCodec {
  private final String tagName;
  private final boolean isEither;
  private final List<Alternative> alternatives;
  private final RowShape.Slot tagSlot;
  private final List<RowShape.Slot> slots;
  private final SqlType.Row type;

  public OneOfCodec(String tagName, List<Alternative> alternatives) {
    this(tagName, alternatives, false);
  }

  private OneOfCodec(String tagName, List<Alternative> alternatives, boolean isEither) {
    this.tagName = tagName;
    this.isEither = isEither;
    this.alternatives = List.copyOf(alternatives);
    RowShape shape = new RowShape();
    this.tagSlot = shape.add(tagName, SqlType.Scalar.VARCHAR);
    this.slots =
        this.alternatives.stream()
            .map(alternative -> shape.add(alternative.name(), alternative.codec().type()))
            .toList();
    this.type = shape.type();
  }

  /** A codec of an {@code Either}, whose hash code is that of what it holds. */
  public static OneOfCodec ofEither(List<Alternative> alternatives) {
    return new OneOfCodec("side", alternatives, true);
  }

  /**
   * One of the forms that a value may have.
   *
   * @param tag the byte that stands before such a value
   * @param name of the field; also what the tag's field shows
   */
  public record Alternative(int tag, String name, Codec codec) {}

  @Override
  public SqlType type() {
    return type;
  }

  @Override
  public Object read(StateInput in) {
    int index = readIndex(in);
    return row(index, alternatives.get(index).codec().read(in));
  }

  @Override
  public Object readLast(StateInput in) {
    int index = readIndex(in);
    return row(index, alternatives.get(index).codec().readLast(in));
  }

  private Object[] row(int index, Object value) {
    Object[] row = new Object[type.fields().size()];
    tagSlot.put(row, alternatives.get(index).name());
    slots.get(index).put(row, value);
    return row;
  }

  @Override
  public void skip(StateInput in) {
    alternatives.get(readIndex(in)).codec().skip(in);
  }

  private int readIndex(StateInput in) {
    long offset = in.offset();
    int tag = in.readUnsignedByte();
    for (int i = 0; i < alternatives.size(); i++) {
      if (alternatives.get(i).tag() == tag) {
        return i;
      }
    }
    throw new MalformedValueException(offset, tag + " does not say which alternative follows");
  }

  @Override
  public void write(@Nullable Object value, StateOutput out) {
    if (value == null) {
      throw new UnwritableValueException("it is NULL, for which its stored type has no form");
    }
    Object[] row = (Object[]) value;
    Object name = tagSlot.get(row);
    int index = indexOf(name);
    for (int i = 0; i < alternatives.size(); i++) {
      if (i != index && slots.get(i).get(row) != null) {
        throw new UnwritableValueException(
            "it has a value for "
                + alternatives.get(i).name()
                + " while "
                + tagName
                + " is "
                + name);
      }
    }
    out.writeByte(alternatives.get(index).tag());
    alternatives.get(index).codec().write(slots.get(index).get(row), out);
  }

  private int indexOf(@Nullable Object name) {
    for (int i = 0; i < alternatives.size(); i++) {
      if (alternatives.get(i).name().equals(name)) {
        return i;
      }
    }
    throw new UnwritableValueException(
        tagName
            + " is "
            + name
            + " but must be one of "
            + alternatives.stream().map(Alternative::name).toList());
  }

  @Override
  public @Nullable String unwritable() {
    return alternatives.stream()
        .map(alternative -> alternative.codec().unwritable())
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  @Override
  public void splice(StateInput old, Object[] row, BitSet replaced, StateOutput out) {
    int index = readIndex(old);
    Codec codec = alternatives.get(index).codec();
    if (!tagSlot.isKept(replaced) && indexOf(tagSlot.get(row)) != index) {
      codec.skip(old);
      write(row, out);
      return;
    }
    for (int i = 0; i < alternatives.size(); i++) {
      if (i != index && slots.get(i).get(row) != null) {
        throw new UnwritableValueException(
            "the stored value is "
                + alternatives.get(index).name()
                + "; change "
                + tagName
                + " too");
      }
    }
    out.writeByte(alternatives.get(index).tag());
    slots.get(index).splice(codec, old, row, replaced, out);
  }

  @Override
  public @Nullable KeyHash keyHash() {
    if (!isEither || alternatives.stream().anyMatch(one -> one.codec().keyHash() == null)) {
      return null;
    }
    return value -> {
      Object[] row = (Object[]) value;
      int index = indexOf(tagSlot.get(row));
      return FieldHashes.required(slots.get(index).get(row), alternatives.get(index).codec());
    };
  }

  @Override
  public int declaredLength() {
    return -1;
  }

  @Override
  public boolean isDelimited() {
    return alternatives.stream().allMatch(alternative -> alternative.codec().isDelimited());
  }

  @Override
  public Codec select(BitSet fields) {
    List<Alternative> selected = new ArrayList<>(alternatives.size());
    for (int i = 0; i < alternatives.size(); i++) {
      Alternative alternative = alternatives.get(i);
      selected.add(
          new Alternative(
              alternative.tag(),
              alternative.name(),
              slots.get(i).select(alternative.codec(), fields)));
    }
    return new OneOfCodec(tagName, selected, isEither);
  }

  @Override
  public Codec mapParts(UnaryOperator<Codec> replacement) {
    return new OneOfCodec(
        tagName,
        alternatives.stream()
            .map(
                alternative ->
                    new Alternative(
                        alternative.tag(),
                        alternative.name(),
                        replacement.apply(alternative.codec())))
            .toList(),
        isEither);
  }
}
