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

import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.calcite.avatica.util.ByteString;

/**
 * {@code PojoSerializer} (flink-core 2.3): a byte that says null, exact class, subclass by name or
 * subclass by tag; then each field of that class after a null flag. Java records are the same.
 *
 * <p>The row has the fields of the class in stored order. If the serializer knows any subclass, a
 * first field {@code pojo_class} holds the stored class name, and after the fields of the class
 * come those that only subclasses have; a value of another class has null there. Fields of the same
 * name but of different declaring classes are different fields.
 *
 * <p>A subclass may have no serializer in the snapshot: Flink stores that of an unregistered
 * subclass only if the copy of the serializer that wrote the snapshot has met it. Where the end of
 * such a value is known ({@link #readLast}) and the row has a {@code pojo_class}, that names the
 * class, the last field {@code pojo_bytes} holds the bytes that follow the name, and all other
 * fields are null. Elsewhere it is an error that names the class. {@code pojo_bytes} stands beside
 * {@code pojo_class} only, and is null for all other values.
 */
final class PojoCodec implements CompositeCodec {
  private static final int IS_NULL = 1;
  private static final int NO_SUBCLASS = 2;
  private static final int IS_SUBCLASS = 4;
  private static final int IS_TAGGED_SUBCLASS = 8;

  private final PojoClass exact;
  private final List<Subclass> registered;
  private final List<Subclass> unregistered;
  private final Map<String, Target> targetsByName;
  private final List<Target> targetsByTag;
  private final PojoTarget exactTarget;
  private final RowShape.Slot classSlot;
  private final RowShape.Slot bytesSlot;
  private final SqlType.Row type;
  private final boolean delimited;

  /**
   * @param registered in the order of their tags
   */
  PojoCodec(PojoClass exact, List<Subclass> registered, List<Subclass> unregistered) {
    this.exact = exact;
    this.registered = List.copyOf(registered);
    this.unregistered = List.copyOf(unregistered);
    RowShape shape = new RowShape();
    boolean hasSubclasses = !registered.isEmpty() || !unregistered.isEmpty();
    this.classSlot = hasSubclasses ? shape.add("pojo_class", SqlType.Scalar.VARCHAR) : null;
    Map<FieldIdentity, RowShape.Slot> slots = new HashMap<>();
    this.exactTarget = new PojoTarget(exact, slotsOf(exact, shape, slots));
    this.targetsByTag = targets(registered, shape, slots);
    this.targetsByName = new HashMap<>();
    List<Target> byName = targets(unregistered, shape, slots);
    for (int i = 0; i < byName.size(); i++) {
      targetsByName.put(unregistered.get(i).name(), byName.get(i));
    }
    this.bytesSlot = hasSubclasses ? shape.add("pojo_bytes", SqlType.Scalar.VARBINARY) : null;
    this.type = shape.type();
    this.delimited =
        exact.delimited()
            && registered.stream().allMatch(Subclass::isDelimited)
            && unregistered.stream().allMatch(Subclass::isDelimited);
  }

  /**
   * A class that extends the serializer's own.
   *
   * @param codec null if the snapshot has no serializer for it
   */
  record Subclass(String name, Codec codec) {
    boolean isDelimited() {
      return codec == null || codec.isDelimited();
    }

    Subclass select(Target target, BitSet fields) {
      return codec == null ? this : new Subclass(name, target.select(codec, fields));
    }

    Subclass mapParts(UnaryOperator<Codec> replacement) {
      return codec == null ? this : new Subclass(name, replacement.apply(codec));
    }
  }

  private record FieldIdentity(String declaringClass, String name, SqlType type) {}

  private static List<Target> targets(
      List<Subclass> subclasses, RowShape shape, Map<FieldIdentity, RowShape.Slot> slots) {
    List<Target> targets = new ArrayList<>(subclasses.size());
    for (Subclass subclass : subclasses) {
      targets.add(target(subclass, shape, slots));
    }
    return targets;
  }

  private static Target target(
      Subclass subclass, RowShape shape, Map<FieldIdentity, RowShape.Slot> slots) {
    if (subclass.codec() == null) {
      return new MissingTarget(subclass.name());
    }
    if (subclass.codec() instanceof PojoCodec pojo) {
      return new NestedPojoTarget(
          subclass.name(), new PojoTarget(pojo.exact, slotsOf(pojo.exact, shape, slots)));
    }
    return new WholeTarget(
        subclass.name(),
        subclass.codec(),
        shape.add(simpleName(subclass.name()), subclass.codec().type()));
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

  private static String simpleName(String className) {
    return className.substring(
        Math.max(className.lastIndexOf('.'), className.lastIndexOf('$')) + 1);
  }

  @Override
  public SqlType type() {
    return type;
  }

  @Override
  public Object read(StateInput in) {
    Target target = readTarget(in);
    if (target == null) {
      return null;
    }
    Object[] row = rowOf(target);
    target.read(in, row);
    return row;
  }

  @Override
  public Object readLast(StateInput in) {
    Target target = readTarget(in);
    if (target == null) {
      return null;
    }
    Object[] row = rowOf(target);
    if (target instanceof MissingTarget && bytesSlot != null) {
      bytesSlot.put(row, new ByteString(in.readBytes(in.remaining())));
    } else {
      target.readLast(in, row);
    }
    return row;
  }

  private Object[] rowOf(Target target) {
    Object[] row = new Object[type.fields().size()];
    if (classSlot != null) {
      classSlot.put(row, target.className());
    }
    return row;
  }

  @Override
  public void skip(StateInput in) {
    Target target = readTarget(in);
    if (target != null) {
      target.skip(in);
    }
  }

  /** What the head of a value says that follows; null for null. */
  private Target readTarget(StateInput in) {
    long offset = in.offset();
    int flags = in.readUnsignedByte();
    return switch (flags) {
      case IS_NULL -> null;
      case NO_SUBCLASS -> exactTarget;
      case IS_SUBCLASS -> {
        String className = in.readUtf();
        Target target = targetsByName.get(className);
        yield target == null ? new MissingTarget(className) : target;
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
  public int declaredLength() {
    return -1;
  }

  @Override
  public boolean isDelimited() {
    return delimited;
  }

  @Override
  public Codec select(BitSet fields) {
    List<Subclass> selectedByTag = new ArrayList<>(registered.size());
    for (int i = 0; i < registered.size(); i++) {
      selectedByTag.add(registered.get(i).select(targetsByTag.get(i), fields));
    }
    return new PojoCodec(
        exact.select(exactTarget.slots(), fields),
        selectedByTag,
        unregistered.stream()
            .map(subclass -> subclass.select(targetsByName.get(subclass.name()), fields))
            .toList());
  }

  @Override
  public Codec mapParts(UnaryOperator<Codec> replacement) {
    return new PojoCodec(
        exact.mapParts(replacement),
        registered.stream().map(subclass -> subclass.mapParts(replacement)).toList(),
        unregistered.stream().map(subclass -> subclass.mapParts(replacement)).toList());
  }

  /** What follows the head of a value. */
  private interface Target {
    String className();

    void read(StateInput in, Object[] row);

    /** As {@link #read} of a value that takes all bytes that are left. */
    void readLast(StateInput in, Object[] row);

    void skip(StateInput in);

    /** The codec of this target, one that skips what is not selected of this row's fields. */
    Codec select(Codec codec, BitSet fields);
  }

  /** The fields of a class. */
  private record PojoTarget(PojoClass pojo, List<RowShape.Slot> slots) implements Target {
    @Override
    public String className() {
      return pojo.name();
    }

    @Override
    public void read(StateInput in, Object[] row) {
      pojo.read(in, slots, row);
    }

    @Override
    public void readLast(StateInput in, Object[] row) {
      pojo.readLast(in, slots, row);
    }

    @Override
    public void skip(StateInput in) {
      pojo.skip(in);
    }

    @Override
    public Codec select(Codec codec, BitSet fields) {
      PojoCodec whole = (PojoCodec) codec;
      return new PojoCodec(pojo.select(slots, fields), whole.registered, whole.unregistered);
    }
  }

  /** A record of the subclass's own serializer, which says "exact class" again. */
  private record NestedPojoTarget(String className, PojoTarget pojo) implements Target {
    @Override
    public void read(StateInput in, Object[] row) {
      requireExact(in);
      pojo.read(in, row);
    }

    @Override
    public void readLast(StateInput in, Object[] row) {
      requireExact(in);
      pojo.readLast(in, row);
    }

    @Override
    public void skip(StateInput in) {
      requireExact(in);
      pojo.skip(in);
    }

    @Override
    public Codec select(Codec codec, BitSet fields) {
      return pojo.select(codec, fields);
    }

    private void requireExact(StateInput in) {
      long offset = in.offset();
      int flags = in.readUnsignedByte();
      if (flags != NO_SUBCLASS) {
        throw new MalformedValueException(
            offset, flags + " is not how a value of the subclass " + className + " begins");
      }
    }
  }

  /** A subclass that is not a POJO: one field holds its whole value. */
  private record WholeTarget(String className, Codec codec, RowShape.Slot slot) implements Target {
    @Override
    public void read(StateInput in, Object[] row) {
      slot.put(row, codec.read(in));
    }

    @Override
    public void readLast(StateInput in, Object[] row) {
      slot.put(row, codec.readLast(in));
    }

    @Override
    public void skip(StateInput in) {
      codec.skip(in);
    }

    @Override
    public Codec select(Codec whole, BitSet fields) {
      return slot.select(whole, fields);
    }
  }

  /** A subclass without a serializer. */
  private record MissingTarget(String className) implements Target {
    @Override
    public void read(StateInput in, Object[] row) {
      throw undecodable();
    }

    @Override
    public void readLast(StateInput in, Object[] row) {
      throw undecodable();
    }

    @Override
    public void skip(StateInput in) {
      throw undecodable();
    }

    @Override
    public Codec select(Codec codec, BitSet fields) {
      return codec;
    }

    private StateSqlException undecodable() {
      return new StateSqlException(
          ErrorCode.UNDECODABLE_STATE,
          "A value is of the class "
              + className
              + ", for which the snapshot stores no serializer: leave its column out of the query to"
              + " see the others, or register that class as a POJO type in the job before it takes"
              + " the snapshot.");
    }
  }
}
