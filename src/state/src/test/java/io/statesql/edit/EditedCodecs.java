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
package io.statesql.edit;

import io.statesql.type.Codec;
import io.statesql.type.StateInput;
import io.statesql.type.registry.StoredSerializers;
import io.statesql.type.serializer.KryoVersion;
import io.statesql.type.serializer.SerializerContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataOutputSerializer;

/** The codecs of Flink's serializers, by their snapshots. */
public final class EditedCodecs {
  private EditedCodecs() {}

  public static Codec of(TypeSerializer<?> serializer) {
    DataOutputSerializer out = new DataOutputSerializer(64);
    try {
      TypeSerializerSnapshot.writeVersionedSnapshot(out, serializer.snapshotConfiguration());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return StoredSerializers.read(
            new StateInput(out.getCopyOfBuffer()), SerializerContext.of(KryoVersion.KRYO_5))
        .codec();
  }
}
