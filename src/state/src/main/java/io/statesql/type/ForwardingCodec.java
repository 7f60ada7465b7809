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

import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** Does what another codec does, but for what a subclass does otherwise. */
public abstract class ForwardingCodec implements Codec {
  /** The codec that does the work. */
  public abstract Codec delegate();

  @Override
  public SqlType type() {
    return delegate().type();
  }

  @Override
  public @Nullable Object read(StateInput in) {
    return delegate().read(in);
  }

  @Override
  public void skip(StateInput in) {
    delegate().skip(in);
  }

  @Override
  public void write(@Nullable Object value, StateOutput out) {
    delegate().write(value, out);
  }

  @Override
  public void splice(StateInput old, Object[] row, BitSet replaced, StateOutput out) {
    delegate().splice(old, row, replaced, out);
  }

  @Override
  public @Nullable String unwritable() {
    return delegate().unwritable();
  }

  @Override
  public int declaredLength() {
    return delegate().declaredLength();
  }

  @Override
  public int minimumLength() {
    return delegate().minimumLength();
  }

  @Override
  public boolean isDelimited() {
    return delegate().isDelimited();
  }
}
