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

import java.io.IOException;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSchemaCompatibility;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.base.TypeSerializerSingleton;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** A serializer of a job's own, whose snapshot has a payload that only its class can read. */
public final class CustomSerializer extends TypeSerializerSingleton<Long> {
  private static final long serialVersionUID = 1L;

  private final byte[] payload;

  public CustomSerializer(byte[] payload) {
    this.payload = payload.clone();
  }

  @Override
  public boolean isImmutableType() {
    return true;
  }

  @Override
  public Long createInstance() {
    return 0L;
  }

  @Override
  public Long copy(Long from) {
    return from;
  }

  @Override
  public Long copy(Long from, Long reuse) {
    return from;
  }

  @Override
  public int getLength() {
    return -1;
  }

  @Override
  public void serialize(Long value, DataOutputView target) throws IOException {
    target.writeUTF(Long.toString(value));
  }

  @Override
  public Long deserialize(DataInputView source) throws IOException {
    return Long.parseLong(source.readUTF());
  }

  @Override
  public Long deserialize(Long reuse, DataInputView source) throws IOException {
    return deserialize(source);
  }

  @Override
  public void copy(DataInputView source, DataOutputView target) throws IOException {
    target.writeUTF(source.readUTF());
  }

  @Override
  public TypeSerializerSnapshot<Long> snapshotConfiguration() {
    return new CustomSnapshot(payload);
  }

  /** Writes its payload as it is, without a length. */
  public static final class CustomSnapshot implements TypeSerializerSnapshot<Long> {
    private final byte[] payload;

    CustomSnapshot(byte[] payload) {
      this.payload = payload.clone();
    }

    @Override
    public int getCurrentVersion() {
      return 1;
    }

    @Override
    public void writeSnapshot(DataOutputView out) throws IOException {
      out.write(payload);
    }

    @Override
    public void readSnapshot(int version, DataInputView in, ClassLoader loader) throws IOException {
      in.readFully(payload);
    }

    @Override
    public TypeSerializer<Long> restoreSerializer() {
      return new CustomSerializer(payload);
    }

    @Override
    public TypeSerializerSchemaCompatibility<Long> resolveSchemaCompatibility(
        TypeSerializerSnapshot<Long> oldSerializerSnapshot) {
      return TypeSerializerSchemaCompatibility.compatibleAsIs();
    }
  }
}
