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
package io.statesql.type;

import org.apache.calcite.avatica.util.ByteString;

/** Shows Kryo data that cannot be decoded as all the bytes that are left. */
final class KryoOpaqueCodec implements Codec {
  private final SqlType.Opaque type;

  KryoOpaqueCodec(String reason) {
    this.type = new SqlType.Opaque(reason);
  }

  @Override
  public SqlType type() {
    return type;
  }

  @Override
  public Object read(StateInput in) {
    return new ByteString(in.readBytes(in.remaining()));
  }

  @Override
  public void skip(StateInput in) {
    in.skip(in.remaining());
  }

  /** {@code KryoSerializer.getLength()}. */
  @Override
  public int declaredLength() {
    return -1;
  }

  @Override
  public boolean isDelimited() {
    return false;
  }
}
