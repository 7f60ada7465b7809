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

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import io.statesql.type.Codec;
import io.statesql.type.Shop;
import io.statesql.type.SqlType;
import io.statesql.type.StateInput;
import io.statesql.type.Stored;
import io.statesql.type.registry.SnapshotRegistry;
import io.statesql.type.serializer.KryoVersion;
import io.statesql.type.serializer.SnapshotReader;
import java.io.Serializable;
import java.time.LocalDate;
import java.time.chrono.ChronoLocalDate;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.java.typeutils.runtime.kryo.KryoSerializer;
import org.junit.jupiter.api.Test;

class KryoRegistrationsTest {

  /** Stands for a serializer of the job. */
  public static final class JobSerializer extends Serializer<Object> implements Serializable {
    private static final long serialVersionUID = 1L;

    @Override
    public void write(Kryo kryo, Output output, Object object) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Object read(Kryo kryo, Input input, Class<? extends Object> type) {
      throw new UnsupportedOperationException();
    }
  }

  @Test
  void readsTypeRegistrationsInOrderAndClassesWithDefaultSerializers() {
    SerializerConfigImpl config = new SerializerConfigImpl();
    config.registerKryoType(Shop.Fish.class);
    config.registerTypeWithKryoSerializer(Shop.Dog.class, JobSerializer.class);
    config.addDefaultKryoSerializer(Shop.Animal.class, JobSerializer.class);
    config.addDefaultKryoSerializer(Shop.Address.class, new JobSerializer());
    byte[] bytes = Stored.snapshot(new KryoSerializer<>(Shop.Cat.class, config));
    StateInput in = new StateInput(bytes);
    assertThat(in.readUtf()).endsWith("KryoSerializerSnapshot");
    assertThat(in.readInt()).isEqualTo(2);
    KryoRegistrations kryo =
        KryoRegistrations.read(new SnapshotReader(in, Stored.FLINK_2, SnapshotRegistry.INSTANCE));
    in.requireEnd();
    assertThat(kryo.typeClass()).isEqualTo("io.statesql.type.Shop$Cat");
    assertThat(kryo.defaultSerializerClasses())
        .containsExactlyInAnyOrder("io.statesql.type.Shop$Animal", "io.statesql.type.Shop$Address");
    Map<String, KryoRegistration> byName =
        kryo.registrations().stream()
            .collect(Collectors.toMap(KryoRegistration::className, registration -> registration));
    assertThat(byName.get("io.statesql.type.Shop$Fish").kind())
        .isEqualTo(KryoRegistration.Kind.UNSPECIFIED);
    assertThat(byName.get("io.statesql.type.Shop$Dog"))
        .isEqualTo(
            new KryoRegistration(
                "io.statesql.type.Shop$Dog",
                KryoRegistration.Kind.CLASS,
                "io.statesql.type.kryo.KryoRegistrationsTest$JobSerializer"));
  }

  @Test
  void leavesWhatTheJobsDefaultSerializersWroteOpaque() {
    SerializerConfigImpl config = new SerializerConfigImpl();
    Codec own = Stored.codec(new KryoSerializer<>(LocalDate.class, config));
    assertThat(own.type()).isEqualTo(SqlType.Scalar.DATE);
    config.addDefaultKryoSerializer(ChronoLocalDate.class, JobSerializer.class);
    Codec jobs = Stored.codec(new KryoSerializer<>(LocalDate.class, config));
    assertThat(jobs.type()).isInstanceOf(SqlType.Opaque.class);
  }

  @Test
  void tellsKryosVersionByThatOfTheMetadata() {
    assertThat(KryoVersion.ofMetadata(2)).isEqualTo(KryoVersion.KRYO_2);
    assertThat(KryoVersion.ofMetadata(4)).isEqualTo(KryoVersion.KRYO_2);
    assertThat(KryoVersion.ofMetadata(5)).isEqualTo(KryoVersion.KRYO_5);
    assertThat(KryoVersion.ofMetadata(6)).isEqualTo(KryoVersion.KRYO_5);
  }
}
