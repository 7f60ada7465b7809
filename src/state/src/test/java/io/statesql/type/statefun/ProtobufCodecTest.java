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
package io.statesql.type.statefun;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumDescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumValueDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Label;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.DescriptorProtos.MessageOptions;
import com.google.protobuf.DescriptorProtos.OneofDescriptorProto;
import com.google.protobuf.UnknownFieldSet;
import io.statesql.type.Binary;
import io.statesql.type.Codec;
import io.statesql.type.MalformedValueException;
import io.statesql.type.SqlType;
import io.statesql.type.StateInput;
import io.statesql.type.StateOutput;
import io.statesql.type.UnwritableValueException;
import java.math.BigDecimal;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Protobuf messages as rows, by descriptors that no generated class stands behind. */
class ProtobufCodecTest {
  private static final int NAME = 0;
  private static final int SMALL = 1;
  private static final int LARGE = 2;
  private static final int LEVEL = 3;
  private static final int CHILD = 4;
  private static final int TAGS = 5;
  private static final int PRICES = 6;
  private static final int NOTE = 7;

  private static FieldDescriptorProto.Builder field(
      String name, int number, FieldDescriptorProto.Type type) {
    return FieldDescriptorProto.newBuilder()
        .setName(name)
        .setNumber(number)
        .setType(type)
        .setLabel(Label.LABEL_OPTIONAL);
  }

  private static FileDescriptorSet shop() {
    DescriptorProto prices =
        DescriptorProto.newBuilder()
            .setName("PricesEntry")
            .setOptions(MessageOptions.newBuilder().setMapEntry(true))
            .addField(field("key", 1, FieldDescriptorProto.Type.TYPE_STRING))
            .addField(field("value", 2, FieldDescriptorProto.Type.TYPE_INT64))
            .build();
    DescriptorProto item =
        DescriptorProto.newBuilder()
            .setName("Item")
            .addField(field("name", 1, FieldDescriptorProto.Type.TYPE_STRING))
            .addField(field("small", 2, FieldDescriptorProto.Type.TYPE_UINT32))
            .addField(field("large", 3, FieldDescriptorProto.Type.TYPE_FIXED64))
            .addField(
                field("level", 4, FieldDescriptorProto.Type.TYPE_ENUM).setTypeName(".shop.Level"))
            .addField(
                field("child", 5, FieldDescriptorProto.Type.TYPE_MESSAGE).setTypeName(".shop.Item"))
            .addField(
                field("tags", 6, FieldDescriptorProto.Type.TYPE_STRING)
                    .setLabel(Label.LABEL_REPEATED))
            .addField(
                field("prices", 7, FieldDescriptorProto.Type.TYPE_MESSAGE)
                    .setTypeName(".shop.Item.PricesEntry")
                    .setLabel(Label.LABEL_REPEATED))
            .addField(field("note", 8, FieldDescriptorProto.Type.TYPE_STRING).setOneofIndex(0))
            .addOneofDecl(OneofDescriptorProto.newBuilder().setName("extra"))
            .addNestedType(prices)
            .build();
    return FileDescriptorSet.newBuilder()
        .addFile(
            FileDescriptorProto.newBuilder()
                .setName("shop.proto")
                .setPackage("shop")
                .setSyntax("proto3")
                .addMessageType(item)
                .addEnumType(
                    EnumDescriptorProto.newBuilder()
                        .setName("Level")
                        .addValue(
                            EnumValueDescriptorProto.newBuilder().setName("BASIC").setNumber(0))
                        .addValue(
                            EnumValueDescriptorProto.newBuilder().setName("GOLD").setNumber(1))))
        .build();
  }

  private static Codec item() {
    return ProtobufCodec.of(ProtobufDescriptors.find(shop(), "shop.Item").orElseThrow());
  }

  private static Object[] row() {
    return new Object[] {
      "tea",
      4_294_967_295L,
      new BigDecimal("18446744073709551615"),
      "GOLD",
      null,
      List.of("a", ""),
      Map.of("EUR", 5L),
      null
    };
  }

  private static byte[] write(Object[] row) {
    StateOutput out = new StateOutput();
    item().write(row, out);
    return out.toByteArray();
  }

  @Test
  void rowIsWrittenAndRead() {
    assertThat((Object[]) item().readLast(new StateInput(write(row())))).isEqualTo(row());
  }

  @Test
  void absentFieldIsNullOnlyWhereItCanBeToldFromADefault() {
    Object[] empty = (Object[]) item().readLast(new StateInput(new byte[0]));

    assertThat(empty)
        .isEqualTo(
            new Object[] {"", 0L, BigDecimal.ZERO, "BASIC", null, List.of(), Map.of(), null});
    Object[] row = row();
    row[NOTE] = "";
    assertThat(((Object[]) item().readLast(new StateInput(write(row))))[NOTE]).isEqualTo("");
  }

  @Test
  void messageWithinItsOwnTypeIsItsBytes() {
    assertThat(((SqlType.Row) item().type()).fields().get(CHILD).type())
        .isEqualTo(SqlType.Scalar.VARBINARY);
    Object[] row = row();
    row[CHILD] = Binary.of(write(row()));

    assertThat(((Object[]) item().readLast(new StateInput(write(row))))[CHILD])
        .isEqualTo(row[CHILD]);
  }

  @Test
  void splicedMessageKeepsWhatItsDescriptorDoesNotKnow() throws Exception {
    ByteString unknown =
        UnknownFieldSet.newBuilder()
            .addField(99, UnknownFieldSet.Field.newBuilder().addVarint(7).build())
            .build()
            .toByteString();
    StateInput old =
        new StateInput(ByteString.copyFrom(write(row())).concat(unknown).toByteArray());
    Object[] change = new Object[row().length];
    change[NAME] = "coffee";
    BitSet replaced = new BitSet();
    replaced.set(NAME);
    StateOutput out = new StateOutput();

    item().splice(old, change, replaced, out);

    Object[] expected = row();
    expected[NAME] = "coffee";
    assertThat((Object[]) item().readLast(new StateInput(out.toByteArray()))).isEqualTo(expected);
    assertThat(UnknownFieldSet.parseFrom(out.toByteArray()).getField(99).getVarintList())
        .containsExactly(7L);
  }

  @Test
  void whatAFieldCannotHoldIsRefused() {
    assertRefused(SMALL, -1L, "unsigned number of 32 bits");
    assertRefused(SMALL, 4_294_967_296L, "unsigned number of 32 bits");
    assertRefused(LARGE, new BigDecimal("18446744073709551616"), "unsigned number of 64 bits");
    assertRefused(LEVEL, "SILVER", "has no constant SILVER");
    assertRefused(NAME, null, "cannot be NULL");
    assertRefused(TAGS, java.util.Arrays.asList("a", null), "no NULL within a list");
    assertRefused(PRICES, null, "cannot be NULL");
    assertRefused(CHILD, Binary.of(new byte[] {1}), "is no message");
  }

  private static void assertRefused(int field, Object value, String reason) {
    Object[] row = row();
    row[field] = value;
    assertThatThrownBy(() -> write(row))
        .isInstanceOf(UnwritableValueException.class)
        .hasMessageContaining(reason);
  }

  @Test
  void damagedMessageIsMalformed() {
    byte[] bytes = write(row());
    bytes[1] = 127;

    assertThatThrownBy(() -> item().readLast(new StateInput(bytes)))
        .isInstanceOf(MalformedValueException.class)
        .hasMessageContaining("no message of protobuf");
  }

  @Test
  void messageThatIsNotDescribedIsNotFound() {
    assertThat(ProtobufDescriptors.find(shop(), "shop.Nothing")).isEmpty();
    assertThat(ProtobufDescriptors.find(shop(), "shop.Item.PricesEntry")).isPresent();
    assertThat(ProtobufDescriptors.find(FileDescriptorSet.getDefaultInstance(), "shop.Item"))
        .isEqualTo(Optional.empty());
    FileDescriptorSet withoutImport =
        FileDescriptorSet.newBuilder()
            .addFile(
                FileDescriptorProto.newBuilder()
                    .setName("a.proto")
                    .addDependency("missing.proto")
                    .addMessageType(
                        DescriptorProto.newBuilder()
                            .setName("A")
                            .addField(
                                field("b", 1, FieldDescriptorProto.Type.TYPE_MESSAGE)
                                    .setTypeName(".missing.B"))))
            .build();
    assertThat(ProtobufDescriptors.find(withoutImport, "A"))
        .as("its field is shown as its bytes")
        .isPresent();
  }
}
