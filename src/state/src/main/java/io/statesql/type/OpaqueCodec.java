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

import io.statesql.type.serializer.JobClasses;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Values shown as their bytes, because decoding them needs something that is not here. */
public final class OpaqueCodec implements Codec {
  private final SqlType.Opaque type;
  private final Consumer<StateInput> skipper;
  private final boolean delimited;

  private OpaqueCodec(
      String reason, Consumer<StateInput> skipper, boolean delimited, boolean needsClass) {
    this.type = new SqlType.Opaque(reason, needsClass);
    this.skipper = skipper;
    this.delimited = delimited;
  }

  /**
   * Takes the bytes over which {@code skipper} goes.
   *
   * @param reason one sentence for a user, without its full stop
   */
  public static Codec delimited(String reason, Consumer<StateInput> skipper) {
    return new OpaqueCodec(reason, skipper, true, false);
  }

  /** Takes all bytes that are left. */
  public static Codec undelimited(String reason) {
    return new OpaqueCodec(reason, OpaqueCodec::skipAll, false, false);
  }

  /** As {@link #undelimited}, where {@link JobClasses} may know more. */
  public static Codec needingClass(String reason) {
    return new OpaqueCodec(reason, OpaqueCodec::skipAll, false, true);
  }

  private static void skipAll(StateInput in) {
    in.skip(in.remaining());
  }

  /** Whether a codec's values could be decoded with classes of the job. */
  public static boolean needsClass(Codec codec) {
    return codec instanceof OpaqueCodec opaque && opaque.type.needsClass();
  }

  /**
   * The same without hope for classes.
   *
   * @param moreReason follows the reason
   */
  public static Codec stillOpaque(Codec codec, String moreReason) {
    return undelimited(((OpaqueCodec) codec).type.reason() + "; " + moreReason);
  }

  @Override
  public SqlType type() {
    return type;
  }

  @Override
  public Object read(StateInput in) {
    int from = in.position();
    skip(in);
    return Binary.of(Arrays.copyOfRange(in.array(), from, in.position()));
  }

  @Override
  public void skip(StateInput in) {
    skipper.accept(in);
  }

  /** Unknown without the class; -1 is the word of nearly all such serializers. */
  @Override
  public void write(@Nullable Object value, StateOutput out) {
    throw new UnwritableValueException(unwritable());
  }

  @Override
  public String unwritable() {
    return "it is shown as it is stored, and cannot be written: " + type.reason();
  }

  @Override
  public int declaredLength() {
    return -1;
  }

  @Override
  public int minimumLength() {
    return delimited ? 1 : 0;
  }

  @Override
  public boolean isDelimited() {
    return delimited;
  }
}
