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
import io.statesql.type.RowShape;
import io.statesql.type.SqlType;
import io.statesql.type.StateInput;
import io.statesql.type.StateOutput;
import io.statesql.type.UnwritableValueException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An Avro union: four bytes that say which branch, and its value. With one branch beside null it is
 * of that branch's type; with none, a VARCHAR that is always null. With more it is a row of {@code
 * branch}, the name of the branch that is stored, and a field of each branch's name, null for those
 * that it is not. The branch null makes the whole null.
 */
final class AvroUnionCodec implements Codec {
  /** By index; null for the branch null. */
  private final List<Branch> branches;

  private final SqlType type;
  private final @Nullable String unwritable;
  private final RowShape.Slot nameSlot;

  /** By index; empty if the union is of its only branch's type. */
  private final List<RowShape.Slot> slots = new ArrayList<>();

  /**
   * @param branches by index; null for the branch null
   */
  AvroUnionCodec(List<Branch> branches) {
    this.branches = new ArrayList<>(branches);
    this.unwritable =
        branches.stream()
            .filter(Objects::nonNull)
            .map(branch -> branch.codec().unwritable())
            .filter(Objects::nonNull)
            .findFirst()
            .orElse(null);
    List<Branch> values = branches.stream().filter(Objects::nonNull).toList();
    if (values.size() <= 1) {
      this.nameSlot = null;
      this.type = values.isEmpty() ? SqlType.Scalar.VARCHAR : values.get(0).codec().type();
      return;
    }
    RowShape shape = new RowShape();
    this.nameSlot = shape.add("branch", SqlType.Scalar.VARCHAR);
    for (Branch branch : branches) {
      slots.add(branch == null ? null : shape.add(branch.name(), branch.codec().type()));
    }
    this.type = shape.type();
  }

  /** A branch other than null. */
  record Branch(String name, Codec codec) {}

  @Override
  public SqlType type() {
    return type;
  }

  @Override
  public Object read(StateInput in) {
    int index = readIndex(in);
    Branch branch = branches.get(index);
    if (branch == null) {
      return null;
    }
    Object value = branch.codec().read(in);
    if (nameSlot == null) {
      return value;
    }
    Object[] row = new Object[((SqlType.Row) type).fields().size()];
    nameSlot.put(row, branch.name());
    slots.get(index).put(row, value);
    return row;
  }

  @Override
  public void skip(StateInput in) {
    Branch branch = branches.get(readIndex(in));
    if (branch != null) {
      branch.codec().skip(in);
    }
  }

  private int readIndex(StateInput in) {
    return AvroInput.readIndex(in, branches.size(), "a union's branches");
  }

  @Override
  public Codec select(BitSet fields) {
    List<Branch> selected = new ArrayList<>(branches.size());
    for (int i = 0; i < branches.size(); i++) {
      Branch branch = branches.get(i);
      selected.add(branch == null ? null : new Branch(branch.name(), select(i, fields)));
    }
    return new AvroUnionCodec(selected);
  }

  private Codec select(int index, BitSet fields) {
    Codec codec = branches.get(index).codec();
    return nameSlot == null ? codec.select(fields) : slots.get(index).select(codec, fields);
  }

  @Override
  public void write(@Nullable Object value, StateOutput out) {
    Object name = value == null || nameSlot == null ? null : nameSlot.get((Object[]) value);
    int index = value == null ? branches.indexOf(null) : indexOf(name);
    if (index < 0) {
      throw new UnwritableValueException("it is NULL, for which its Avro union has no branch");
    }
    out.writeInt(index);
    if (value != null) {
      requireNoOther(index, value);
      branches.get(index).codec().write(part(index, value), out);
    }
  }

  private void requireNoOther(int index, Object value) {
    for (int i = 0; i < slots.size(); i++) {
      if (i != index && slots.get(i) != null && slots.get(i).get((Object[]) value) != null) {
        throw new UnwritableValueException(
            "it has a value for the branch "
                + branches.get(i).name()
                + " of its Avro union while branch is "
                + branches.get(index).name());
      }
    }
  }

  /** What a value holds for a branch. */
  private @Nullable Object part(int index, Object value) {
    return nameSlot == null ? value : slots.get(index).get((Object[]) value);
  }

  private int indexOf(@Nullable Object name) {
    for (int i = 0; i < branches.size(); i++) {
      Branch branch = branches.get(i);
      if (branch != null && (nameSlot == null || branch.name().equals(name))) {
        return i;
      }
    }
    throw new UnwritableValueException("there is no branch " + name + " in its Avro union");
  }

  @Override
  public @Nullable String unwritable() {
    return unwritable;
  }

  @Override
  public void splice(StateInput old, Object[] row, BitSet replaced, StateOutput out) {
    int index = readIndex(old);
    Branch branch = branches.get(index);
    if (branch == null) {
      write(Arrays.stream(row).allMatch(Objects::isNull) ? null : row, out);
    } else if (nameSlot == null) {
      out.writeInt(index);
      branch.codec().splice(old, row, replaced, out);
    } else if (!nameSlot.isKept(replaced) && !branch.name().equals(nameSlot.get(row))) {
      branch.codec().skip(old);
      write(nameSlot.get(row) == null ? null : row, out);
    } else {
      requireNoOther(index, row);
      out.writeInt(index);
      slots.get(index).splice(branch.codec(), old, row, replaced, out);
    }
  }

  @Override
  public int declaredLength() {
    return -1;
  }

  @Override
  public int minimumLength() {
    return Integer.BYTES;
  }

  @Override
  public boolean isDelimited() {
    return true;
  }
}
