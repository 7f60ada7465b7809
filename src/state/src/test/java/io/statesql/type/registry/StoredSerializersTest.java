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
package io.statesql.type.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.statesql.type.Binary;
import io.statesql.type.Codec;
import io.statesql.type.MalformedValueException;
import io.statesql.type.SqlType;
import io.statesql.type.StateInput;
import io.statesql.type.Stored;
import io.statesql.type.serializer.SnapshotReader;
import io.statesql.type.serializer.StoredSerializer;
import io.statesql.type.serializer.UnknownSerializerException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
import org.apache.flink.api.common.typeutils.base.ListSerializer;
import org.apache.flink.api.common.typeutils.base.MapSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.junit.jupiter.api.Test;

class StoredSerializersTest {
  private static final String UNKNOWN = "com.shop.OwnSerializer$Snapshot";
  private static final int COMPOSITE_MAGIC = 0x000DE704;
  private static final int NESTED_MAGIC = 0x001457FD;

  /** Writes to an in-memory output, which cannot fail. */
  @FunctionalInterface
  private interface Writer {
    void write(DataOutputSerializer out) throws IOException;
  }

  private static byte[] bytes(Writer writer) {
    DataOutputSerializer out = new DataOutputSerializer(64);
    try {
      writer.write(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.getCopyOfBuffer();
  }

  private static byte[] mapOfUnknown(byte[] payload) {
    return bytes(
        out -> {
          out.writeUTF("org.apache.flink.api.common.typeutils.base.MapSerializerSnapshot");
          out.writeInt(3);
          out.writeInt(COMPOSITE_MAGIC);
          out.writeInt(1);
          out.writeInt(NESTED_MAGIC);
          out.writeInt(1);
          out.writeInt(2);
          out.write(Stored.snapshot(StringSerializer.INSTANCE));
          out.writeUTF(UNKNOWN);
          out.writeInt(1);
          out.write(payload);
        });
  }

  @Test
  void readsASnapshotBehindItsFormatVersion() {
    StateInput in = new StateInput(Stored.headerSnapshot(IntSerializer.INSTANCE));
    assertThat(StoredSerializers.readWithFormatVersion(in, Stored.FLINK_2).description())
        .isEqualTo("Integer");
    in.requireEnd();
    byte[] wrongVersion = Stored.headerSnapshot(IntSerializer.INSTANCE);
    wrongVersion[3] = 1;
    assertThatThrownBy(
            () ->
                StoredSerializers.readWithFormatVersion(
                    new StateInput(wrongVersion), Stored.FLINK_2))
        .isInstanceOf(MalformedValueException.class)
        .hasMessageContaining("format version");
  }

  @Test
  void refusesEveryTruncatedSnapshot() {
    TypeSerializer<?> serializer =
        new MapSerializer<>(
            StringSerializer.INSTANCE, new ListSerializer<>(IntSerializer.INSTANCE));
    byte[] bytes = Stored.snapshot(serializer);
    for (int length = 0; length < bytes.length; length++) {
      byte[] truncated = Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> StoredSerializers.read(new StateInput(truncated), Stored.FLINK_2))
          .as("%d of %d bytes", length, bytes.length)
          .isInstanceOf(MalformedValueException.class);
    }
  }

  @Test
  void namesAnUnknownSnapshotClassAndWhereItsPayloadBegins() {
    byte[] payload = {1, 2, 3, 4, 5};
    byte[] bytes = mapOfUnknown(payload);
    StateInput in = new StateInput().reset(bytes, 0, bytes.length, 1000);
    assertThatThrownBy(() -> StoredSerializers.read(in, Stored.FLINK_2))
        .isInstanceOfSatisfying(
            UnknownSerializerException.class,
            e -> {
              assertThat(e.snapshotClassName()).isEqualTo(UNKNOWN);
              assertThat(e.snapshotVersion()).isEqualTo(1);
              assertThat(e.payloadOffset()).isEqualTo(1000L + bytes.length - payload.length);
            });
  }

  @Test
  void passesOverAnUnknownPayloadOfAnAssumedLength() {
    byte[] payload = {1, 2, 3, 4, 5};
    byte[] bytes = mapOfUnknown(payload);
    StateInput in = new StateInput(bytes);
    long offset = (long) bytes.length - payload.length;
    StoredSerializer stored =
        StoredSerializers.read(
            in, Stored.FLINK_2.withPayloadLengths(Map.of(offset, payload.length)));
    in.requireEnd();
    assertThat(stored.codec().isDelimited()).isFalse();
    assertThat(stored.codec().read(new StateInput(new byte[] {9})))
        .isEqualTo(Binary.of(new byte[] {9}));
    assertThat(((SqlType.Opaque) stored.codec().type()).reason()).contains(UNKNOWN);
    assertThat(stored.description()).isEqualTo("Map<String, " + UNKNOWN + ">");
    assertThatThrownBy(
            () ->
                StoredSerializers.read(
                    new StateInput(bytes),
                    Stored.FLINK_2.withPayloadLengths(Map.of(offset, payload.length + 1))))
        .isInstanceOf(MalformedValueException.class);
  }

  @Test
  void makesAFieldOfAnUnknownSerializerOpaqueWithinItsFrame() {
    byte[] unknown =
        bytes(
            out -> {
              out.writeUTF(UNKNOWN);
              out.writeInt(1);
              out.writeInt(42);
            });
    byte[] bytes =
        bytes(
            out -> {
              out.writeUTF("org.apache.flink.api.java.typeutils.runtime.PojoSerializerSnapshot");
              out.writeInt(2);
              out.writeUTF("com.shop.Thing");
              out.writeLong(0x000004F2C69A3D70L);
              out.writeInt(2);
              writeField(out, "first", Stored.snapshot(IntSerializer.INSTANCE));
              writeField(out, "second", unknown);
              for (int i = 0; i < 2; i++) {
                out.writeLong(0x000004F2C69A3D70L);
                out.writeInt(0);
              }
            });
    StateInput in = new StateInput(bytes);
    StoredSerializer stored = StoredSerializers.read(in, Stored.FLINK_2);
    in.requireEnd();
    assertThat(Stored.fieldNames(stored.codec().type())).containsExactly("first", "second");
    Object read = stored.codec().read(new StateInput(new byte[] {2, 0, 0, 0, 0, 7, 0, 1, 2}));
    assertThat(Stored.comparable(read)).isEqualTo(Stored.row(7, Binary.of(new byte[] {1, 2})));
  }

  private static void writeField(DataOutputSerializer out, String name, byte[] snapshot)
      throws IOException {
    out.writeUTF(name);
    out.writeBoolean(true);
    byte[] key =
        bytes(
            frame -> {
              frame.writeUTF("com.shop.Thing");
              frame.writeUTF(name);
            });
    out.writeInt(key.length);
    out.write(key);
    out.writeBoolean(true);
    out.writeInt(snapshot.length);
    out.write(snapshot);
  }

  @Test
  void refusesNestingWithoutEnd() {
    TypeSerializer<?> serializer = IntSerializer.INSTANCE;
    for (int depth = 1; depth < SnapshotReader.MAX_DEPTH; depth++) {
      serializer = new ListSerializer<>(serializer);
    }
    assertThat(Stored.codec(serializer).isDelimited()).isTrue();
    byte[] tooDeep = Stored.snapshot(new ListSerializer<>(serializer));
    assertThatThrownBy(() -> StoredSerializers.read(new StateInput(tooDeep), Stored.FLINK_2))
        .isInstanceOf(MalformedValueException.class)
        .hasMessageContaining("nested deeper");
    byte[] level =
        bytes(
            out -> {
              out.writeUTF("org.apache.flink.api.common.typeutils.base.ListSerializerSnapshot");
              out.writeInt(3);
              out.writeInt(COMPOSITE_MAGIC);
              out.writeInt(1);
              out.writeInt(NESTED_MAGIC);
              out.writeInt(1);
              out.writeInt(1);
            });
    byte[] endless =
        bytes(
            out -> {
              for (int i = 0; i < 100_000; i++) {
                out.write(level);
              }
            });
    assertThatThrownBy(() -> StoredSerializers.read(new StateInput(endless), Stored.FLINK_2))
        .isInstanceOf(MalformedValueException.class);
  }

  @Test
  void readsTheSimpleSnapshotsOfFlinkBefore18() {
    byte[] bytes =
        bytes(
            out -> {
              out.writeUTF(
                  "org.apache.flink.api.common.typeutils.base.IntSerializer$IntSerializerSnapshot");
              out.writeInt(2);
              out.writeUTF("org.apache.flink.api.common.typeutils.base.IntSerializer");
            });
    StateInput in = new StateInput(bytes);
    assertThat(
            StoredSerializers.read(in, Stored.FLINK_2)
                .codec()
                .read(new StateInput(new byte[] {0, 0, 0, 5})))
        .isEqualTo(5);
    in.requireEnd();
  }

  @Test
  void readsOuterVersionsOfRowsWithAndWithoutKind() {
    for (int outerVersion : List.of(2, 3)) {
      byte[] bytes =
          bytes(
              out -> {
                out.writeUTF(
                    "org.apache.flink.api.java.typeutils.runtime.RowSerializer$RowSerializerSnapshot");
                out.writeInt(3);
                out.writeInt(COMPOSITE_MAGIC);
                out.writeInt(outerVersion);
                out.writeInt(NESTED_MAGIC);
                out.writeInt(1);
                out.writeInt(1);
                out.write(Stored.snapshot(IntSerializer.INSTANCE));
              });
      Codec codec = StoredSerializers.read(new StateInput(bytes), Stored.FLINK_2).codec();
      assertThat(Stored.fieldNames(codec.type()))
          .isEqualTo(outerVersion == 2 ? List.of("f0") : List.of("f0", "row_kind"));
    }
  }

  @Test
  void refusesVersionsThatNoKnownFlinkWrites() {
    byte[] newer = Stored.snapshot(new ListSerializer<>(IntSerializer.INSTANCE));
    int versionAt =
        2 + "org.apache.flink.api.common.typeutils.base.ListSerializerSnapshot".length();
    newer[versionAt + 3] = 4;
    assertThatThrownBy(() -> StoredSerializers.read(new StateInput(newer), Stored.FLINK_2))
        .isInstanceOf(MalformedValueException.class)
        .hasMessageContaining("version 4");
  }

  @Test
  void readsPastTheSnapshotsOfScalaCaseClassesAndEnums() {
    byte[] caseClass =
        bytes(
            out -> {
              out.writeUTF("org.apache.flink.api.scala.typeutils.ScalaCaseClassSerializerSnapshot");
              out.writeInt(3);
              out.writeInt(COMPOSITE_MAGIC);
              out.writeInt(2);
              out.writeUTF("com.shop.Order");
              out.writeInt(NESTED_MAGIC);
              out.writeInt(1);
              out.writeInt(2);
              out.write(Stored.snapshot(IntSerializer.INSTANCE));
              out.writeUTF("org.apache.flink.api.scala.typeutils.ScalaEnumSerializerSnapshot");
              out.writeInt(3);
              out.writeUTF("com.shop.Level$");
              out.writeInt(1);
              out.writeUTF("GOLD");
              out.writeInt(0);
            });
    StateInput in = new StateInput(caseClass);
    StoredSerializer stored = StoredSerializers.read(in, Stored.FLINK_2);
    in.requireEnd();
    assertThat(stored.description())
        .isEqualTo("ScalaCaseClass<Integer, ScalaEnum<com.shop.Level$>>");
    assertThat(stored.codec().type()).isInstanceOf(SqlType.Opaque.class);
  }
}
