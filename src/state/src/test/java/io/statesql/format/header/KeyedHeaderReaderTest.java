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
package io.statesql.format.header;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.statesql.edit.CustomSerializer;
import io.statesql.format.model.KeyedHeader;
import io.statesql.format.model.KeyedStateMeta;
import io.statesql.type.MalformedValueException;
import io.statesql.type.SqlType;
import io.statesql.type.serializer.KryoVersion;
import io.statesql.type.serializer.SerializerContext;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.flink.api.common.state.StateDescriptor;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.ListSerializer;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.common.typeutils.base.MapSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.runtime.state.KeyedBackendSerializationProxy;
import org.apache.flink.runtime.state.RegisteredKeyValueStateBackendMetaInfo;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.runtime.state.metainfo.StateMetaInfoSnapshot;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;
import org.junit.jupiter.api.Test;

class KeyedHeaderReaderTest {

  @Test
  void readsWhatFlinkWrites() throws IOException {
    byte[] bytes =
        header(
            true,
            state("total", StateDescriptor.Type.VALUE, LongSerializer.INSTANCE),
            state(
                "items",
                StateDescriptor.Type.LIST,
                new ListSerializer<>(StringSerializer.INSTANCE)),
            state(
                "counts",
                StateDescriptor.Type.MAP,
                new MapSerializer<>(StringSerializer.INSTANCE, LongSerializer.INSTANCE)),
            new RegisteredKeyValueStateBackendMetaInfo<>(
                    StateDescriptor.Type.REDUCING,
                    "per window",
                    new TimeWindow.Serializer(),
                    LongSerializer.INSTANCE)
                .snapshot());
    KeyedHeader header = KeyedHeaderReader.read(bytes, SerializerContext.of(KryoVersion.KRYO_5));
    assertThat(header.compressed()).isTrue();
    assertThat(header.length()).isEqualTo(bytes.length);
    assertThat(header.key().description()).isEqualTo("String");
    assertThat(header.states())
        .extracting(state -> state.name() + " " + state.kind())
        .containsExactly("total VALUE", "items LIST", "counts MAP", "per window REDUCING");
    assertThat(header.states().get(1).codecs().value().type()).isEqualTo(SqlType.Scalar.VARCHAR);
    assertThat(header.states().get(2).codecs().mapKey().type()).isEqualTo(SqlType.Scalar.VARCHAR);
    assertThat(header.states().get(3).codecs().hasTimeWindow()).isTrue();
  }

  @Test
  void oneSerializerOfTheJobsOwnHidesNoOtherState() throws IOException {
    byte[] bytes =
        header(
            false,
            state("before", StateDescriptor.Type.VALUE, StringSerializer.INSTANCE),
            state("empty", StateDescriptor.Type.VALUE, new CustomSerializer(new byte[0])),
            state(
                "long",
                StateDescriptor.Type.VALUE,
                new CustomSerializer(new byte[] {0, 3, 'a', 'b', 'c', 0, 0, 0, 7})),
            state("after", StateDescriptor.Type.VALUE, LongSerializer.INSTANCE));
    KeyedHeader header = KeyedHeaderReader.read(bytes, SerializerContext.of(KryoVersion.KRYO_5));
    assertThat(header.states())
        .extracting(KeyedStateMeta::name)
        .containsExactly("before", "empty", "long", "after");
    assertThat(header.states().get(1).codecs().value().type())
        .isInstanceOfSatisfying(
            SqlType.Opaque.class,
            opaque -> assertThat(opaque.reason()).contains("CustomSerializer$CustomSnapshot"));
    assertThat(header.states().get(3).codecs().value().type()).isEqualTo(SqlType.Scalar.BIGINT);
  }

  @Test
  void findsPayloadsOfAnySize() throws IOException {
    Random random = new Random(7);
    for (int length : new int[] {1, 2, 5, 16, 100, 1000, 2000}) {
      byte[] payload = new byte[length];
      random.nextBytes(payload);
      byte[] bytes =
          header(
              false,
              state("custom", StateDescriptor.Type.VALUE, new CustomSerializer(payload)),
              state("after", StateDescriptor.Type.VALUE, LongSerializer.INSTANCE));
      assertThat(KeyedHeaderReader.read(bytes, SerializerContext.of(KryoVersion.KRYO_5)).states())
          .as("payload of %d bytes", length)
          .extracting(KeyedStateMeta::name)
          .containsExactly("custom", "after");
    }
  }

  @Test
  void refusesEveryTruncation() throws IOException {
    byte[] bytes =
        header(
            false,
            state("total", StateDescriptor.Type.VALUE, LongSerializer.INSTANCE),
            state("custom", StateDescriptor.Type.VALUE, new CustomSerializer(new byte[4])));
    for (int length = 0; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      if (isPlausible(length, bytes.length)) {
        continue;
      }
      assertThatThrownBy(
              () -> KeyedHeaderReader.read(cut, SerializerContext.of(KryoVersion.KRYO_5)))
          .as("cut to %d of %d bytes", length, bytes.length)
          .isInstanceOf(MalformedValueException.class);
    }
  }

  /**
   * The payload of a serializer of the job's own stands last here, so that a cut inside of it
   * cannot be told from a shorter payload.
   */
  private static boolean isPlausible(int length, int whole) {
    return length >= whole - 200;
  }

  @Test
  void saysWhichFlinkReadsOldHeaders() {
    assertThatThrownBy(
            () ->
                KeyedHeaderReader.read(
                    new byte[] {0, 0, 0, 4, 0}, SerializerContext.of(KryoVersion.KRYO_5)))
        .isInstanceOf(MalformedValueException.class)
        .hasMessageContaining("before 1.8")
        .hasMessageContaining("Flink 1.16");
  }

  @Test
  void survivesFlippedBits() throws IOException {
    byte[] bytes =
        header(
            true,
            state("total", StateDescriptor.Type.VALUE, LongSerializer.INSTANCE),
            state(
                "counts",
                StateDescriptor.Type.MAP,
                new MapSerializer<>(StringSerializer.INSTANCE, LongSerializer.INSTANCE)));
    List<String> unexpected = new ArrayList<>();
    for (int bit = 0; bit < bytes.length * 8; bit++) {
      byte[] flipped = bytes.clone();
      flipped[bit / 8] ^= (byte) (1 << (bit % 8));
      try {
        KeyedHeaderReader.read(flipped, SerializerContext.of(KryoVersion.KRYO_5));
      } catch (MalformedValueException expected) {
        assertThat(expected.getMessage()).isNotBlank();
      } catch (RuntimeException e) {
        unexpected.add("bit " + bit + ": " + e);
      }
    }
    assertThat(unexpected).isEmpty();
  }

  private static StateMetaInfoSnapshot state(
      String name, StateDescriptor.Type type, TypeSerializer<?> serializer) {
    return new RegisteredKeyValueStateBackendMetaInfo<>(
            type, name, VoidNamespaceSerializer.INSTANCE, serializer)
        .snapshot();
  }

  private static byte[] header(boolean compressed, StateMetaInfoSnapshot... states)
      throws IOException {
    DataOutputSerializer out = new DataOutputSerializer(256);
    new KeyedBackendSerializationProxy<>(StringSerializer.INSTANCE, List.of(states), compressed)
        .write(out);
    return out.getCopyOfBuffer();
  }
}
