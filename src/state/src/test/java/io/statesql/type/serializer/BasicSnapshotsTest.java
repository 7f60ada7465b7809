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

import io.statesql.type.Codec;
import io.statesql.type.MalformedValueException;
import io.statesql.type.StateInput;
import io.statesql.type.Stored;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Random;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.BigDecSerializer;
import org.apache.flink.api.common.typeutils.base.BigIntSerializer;
import org.apache.flink.api.common.typeutils.base.BooleanSerializer;
import org.apache.flink.api.common.typeutils.base.BooleanValueSerializer;
import org.apache.flink.api.common.typeutils.base.ByteSerializer;
import org.apache.flink.api.common.typeutils.base.ByteValueSerializer;
import org.apache.flink.api.common.typeutils.base.CharSerializer;
import org.apache.flink.api.common.typeutils.base.CharValueSerializer;
import org.apache.flink.api.common.typeutils.base.DoubleSerializer;
import org.apache.flink.api.common.typeutils.base.DoubleValueSerializer;
import org.apache.flink.api.common.typeutils.base.EnumSerializer;
import org.apache.flink.api.common.typeutils.base.FloatSerializer;
import org.apache.flink.api.common.typeutils.base.FloatValueSerializer;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
import org.apache.flink.api.common.typeutils.base.IntValueSerializer;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.common.typeutils.base.LongValueSerializer;
import org.apache.flink.api.common.typeutils.base.NullValueSerializer;
import org.apache.flink.api.common.typeutils.base.ShortSerializer;
import org.apache.flink.api.common.typeutils.base.ShortValueSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.api.common.typeutils.base.StringValueSerializer;
import org.apache.flink.api.common.typeutils.base.VoidSerializer;
import org.apache.flink.types.BooleanValue;
import org.apache.flink.types.ByteValue;
import org.apache.flink.types.CharValue;
import org.apache.flink.types.DoubleValue;
import org.apache.flink.types.FloatValue;
import org.apache.flink.types.IntValue;
import org.apache.flink.types.LongValue;
import org.apache.flink.types.NullValue;
import org.apache.flink.types.ShortValue;
import org.apache.flink.types.StringValue;
import org.junit.jupiter.api.Test;

class BasicSnapshotsTest {
  private static final int SAMPLES = 200;

  enum Color {
    RED,
    GREEN {
      @Override
      public String toString() {
        return "not the constant's name";
      }
    },
    BLUE
  }

  @Test
  void readsBooleansAndTheirValues() {
    for (boolean value : new boolean[] {false, true}) {
      Stored.check(BooleanSerializer.INSTANCE, value, value);
      Stored.check(BooleanValueSerializer.INSTANCE, new BooleanValue(value), value);
    }
  }

  @Test
  void refusesBooleansThatAreNeitherZeroNorOne() {
    Codec codec = Stored.codec(BooleanSerializer.INSTANCE);
    assertThatThrownBy(() -> codec.read(new StateInput(new byte[] {2})))
        .isInstanceOf(MalformedValueException.class)
        .hasMessageContaining("boolean");
  }

  @Test
  void readsIntegersOfEveryWidth() {
    Random random = new Random(1);
    for (long value : new long[] {0, 1, -1, Long.MIN_VALUE, Long.MAX_VALUE, random.nextLong()}) {
      Stored.check(ByteSerializer.INSTANCE, (byte) value, (byte) value);
      Stored.check(ByteValueSerializer.INSTANCE, new ByteValue((byte) value), (byte) value);
      Stored.check(ShortSerializer.INSTANCE, (short) value, (short) value);
      Stored.check(ShortValueSerializer.INSTANCE, new ShortValue((short) value), (short) value);
      Stored.check(IntSerializer.INSTANCE, (int) value, (int) value);
      Stored.check(IntValueSerializer.INSTANCE, new IntValue((int) value), (int) value);
      Stored.check(LongSerializer.INSTANCE, value, value);
      Stored.check(LongValueSerializer.INSTANCE, new LongValue(value), value);
    }
  }

  @Test
  void keepsNegativeZeroInfinitiesAndNan() {
    double[] values = {
      0.0,
      -0.0,
      1.5,
      Double.MIN_VALUE,
      Double.MAX_VALUE,
      Double.NaN,
      Double.POSITIVE_INFINITY,
      Double.NEGATIVE_INFINITY
    };
    for (double value : values) {
      Stored.check(DoubleSerializer.INSTANCE, value, value);
      Stored.check(DoubleValueSerializer.INSTANCE, new DoubleValue(value), value);
      Stored.check(FloatSerializer.INSTANCE, (float) value, (float) value);
      Stored.check(FloatValueSerializer.INSTANCE, new FloatValue((float) value), (float) value);
    }
    assertThat(Double.doubleToRawLongBits((double) Stored.read(DoubleSerializer.INSTANCE, -0.0)))
        .isEqualTo(Long.MIN_VALUE);
  }

  @Test
  void readsCharactersAsTextOfOne() {
    for (char value : new char[] {'a', '\0', 'é', '漢', '\uD800', '\uFFFF'}) {
      Stored.check(CharSerializer.INSTANCE, value, String.valueOf(value));
      Stored.check(CharValueSerializer.INSTANCE, new CharValue(value), String.valueOf(value));
    }
  }

  @Test
  void readsTextOfAnyCharactersAndLength() {
    Random random = new Random(2);
    BiFunction<Integer, Integer, String> text =
        (length, bound) ->
            random
                .ints(length, 0, bound)
                .collect(StringBuilder::new, (b, c) -> b.append((char) c), StringBuilder::append)
                .toString();
    checkText("");
    checkText("aé漢");
    checkText("\uD83D\uDE00 and unpaired \uDE00\uD83D");
    checkText("\0\u007F\u0080\u3FFF\u4000\uFFFF");
    for (int bound : new int[] {0x80, 0x100, 0x4000, 0x10000}) {
      for (int length : new int[] {1, 10, 126, 127, 128}) {
        checkText(text.apply(length, bound));
      }
      String large = text.apply(20_000, bound);
      assertThat(Stored.read(StringSerializer.INSTANCE, large)).isEqualTo(large);
      assertThat(Stored.read(StringValueSerializer.INSTANCE, new StringValue(large)))
          .isEqualTo(large);
    }
    Stored.check(StringSerializer.INSTANCE, null, null);
  }

  private static void checkText(String text) {
    Stored.check(StringSerializer.INSTANCE, text, text);
    Stored.check(StringValueSerializer.INSTANCE, new StringValue(text), text);
  }

  @Test
  void refusesTextThatFlinkDoesNotWrite() {
    Codec codec = Stored.codec(StringSerializer.INSTANCE);
    byte[][] wrong = {
      {(byte) 0x81, 0, 'a'},
      {2, (byte) 0x81, 0},
      {2, (byte) 0xFF, (byte) 0xFF, 0x7F},
      {(byte) 0xFF, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, 1}
    };
    for (byte[] bytes : wrong) {
      assertThatThrownBy(() -> codec.read(new StateInput(bytes)))
          .isInstanceOf(MalformedValueException.class);
    }
  }

  @Test
  void readsBigNumbers() {
    Random random = new Random(3);
    Function<Integer, BigInteger> number =
        bits -> new BigInteger(bits, random).multiply(BigInteger.valueOf(random.nextInt(3) - 1));
    BigInteger[] known = {
      BigInteger.ZERO,
      BigInteger.ONE,
      BigInteger.TEN,
      BigInteger.ONE.negate(),
      BigInteger.valueOf(Long.MIN_VALUE)
    };
    for (BigInteger value : known) {
      Stored.check(BigIntSerializer.INSTANCE, value, new BigDecimal(value));
    }
    for (int i = 0; i < SAMPLES; i++) {
      BigInteger value = number.apply(1 + i * 3);
      Stored.check(BigIntSerializer.INSTANCE, value, new BigDecimal(value));
      BigDecimal decimal = new BigDecimal(value, random.nextInt(100) - 50);
      Stored.check(BigDecSerializer.INSTANCE, decimal, decimal);
    }
    Stored.check(BigIntSerializer.INSTANCE, null, null);
    Stored.check(BigDecSerializer.INSTANCE, null, null);
    for (BigDecimal value :
        new BigDecimal[] {
          BigDecimal.ZERO,
          BigDecimal.ONE,
          BigDecimal.TEN,
          new BigDecimal("1.0"),
          new BigDecimal("1.00"),
          new BigDecimal(BigInteger.ONE, Integer.MAX_VALUE),
          new BigDecimal(BigInteger.ONE, Integer.MIN_VALUE)
        }) {
      Stored.check(BigDecSerializer.INSTANCE, value, value);
    }
  }

  @Test
  void refusesLengthsThatAreNotThoseOfABigNumber() {
    Codec codec = Stored.codec(BigIntSerializer.INSTANCE);
    for (byte head : new byte[] {4, -1, 100}) {
      byte[] bytes = {head < 0 ? head : 0, 0, 0, head};
      assertThatThrownBy(() -> codec.read(new StateInput(bytes)))
          .isInstanceOf(MalformedValueException.class);
      assertThatThrownBy(() -> codec.skip(new StateInput(bytes)))
          .isInstanceOf(MalformedValueException.class);
    }
  }

  @Test
  void readsTypesWhoseOnlyValueIsNull() {
    Stored.check(VoidSerializer.INSTANCE, null, null);
    Stored.check(NullValueSerializer.INSTANCE, NullValue.getInstance(), null);
  }

  @Test
  void readsEnumsByTheConstantNamesInTheSnapshot() {
    TypeSerializer<Color> serializer = new EnumSerializer<>(Color.class);
    for (Color value : Color.values()) {
      Stored.check(serializer, value, value.name());
    }
    assertThat(Stored.serializer(serializer).description())
        .isEqualTo("Enum<io.statesql.type.serializer.BasicSnapshotsTest$Color>");
  }

  @Test
  void refusesAnEnumIndexOutsideOfTheStoredConstants() {
    Codec codec = Stored.codec(new EnumSerializer<>(Color.class));
    for (byte index : new byte[] {3, -1}) {
      byte[] bytes = {index < 0 ? index : 0, 0, 0, index};
      assertThatThrownBy(() -> codec.read(new StateInput(bytes)))
          .isInstanceOf(MalformedValueException.class)
          .hasMessageContaining("Color");
    }
  }

  @Test
  void namesTheTypesAsPeopleRead() {
    assertThat(Stored.serializer(IntSerializer.INSTANCE).description()).isEqualTo("Integer");
    assertThat(Stored.serializer(BigDecSerializer.INSTANCE).description()).isEqualTo("BigDecimal");
    assertThat(Stored.serializer(StringValueSerializer.INSTANCE).description())
        .isEqualTo("StringValue");
  }
}
