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

import io.statesql.type.Codec;
import io.statesql.type.StateInput;
import io.statesql.type.StateOutput;
import io.statesql.type.Stored;
import io.statesql.type.UnwritableValueException;
import java.math.BigDecimal;
import java.util.BitSet;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.types.RowKind;
import org.junit.jupiter.api.Test;

/** Values that a stored type cannot hold are refused with a reason. */
class UnwritableValuesTest {
  private static Codec codec(TypeInformation<?> type) {
    return Stored.codec(type.createSerializer(new SerializerConfigImpl()));
  }

  private static void assertRefused(TypeInformation<?> type, Object value, String reason) {
    assertThatThrownBy(() -> Stored.written(codec(type), value))
        .isInstanceOf(UnwritableValueException.class)
        .hasMessageContaining(reason);
  }

  @Test
  void nullWhereTheSerializerHasNoFormForIt() {
    assertRefused(Types.LONG, null, "NULL");
    assertRefused(Types.TUPLE(Types.LONG), new Object[] {null}, "NULL");
    assertRefused(Types.LIST(Types.LONG), null, "NULL");
    assertThat(Stored.written(codec(Types.STRING), null)).isEqualTo(new byte[1]);
    assertThat(Stored.written(codec(Types.INSTANT), null)).hasSize(12);
  }

  @Test
  void whatIsNotAmongTheValuesOfTheType() {
    assertRefused(Types.ENUM(RowKind.class), "UPSERT", "UPSERT");
    assertRefused(Types.CHAR, "two", "3 UTF-16 units");
    assertRefused(Types.BIG_INT, new BigDecimal("1.5"), "no whole number");
    assertRefused(Types.LOCAL_TIME, new Object[] {86_400_000, 0}, "time of day");
    assertRefused(Types.INSTANT, new Object[] {0L, 1_000_000}, "nanoseconds");
    assertRefused(Types.EITHER(Types.STRING, Types.LONG), new Object[] {"left", null, 1L}, "right");
    assertRefused(Types.EITHER(Types.STRING, Types.LONG), new Object[] {"up", "", null}, "side");
  }

  @Test
  void opaqueFieldsAreCopiedButNeverWritten() {
    Codec codec = codec(Types.TUPLE(Types.LONG, Types.GENERIC(Thread.class)));
    assertThat(codec.unwritable()).contains("f1");
    BitSet first = new BitSet();
    first.set(0);
    byte[] old = {0, 0, 0, 0, 0, 0, 0, 1, 9, 8, 7};
    StateOutput out = new StateOutput();
    codec.splice(new StateInput(old), new Object[] {2L, null}, first, out);
    assertThat(out.toByteArray()).isEqualTo(new byte[] {0, 0, 0, 0, 0, 0, 0, 2, 9, 8, 7});
    BitSet second = new BitSet();
    second.set(1);
    assertThatThrownBy(
            () -> codec.splice(new StateInput(old), new Object[] {null, "x"}, second, out))
        .isInstanceOf(UnwritableValueException.class)
        .hasMessageContaining("java.lang.Thread");
  }

  @Test
  void aTimeAloneKeepsItsNanoseconds() {
    Codec codec = codec(Types.TUPLE(Types.INSTANT));
    byte[] old = Stored.written(codec, new Object[] {5L, 123_456});
    BitSet millis = new BitSet();
    millis.set(0);
    StateOutput out = new StateOutput();
    codec.splice(new StateInput(old), new Object[] {7L, null}, millis, out);
    assertThat(out.toByteArray()).isEqualTo(Stored.written(codec, new Object[] {7L, 123_456}));
  }
}
