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
package io.statesql.type.serializer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.statesql.type.MalformedValueException;
import io.statesql.type.StateInput;
import io.statesql.type.Stored;
import java.time.Instant;
import java.util.Arrays;
import java.util.Random;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.InstantSerializer;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.common.typeutils.base.NullValueSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.api.java.tuple.Tuple;
import org.apache.flink.api.java.tuple.Tuple0;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.api.java.tuple.Tuple3;
import org.apache.flink.api.java.typeutils.runtime.EitherSerializer;
import org.apache.flink.api.java.typeutils.runtime.RowSerializer;
import org.apache.flink.api.java.typeutils.runtime.Tuple0Serializer;
import org.apache.flink.api.java.typeutils.runtime.TupleSerializer;
import org.apache.flink.types.Either;
import org.apache.flink.types.NullValue;
import org.apache.flink.types.Row;
import org.apache.flink.types.RowKind;
import org.junit.jupiter.api.Test;

class StructSnapshotsTest {

  @SafeVarargs
  @SuppressWarnings({"unchecked", "varargs"})
  private static <T extends Tuple> TupleSerializer<T> tuple(
      Class<?> tupleClass, TypeSerializer<?>... fields) {
    return new TupleSerializer<>((Class<T>) tupleClass, fields);
  }

  @Test
  void readsTuplesOfEveryArity() throws ReflectiveOperationException {
    for (int arity = 1; arity <= Tuple.MAX_ARITY; arity++) {
      Tuple tuple = Tuple.newInstance(arity);
      TypeSerializer<?>[] fields = new TypeSerializer<?>[arity];
      Object[] expected = new Object[arity];
      for (int i = 0; i < arity; i++) {
        fields[i] = i % 2 == 0 ? LongSerializer.INSTANCE : StringSerializer.INSTANCE;
        expected[i] = i % 2 == 0 ? (Object) (long) i : "text " + i;
        tuple.setField(expected[i], i);
      }
      TupleSerializer<Tuple> serializer = tuple(tuple.getClass(), fields);
      Stored.check(serializer, tuple, Stored.row(expected));
      assertThat(Stored.fieldNames(Stored.codec(serializer).type()))
          .hasSize(arity)
          .startsWith("f0")
          .endsWith("f" + (arity - 1));
    }
  }

  @Test
  void declaresTheLengthOfTuplesAsFlinkDoes() {
    TupleSerializer<Tuple2<Integer, Long>> fixed =
        tuple(Tuple2.class, IntSerializer.INSTANCE, LongSerializer.INSTANCE);
    assertThat(fixed.getLength()).isEqualTo(12);
    Stored.check(fixed, Tuple2.of(1, 2L), Stored.row(1, 2L));
    TupleSerializer<Tuple2<Integer, NullValue>> withEmpty =
        tuple(Tuple2.class, IntSerializer.INSTANCE, NullValueSerializer.INSTANCE);
    assertThat(withEmpty.getLength()).isEqualTo(-1);
    Stored.check(withEmpty, Tuple2.of(1, NullValue.getInstance()), Stored.row(1, null));
  }

  @Test
  void readsTheEmptyTuple() {
    Stored.check(Tuple0Serializer.INSTANCE, Tuple0.INSTANCE, "()");
    assertThatThrownBy(
            () -> Stored.codec(Tuple0Serializer.INSTANCE).read(new StateInput(new byte[] {41})))
        .isInstanceOf(MalformedValueException.class);
  }

  @Test
  void splicesNanosecondsBesideTheirField() {
    TupleSerializer<Tuple3<Integer, Instant, String>> serializer =
        tuple(
            Tuple3.class,
            IntSerializer.INSTANCE,
            InstantSerializer.INSTANCE,
            StringSerializer.INSTANCE);
    Stored.check(
        serializer,
        Tuple3.of(1, Instant.ofEpochSecond(5, 123_456_789), "x"),
        Stored.row(1, 5_123L, 456_789, "x"));
    Stored.check(serializer, Tuple3.of(1, null, "x"), Stored.row(1, null, null, "x"));
    assertThat(Stored.fieldNames(Stored.codec(serializer).type()))
        .containsExactly("f0", "f1", "f1_nanos", "f2");
  }

  @Test
  void nestsTuplesAsRows() {
    TupleSerializer<Tuple2<Integer, String>> inner =
        tuple(Tuple2.class, IntSerializer.INSTANCE, StringSerializer.INSTANCE);
    TupleSerializer<Tuple2<Tuple2<Integer, String>, Long>> outer =
        tuple(Tuple2.class, inner, LongSerializer.INSTANCE);
    Stored.check(outer, Tuple2.of(Tuple2.of(1, "a"), 2L), Stored.row(Stored.row(1, "a"), 2L));
    assertThat(Stored.serializer(outer).description())
        .isEqualTo("Tuple2<Tuple2<Integer, String>, Long>");
  }

  @Test
  void readsRowsWithTheirKind() {
    for (RowKind kind : RowKind.values()) {
      Row row = Row.ofKind(kind, 7, null, 9L);
      RowSerializer serializer =
          new RowSerializer(
              new TypeSerializer<?>[] {
                IntSerializer.INSTANCE, StringSerializer.INSTANCE, LongSerializer.INSTANCE
              });
      Stored.check(serializer, row, Stored.row(7, null, 9L, kind.shortString()));
      assertThat(Stored.fieldNames(Stored.codec(serializer).type()))
          .containsExactly("f0", "f1", "f2", "row_kind");
    }
  }

  @Test
  void readsRowsOfAnyArityAndNullPattern() {
    Random random = new Random(6);
    for (boolean supportsKind : new boolean[] {true, false}) {
      for (int arity = 1; arity < 20; arity++) {
        TypeSerializer<?>[] fields = new TypeSerializer<?>[arity];
        Arrays.fill(fields, IntSerializer.INSTANCE);
        Row row = new Row(arity);
        Object[] expected = new Object[arity + (supportsKind ? 1 : 0)];
        for (int i = 0; i < arity; i++) {
          expected[i] = random.nextBoolean() ? null : random.nextInt();
          row.setField(i, expected[i]);
        }
        if (supportsKind) {
          expected[arity] = "+I";
        }
        Stored.check(new RowSerializer(fields, null, supportsKind), row, Stored.row(expected));
      }
    }
  }

  @Test
  void refusesMasksWithUnusedBitsSet() {
    RowSerializer serializer = new RowSerializer(new TypeSerializer<?>[] {IntSerializer.INSTANCE});
    assertThatThrownBy(
            () -> Stored.codec(serializer).read(new StateInput(new byte[] {1, 0, 0, 0, 0})))
        .isInstanceOf(MalformedValueException.class);
  }

  @Test
  void saysWhichSideOfAnEitherIsStored() {
    EitherSerializer<String, Long> serializer =
        new EitherSerializer<>(StringSerializer.INSTANCE, LongSerializer.INSTANCE);
    Stored.check(serializer, Either.Left("a"), Stored.row("left", "a", null));
    Stored.check(serializer, Either.Right(3L), Stored.row("right", null, 3L));
    assertThat(Stored.fieldNames(Stored.codec(serializer).type()))
        .containsExactly("side", "left", "right");
    assertThat(Stored.serializer(serializer).description()).isEqualTo("Either<String, Long>");
  }
}
