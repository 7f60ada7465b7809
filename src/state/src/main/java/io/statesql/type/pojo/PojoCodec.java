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
package io.statesql.type.pojo;

import io.statesql.type.Binary;
import io.statesql.type.Codec;
import io.statesql.type.CompositeCodec;
import io.statesql.type.MalformedValueException;
import io.statesql.type.RowShape;
import io.statesql.type.SqlType;
import io.statesql.type.StateInput;
import io.statesql.type.StateOutput;
import io.statesql.type.StoredField;
import io.statesql.type.UnwritableValueException;
import io.statesql.type.serializer.PojoSubclasses;
import java.io.UTFDataFormatException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * {@code PojoSerializer} (flink-core 2.3): a byte that says null, exact class, subclass by name or
 * subclass by tag; then each field of that class after a null flag. Java records are the same.
 *
 * <p>The row has the fields of the class in stored order. If the serializer knows any subclass, a
 * first field {@code pojo_class} holds the stored class name, and after the fields of the class
 * come those that only subclasses have; a value of another class has null there. Fields of the same
 * name but of different declaring classes are different fields.
 *
 * <p>A subclass may have no serializer in the snapshot, see {@link PojoSubclasses}. Where the end
 * of such a value is known ({@link #readLast}, or by the job's classes) and the row has a {@code
 * pojo_class}, that names the class, the last field {@code pojo_bytes} holds the bytes that follow
 * the name, and all other fields are null: those of this class lie among its own, in an order that
 * only the class tells. Elsewhere it is an error that names the class. {@code pojo_bytes} stands
 * beside {@code pojo_class} only, and is null for all other values.
 */
final class PojoCodec implements CompositeCodec {
  private static final int IS_NULL = 1;
  static final int NO_SUBCLASS = 2;
  private static final int IS_SUBCLASS = 4;
  private static final int IS_TAGGED_SUBCLASS = 8;

  private final PojoClass exact;
  private final List<PojoSubclass> registered;
  private final List<PojoSubclass> unregistered;
  private final PojoPlace place;
  private final Map<String, PojoTarget> targetsByName;
  private final List<PojoTarget> targetsByTag;
  private final PojoTarget.Fields exactTarget;
  private final RowShape.Slot classSlot;
  private final RowShape.Slot bytesSlot;
  private final SqlType.Row type;
  private final boolean delimited;
  private final @Nullable String unwritable;

  /**
   * @param registered in the order of their tags
   * @param unregistered all others that any header of the operator, or a value, knows; by name
   * @param place tells of further ones
   */
  PojoCodec(
      PojoClass exact,
      List<PojoSubclass> registered,
      List<PojoSubclass> unregistered,
      PojoPlace place) {
    this.exact = exact;
    this.place = place;
    this.registered = List.copyOf(registered);
    this.unregistered = List.copyOf(unregistered);
    RowShape shape = new RowShape();
    boolean hasSubclasses = !registered.isEmpty() || !unregistered.isEmpty();
    this.classSlot = hasSubclasses ? shape.add("pojo_class", SqlType.Scalar.VARCHAR) : null;
    Map<FieldIdentity, RowShape.Slot> slots = new HashMap<>();
    this.exactTarget = new PojoTarget.Fields(exact, slotsOf(exact, shape, slots));
    this.targetsByTag = targets(registered, shape, slots);
    this.targetsByName = new HashMap<>();
    List<PojoTarget> byName = targets(unregistered, shape, slots);
    for (int i = 0; i < byName.size(); i++) {
      targetsByName.put(unregistered.get(i).name(), byName.get(i));
    }
    this.bytesSlot = hasSubclasses ? shape.add("pojo_bytes", SqlType.Scalar.VARBINARY) : null;
    this.type = shape.type();
    this.delimited =
        exact.delimited()
            && registered.stream().allMatch(PojoSubclass::isDelimited)
            && unregistered.stream().allMatch(PojoSubclass::isDelimited);
    String ofExact = exactTarget.unwritable();
    this.unwritable = ofExact != null && noTargetIsWritable() ? ofExact : null;
  }

  private boolean noTargetIsWritable() {
    return Stream.concat(targetsByTag.stream(), targetsByName.values().stream())
        .allMatch(target -> target.unwritable() != null);
  }

  private record FieldIdentity(String declaringClass, String name, SqlType type) {}

  private static List<PojoTarget> targets(
      List<PojoSubclass> subclasses, RowShape shape, Map<FieldIdentity, RowShape.Slot> slots) {
    List<PojoTarget> targets = new ArrayList<>(subclasses.size());
    for (PojoSubclass subclass : subclasses) {
      targets.add(target(subclass, shape, slots));
    }
    return targets;
  }

  private static PojoTarget target(
      PojoSubclass subclass, RowShape shape, Map<FieldIdentity, RowShape.Slot> slots) {
    String name = subclass.name();
    RowShape.Slot whole = null;
    if (subclass.fields() instanceof PojoCodec pojo) {
      // All headers of the operator give it these, whether they can read its values or not.
      slotsOf(pojo.exact, shape, slots);
    } else if (subclass.fields() != null) {
      whole = shape.add(subclass.simpleName(), subclass.fields().type());
    }
    PojoTarget target;
    if (subclass.codec() == null) {
      return new PojoTarget.Missing(name, null);
    } else if (subclass.codec() instanceof PojoCodec pojo) {
      target =
          new PojoTarget.NestedFields(
              name, new PojoTarget.Fields(pojo.exact, slotsOf(pojo.exact, shape, slots)));
    } else {
      RowShape.Slot slot =
          whole != null && subclass.codec().type().equals(subclass.fields().type())
              ? whole
              : shape.add(subclass.simpleName(), subclass.codec().type());
      target = new PojoTarget.Whole(name, subclass.codec(), slot);
    }
    return subclass.isOfJob() ? new PojoTargetOfJob(target) : target;
  }

  private static List<RowShape.Slot> slotsOf(
      PojoClass pojo, RowShape shape, Map<FieldIdentity, RowShape.Slot> slots) {
    List<RowShape.Slot> result = new ArrayList<>(pojo.fields().size());
    for (int i = 0; i < pojo.fields().size(); i++) {
      StoredField field = pojo.fields().get(i);
      FieldIdentity identity =
          new FieldIdentity(pojo.declaringClasses().get(i), field.name(), field.codec().type());
      result.add(slots.computeIfAbsent(identity, absent -> shape.add(field)));
    }
    return result;
  }

  @Override
  public SqlType type() {
    return type;
  }

  @Override
  public Object read(StateInput in) {
    PojoTarget target = readTarget(in);
    if (target == null) {
      return null;
    }
    Object[] row = rowOf(target);
    if (target instanceof PojoTarget.Missing missing) {
      missing.readBytes(in, row, bytesSlot);
    } else {
      target.read(in, row);
    }
    return row;
  }

  @Override
  public Object readLast(StateInput in) {
    PojoTarget target = readTarget(in);
    if (target == null) {
      return null;
    }
    Object[] row = rowOf(target);
    if (target instanceof PojoTarget.Missing && bytesSlot != null) {
      return withBytes(row, in);
    }
    if (target instanceof PojoTargetOfJob ofJob) {
      int start = in.position();
      if (!ofJob.readsAll(in, row)) {
        // As without the jars.
        in.position(start);
        return withBytes(rowOf(target), in);
      }
    } else {
      target.readLast(in, row);
    }
    return row;
  }

  private Object[] withBytes(Object[] row, StateInput in) {
    bytesSlot.put(row, Binary.of(in.readBytes(in.remaining())));
    return row;
  }

  private Object[] rowOf(PojoTarget target) {
    Object[] row = new Object[type.fields().size()];
    if (classSlot != null) {
      classSlot.put(row, target.className());
    }
    return row;
  }

  @Override
  public void skip(StateInput in) {
    PojoTarget target = readTarget(in);
    if (target != null) {
      target.skip(in);
    }
  }

  /** What the head of a value says that follows; null for null. */
  private PojoTarget readTarget(StateInput in) {
    long offset = in.offset();
    int flags = in.readUnsignedByte();
    return switch (flags) {
      case IS_NULL -> null;
      case NO_SUBCLASS -> exactTarget;
      case IS_SUBCLASS -> {
        String className = in.readUtf();
        PojoTarget target = targetsByName.get(className);
        yield target == null || target instanceof PojoTarget.Missing
            ? new PojoTarget.Missing(className, place.meet(className))
            : target;
      }
      case IS_TAGGED_SUBCLASS -> {
        int tag = in.readByte();
        if (tag < 0 || tag >= targetsByTag.size()) {
          throw new MalformedValueException(
              offset,
              "the subclass tag "
                  + tag
                  + " is not one of the "
                  + targetsByTag.size()
                  + " that are registered for "
                  + exact.name());
        }
        yield targetsByTag.get(tag);
      }
      default ->
          throw new MalformedValueException(
              offset, flags + " is not how a value of " + exact.name() + " begins");
    };
  }

  @Override
  public void write(@Nullable Object value, StateOutput out) {
    if (value == null) {
      out.writeByte(IS_NULL);
      return;
    }
    Object[] row = (Object[]) value;
    PojoTarget target = writeHead(classSlot == null ? null : (String) classSlot.get(row), out);
    if (target.unwritable() != null) {
      throw new UnwritableValueException(target.unwritable());
    }
    requireOnlyFieldsOf(target, row);
    target.write(row, out);
  }

  /**
   * Writes what says of which class a value is.
   *
   * @param className null for the serializer's own
   */
  private PojoTarget writeHead(@Nullable String className, StateOutput out) {
    if (className == null || className.equals(exact.name())) {
      out.writeByte(NO_SUBCLASS);
      return exactTarget;
    }
    for (int tag = 0; tag < targetsByTag.size(); tag++) {
      if (targetsByTag.get(tag).className().equals(className)) {
        out.writeByte(IS_TAGGED_SUBCLASS);
        out.writeByte(tag);
        return targetsByTag.get(tag);
      }
    }
    PojoTarget target = targetsByName.get(className);
    if (target == null) {
      throw new UnwritableValueException(
          "the snapshot knows no class " + className + " among the subclasses of " + exact.name());
    }
    try {
      out.writeByte(IS_SUBCLASS);
      out.writeUtf(className);
    } catch (UTFDataFormatException e) {
      throw new UnwritableValueException("the name of its class is too long", e);
    }
    return target;
  }

  /** Refuses values in fields that the class of the whole does not have. */
  private void requireOnlyFieldsOf(PojoTarget target, Object[] row) {
    BitSet own = new BitSet();
    target.slots().forEach(slot -> own.set(slot.index(), slot.index() + slot.width()));
    if (classSlot != null) {
      own.set(classSlot.index());
    }
    for (int i = 0; i < row.length; i++) {
      if (row[i] != null && !own.get(i)) {
        throw new UnwritableValueException(
            "it is of the class "
                + target.className()
                + ", which has no field "
                + type.fields().get(i).name());
      }
    }
  }

  @Override
  public @Nullable String unwritable() {
    return unwritable;
  }

  @Override
  public void splice(StateInput old, Object[] row, BitSet replaced, StateOutput out) {
    int start = old.position();
    PojoTarget target = readTarget(old);
    if (target == null) {
      write(Arrays.stream(row).allMatch(Objects::isNull) ? null : row, out);
      return;
    }
    out.writeBytes(old.array(), start, old.position() - start);
    if (classSlot != null
        && !classSlot.isKept(replaced)
        && !target.className().equals(classSlot.get(row))) {
      throw new UnwritableValueException(
          "the class of a stored value cannot be changed; it is " + target.className());
    }
    if (!(target instanceof PojoTarget.Missing)) {
      requireOnlyFieldsOf(target, row);
    }
    target.splice(old, row, replaced, out);
  }

  @Override
  public int declaredLength() {
    return -1;
  }

  @Override
  public boolean isDelimited() {
    return delimited;
  }

  @Override
  public Codec select(BitSet fields) {
    List<PojoSubclass> selectedByTag = new ArrayList<>(registered.size());
    for (int i = 0; i < registered.size(); i++) {
      selectedByTag.add(registered.get(i).select(targetsByTag.get(i), fields));
    }
    return new PojoCodec(
        exact.select(exactTarget.slots(), fields),
        selectedByTag,
        unregistered.stream()
            .map(subclass -> subclass.select(targetsByName.get(subclass.name()), fields))
            .toList(),
        place);
  }

  PojoCodec withExact(PojoClass newExact) {
    return new PojoCodec(newExact, registered, unregistered, place);
  }

  @Override
  public Codec mapParts(UnaryOperator<Codec> replacement) {
    return new PojoCodec(
        exact.mapParts(replacement),
        registered.stream().map(subclass -> subclass.mapParts(replacement)).toList(),
        unregistered.stream().map(subclass -> subclass.mapParts(replacement)).toList(),
        place);
  }
}
