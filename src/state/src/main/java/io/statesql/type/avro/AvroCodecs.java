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
import io.statesql.type.FixedCodec;
import io.statesql.type.KeyHash;
import io.statesql.type.SqlType;
import io.statesql.type.StateInput;
import io.statesql.type.StateOutput;
import io.statesql.type.StoredField;
import io.statesql.type.ValueWriter;
import io.statesql.type.composite.StructCodec;
import io.statesql.type.serializer.SnapshotReader;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Makes a codec of an Avro schema: records are rows, arrays and maps are such, unions as {@link
 * AvroUnionCodec} says, the rest as {@link AvroLeaves} says. A record without fields is the text
 * {@code {}}.
 *
 * <p>A record that stands within itself, and what is nested deeper or wider than a table can show,
 * is the JSON text of {@link AvroJsonCodec} there. One use, one thread; the codecs are immutable.
 */
final class AvroCodecs {
  /** Codecs for one schema. A schema may name a record in many places, each of which needs one. */
  static final int MOST_CODECS = 10_000;

  private final IdentityHashMap<Schema, Codec> leaves;
  private final Set<Schema> enclosing = Collections.newSetFromMap(new IdentityHashMap<>());
  private int count;
  private int depth;

  private AvroCodecs(IdentityHashMap<Schema, Codec> leaves) {
    this.leaves = leaves;
  }

  /**
   * A codec for values that {@code AvroSerializer} (flink-avro 2.3) wrote by this schema. Generated
   * classes take their hash code from Avro's library, but others, and those with objects of logical
   * types, have one of their own.
   */
  static Codec of(Schema schema) {
    return of(schema, false);
  }

  /** As {@link #of(Schema)}, of the generic records of Avro's library. */
  static Codec ofGeneric(Schema schema) {
    return of(schema, true);
  }

  private static Codec of(Schema schema, boolean isGeneric) {
    Codec codec = new AvroCodecs(leavesOf(schema)).codec(schema);
    return new Root(
        codec, isGeneric, codec.unwritable() == null ? new AvroKeyHash(codec, schema) : null);
  }

  private static IdentityHashMap<Schema, Codec> leavesOf(Schema root) {
    IdentityHashMap<Schema, Codec> leaves = new IdentityHashMap<>();
    Set<Schema> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    Deque<Schema> pending = new ArrayDeque<>(List.of(root));
    while (!pending.isEmpty()) {
      Schema schema = pending.pop();
      if (!seen.add(schema)) {
        continue;
      }
      switch (schema.getType()) {
        case RECORD -> schema.getFields().forEach(field -> pending.push(field.schema()));
        case ARRAY -> pending.push(schema.getElementType());
        case MAP -> pending.push(schema.getValueType());
        case UNION -> schema.getTypes().forEach(pending::push);
        default -> leaves.put(schema, AvroLeaves.codec(schema));
      }
    }
    return leaves;
  }

  private Codec codec(Schema schema) {
    Codec leaf = leaves.get(schema);
    if (leaf != null) {
      return leaf;
    }
    if (++count > MOST_CODECS || depth == SnapshotReader.MAX_DEPTH || !enclosing.add(schema)) {
      return new AvroJsonCodec(schema, leaves);
    }
    depth++;
    Codec codec =
        switch (schema.getType()) {
          case RECORD -> record(schema);
          case ARRAY -> new AvroArrayCodec(codec(schema.getElementType()));
          case MAP -> new AvroMapCodec(codec(schema.getValueType()));
          default -> union(schema);
        };
    depth--;
    enclosing.remove(schema);
    return codec;
  }

  private Codec record(Schema schema) {
    if (schema.getFields().isEmpty()) {
      return new FixedCodec(
          SqlType.Scalar.VARCHAR, 0, in -> "{}", ValueWriter.constant("{}", out -> {}));
    }
    List<StoredField> fields = new ArrayList<>();
    for (Schema.Field field : schema.getFields()) {
      count++;
      fields.add(new StoredField(field.name(), codec(field.schema())));
    }
    return new StructCodec(fields, -1);
  }

  private Codec union(Schema schema) {
    // Names within one namespace are short; two namespaces may have the same.
    Set<String> shortNames =
        schema.getTypes().stream().map(Schema::getName).collect(Collectors.toSet());
    boolean distinct = shortNames.size() == schema.getTypes().size();
    List<AvroUnionCodec.Branch> branches = new ArrayList<>();
    for (Schema branch : schema.getTypes()) {
      branches.add(
          branch.getType() == Schema.Type.NULL
              ? null
              : new AvroUnionCodec.Branch(
                  distinct ? branch.getName() : branch.getFullName(), codec(branch)));
    }
    return new AvroUnionCodec(branches);
  }

  /** Whether a union has more than one branch beside null. */
  static boolean hasBranches(Schema union) {
    return union.getTypes().stream().filter(branch -> branch.getType() != Schema.Type.NULL).count()
        > 1;
  }

  /** The whole value: {@code AvroSerializer} says that it has no fixed length, whatever it is. */
  private record Root(Codec codec, boolean isGeneric, @Nullable KeyHash likelyKeyHash)
      implements Codec {
    @Override
    public @Nullable KeyHash keyHash() {
      return isGeneric ? likelyKeyHash : null;
    }

    @Override
    public SqlType type() {
      return codec.type();
    }

    @Override
    public Object read(StateInput in) {
      return codec.read(in);
    }

    @Override
    public void skip(StateInput in) {
      codec.skip(in);
    }

    @Override
    public Codec select(BitSet fields) {
      return new Root(codec.select(fields), isGeneric, likelyKeyHash);
    }

    @Override
    public void write(@Nullable Object value, StateOutput out) {
      codec.write(value, out);
    }

    @Override
    public @Nullable String unwritable() {
      return codec.unwritable();
    }

    @Override
    public void splice(StateInput old, Object[] row, BitSet replaced, StateOutput out) {
      codec.splice(old, row, replaced, out);
    }

    @Override
    public int declaredLength() {
      return -1;
    }

    @Override
    public int minimumLength() {
      return codec.minimumLength();
    }

    @Override
    public boolean isDelimited() {
      return codec.isDelimited();
    }
  }
}
