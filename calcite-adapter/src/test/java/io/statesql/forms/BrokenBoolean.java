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
package io.statesql.forms;

import java.io.IOException;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.base.BooleanSerializer;
import org.apache.flink.api.common.typeutils.base.TypeSerializerSingleton;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Says that it writes as {@link BooleanSerializer} does, and writes what that cannot read. */
final class BrokenBoolean extends TypeSerializerSingleton<Boolean> {
  static final byte NEITHER_TRUE_NOR_FALSE = 7;

  private static final long serialVersionUID = 1L;

  @Override
  public boolean isImmutableType() {
    return true;
  }

  @Override
  public Boolean createInstance() {
    return false;
  }

  @Override
  public Boolean copy(Boolean from) {
    return from;
  }

  @Override
  public Boolean copy(Boolean from, Boolean reuse) {
    return from;
  }

  @Override
  public int getLength() {
    return 1;
  }

  @Override
  public void serialize(Boolean value, DataOutputView target) throws IOException {
    target.writeByte(NEITHER_TRUE_NOR_FALSE);
  }

  @Override
  public Boolean deserialize(DataInputView source) throws IOException {
    return source.readByte() != 0;
  }

  @Override
  public Boolean deserialize(Boolean reuse, DataInputView source) throws IOException {
    return deserialize(source);
  }

  @Override
  public void copy(DataInputView source, DataOutputView target) throws IOException {
    target.writeByte(source.readByte());
  }

  @Override
  public TypeSerializerSnapshot<Boolean> snapshotConfiguration() {
    return new BooleanSerializer.BooleanSerializerSnapshot();
  }
}
