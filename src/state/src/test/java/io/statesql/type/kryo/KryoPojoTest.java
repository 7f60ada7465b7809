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
package io.statesql.type.kryo;

import static org.assertj.core.api.Assertions.assertThat;

import io.statesql.type.Codec;
import io.statesql.type.StateInput;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.java.typeutils.runtime.PojoSerializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.junit.jupiter.api.Test;

class KryoPojoTest {

  /** Its fields are stored by name; Flink 2.3 takes all but {@code b} and {@code d} for generic. */
  public static final class Order {
    public LocalDate a;
    public int b;
    public Optional<Map<String, BigDecimal>> c;
    public long d;
    public java.time.Duration e;
  }

  @Test
  void leavesTheFieldsAfterAKryoFieldInPlace() throws Exception {
    Order order = new Order();
    order.a = LocalDate.of(2026, 3, 1);
    order.b = 0x01020304;
    order.c = Optional.of(Map.of("total", new BigDecimal("9.90")));
    order.d = -2;
    order.e = null;
    TypeSerializer<Order> serializer =
        TypeInformation.of(Order.class).createSerializer(new SerializerConfigImpl());
    assertThat(serializer).isInstanceOf(PojoSerializer.class);
    DataOutputSerializer out = new DataOutputSerializer(64);
    serializer.serialize(order, out);

    StateInput in = new StateInput(out.getCopyOfBuffer());

    assertThat(in.readByte()).as("exact class").isEqualTo((byte) 2);
    assertThat(in.readBoolean()).as("a is null").isFalse();
    assertThat(kryo(LocalDate.class).read(in)).isEqualTo((int) order.a.toEpochDay());
    assertThat(in.readBoolean()).as("b is null").isFalse();
    assertThat(in.readInt()).isEqualTo(order.b);
    assertThat(in.readBoolean()).as("c is null").isFalse();
    assertThat(kryo(Optional.class).read(in)).isEqualTo("{\"total\":9.90}");
    assertThat(in.readBoolean()).as("d is null").isFalse();
    assertThat(in.readLong()).isEqualTo(order.d);
    assertThat(in.readBoolean()).as("e is null").isTrue();
    in.requireEnd();
  }

  private static Codec kryo(Class<?> type) {
    return KryoTestData.codec(type.getName(), List.of(KryoTestData.unspecified(type.getName())));
  }
}
