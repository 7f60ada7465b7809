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

import com.google.common.primitives.Bytes;
import io.statesql.type.Codec;
import io.statesql.type.MalformedValueException;
import io.statesql.type.StateInput;
import io.statesql.type.Stored;
import io.statesql.type.composite.ListCodec;
import io.statesql.type.composite.TtlCodec;
import io.statesql.type.registry.StoredSerializers;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.apache.flink.api.common.typeutils.SingleThreadAccessCheckingTypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.InstantSerializer;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
import org.apache.flink.api.common.typeutils.base.ListSerializer;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.api.java.typeutils.runtime.NullableSerializer;
import org.apache.flink.runtime.state.ttl.TtlAwareSerializer;
import org.apache.flink.runtime.state.ttl.TtlStateFactory;
import org.apache.flink.runtime.state.ttl.TtlValue;
import org.junit.jupiter.api.Test;

class WrapperSnapshotsTest {

  @Test
  void readsNullableValues() {
    TypeSerializer<Integer> plain = NullableSerializer.wrap(IntSerializer.INSTANCE, false);
    Stored.check(plain, 5, 5);
    Stored.check(plain, null, null);
    TypeSerializer<Integer> padded = NullableSerializer.wrap(IntSerializer.INSTANCE, true);
    assertThat(padded.getLength()).isEqualTo(5);
    Stored.check(padded, 5, 5);
    Stored.check(padded, null, null);
    TypeSerializer<Instant> inline = NullableSerializer.wrap(InstantSerializer.INSTANCE, true);
    Stored.check(inline, null, null);
    Stored.check(inline, Instant.EPOCH, Stored.row(0L, 0));
    TypeSerializer<List<Integer>> list =
        NullableSerializer.wrap(new ListSerializer<>(IntSerializer.INSTANCE), true);
    Stored.check(list, null, null);
    Stored.check(list, List.of(1), List.of(1));
    assertThat(Stored.serializer(list).description()).isEqualTo("Nullable<List<Integer>>");
  }

  @Test
  void refusesPaddingThatIsNotZero() {
    Codec codec = Stored.codec(NullableSerializer.wrap(IntSerializer.INSTANCE, true));
    assertThatThrownBy(() -> codec.read(new StateInput(new byte[] {1, 0, 0, 9, 0})))
        .isInstanceOf(MalformedValueException.class);
  }

  @Test
  void refusesPaddingThatIsNotAsLongAsAValue() {
    byte[] snapshot = Stored.snapshot(NullableSerializer.wrap(IntSerializer.INSTANCE, true));
    byte[] nested = {0, 0, 0, 4, 0, 0x14, 0x57, (byte) 0xFD};
    int paddingAt = Bytes.indexOf(snapshot, nested);
    assertThat(paddingAt).isPositive();
    snapshot[paddingAt + 3] = 5;
    assertThatThrownBy(() -> StoredSerializers.read(new StateInput(snapshot), Stored.FLINK_2))
        .isInstanceOf(MalformedValueException.class)
        .hasMessageContaining("padded with 5 bytes");
  }

  @Test
  void readsValuesWithATimeToLive() {
    TypeSerializer<TtlValue<String>> text =
        new TtlStateFactory.TtlSerializer<>(LongSerializer.INSTANCE, StringSerializer.INSTANCE);
    TypeSerializer<TtlValue<Integer>> number =
        new TtlStateFactory.TtlSerializer<>(LongSerializer.INSTANCE, IntSerializer.INSTANCE);
    Stored.check(text, new TtlValue<>("a", 123L), "a");
    Stored.check(text, new TtlValue<>(null, 123L), null);
    Stored.check(number, new TtlValue<>(5, -1L), 5);
    assertThat(Stored.serializer(text).description()).isEqualTo("Ttl<String>");
    TtlCodec codec = (TtlCodec) Stored.codec(text);
    StateInput in = new StateInput(Stored.value(text, new TtlValue<>("a", 123L)));
    assertThat(codec.readLastAccess(in)).isEqualTo(123L);
    assertThat(codec.value().read(in)).isEqualTo("a");
    in.requireEnd();
  }

  @Test
  void readsTheTimeToLiveOfTheNewStateApi() {
    TypeSerializer<TtlValue<String>> serializer =
        new org.apache.flink.runtime.state.v2.ttl.TtlStateFactory.TtlSerializer<>(
            LongSerializer.INSTANCE, StringSerializer.INSTANCE);
    Stored.check(serializer, new TtlValue<>("a", 7L), "a");
    assertThat(Stored.codec(serializer)).isInstanceOf(TtlCodec.class);
  }

  @Test
  void seesTimeToLiveInsideOfLists() {
    TypeSerializer<List<TtlValue<Instant>>> serializer =
        new ListSerializer<>(
            new TtlStateFactory.TtlSerializer<>(
                LongSerializer.INSTANCE, InstantSerializer.INSTANCE));
    Stored.check(
        serializer,
        Arrays.asList(new TtlValue<>(Instant.EPOCH, 1L), new TtlValue<>(null, 2L)),
        Arrays.asList(Stored.row(0L, 0), null));
    assertThat(((ListCodec) Stored.codec(serializer)).element()).isInstanceOf(TtlCodec.class);
  }

  @Test
  void seesThroughTtlAwareSerializers() {
    TypeSerializer<Integer> plain = new TtlAwareSerializer<>(IntSerializer.INSTANCE, false);
    Stored.check(plain, 5, 5);
    TypeSerializer<TtlValue<Integer>> wrapped =
        new TtlAwareSerializer<>(
            new TtlStateFactory.TtlSerializer<>(LongSerializer.INSTANCE, IntSerializer.INSTANCE),
            true);
    Stored.check(wrapped, new TtlValue<>(5, 1L), 5);
    assertThat(Stored.codec(wrapped)).isInstanceOf(TtlCodec.class);
  }

  @Test
  void seesThroughSingleThreadCheckingSerializers() {
    Stored.check(
        new SingleThreadAccessCheckingTypeSerializer<>(StringSerializer.INSTANCE), "a", "a");
  }
}
