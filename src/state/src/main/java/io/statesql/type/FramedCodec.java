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
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A value behind its length in four bytes, as Stateful Functions writes what its own serializers do
 * not look into. Immutable.
 */
public final class FramedCodec implements Codec {
  private final Codec content;
  private final Optional<String> remoteType;

  /**
   * @param content takes all bytes that it is given
   * @param remoteType the name that a remote function gave to the type; empty for values of others
   */
  public FramedCodec(Codec content, Optional<String> remoteType) {
    this.content = content;
    this.remoteType = remoteType;
  }

  /** Reads and writes what stands behind the length. */
  public Codec content() {
    return content;
  }

  /** The name that a remote function gave to the type, as {@code io.statefun.types/int}. */
  public Optional<String> remoteType() {
    return remoteType;
  }

  /** The length of a value, which is there as a whole. */
  private static int readLength(StateInput in) {
    return in.readCount(1);
  }

  private static StateInput content(StateInput in) {
    int length = readLength(in);
    int from = in.position();
    in.skip(length);
    return new StateInput().window(in, from, length);
  }

  @Override
  public SqlType type() {
    return content.type();
  }

  @Override
  public Object read(StateInput in) {
    StateInput inside = content(in);
    Object value = content.readLast(inside);
    inside.requireEnd();
    return value;
  }

  @Override
  public void skip(StateInput in) {
    in.skip(readLength(in));
  }

  @Override
  public void write(@Nullable Object value, StateOutput out) {
    int at = out.length();
    out.writeInt(0);
    content.write(value, out);
    out.putInt(at, out.length() - at - Integer.BYTES);
  }

  @Override
  public @Nullable String unwritable() {
    return content.unwritable();
  }

  @Override
  public void splice(StateInput old, Object[] row, BitSet replaced, StateOutput out) {
    int at = out.length();
    out.writeInt(0);
    content.splice(content(old), row, replaced, out);
    out.putInt(at, out.length() - at - Integer.BYTES);
  }

  @Override
  public int declaredLength() {
    return -1;
  }

  @Override
  public int minimumLength() {
    return Integer.BYTES;
  }

  @Override
  public boolean isDelimited() {
    return true;
  }
}
