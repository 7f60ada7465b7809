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

import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import org.jspecify.annotations.Nullable;

/** A value that nobody asked for: reads as null, without being decoded. */
final class SkippedCodec extends ForwardingCodec {
  private final Codec codec;

  SkippedCodec(Codec codec) {
    this.codec = codec;
  }

  @Override
  public Codec delegate() {
    return codec;
  }

  @Override
  public @Nullable Object read(StateInput in) {
    codec.skip(in);
    return null;
  }

  @Override
  public @Nullable Object readLast(StateInput in) {
    int start = in.position();
    try {
      codec.skip(in);
      if (in.remaining() == 0) {
        return null;
      }
    } catch (TruncatedValueException e) {
      // Whether that is damage, or a class of another version, the codec says below.
    } catch (StateSqlException e) {
      if (e.code() != ErrorCode.UNDECODABLE_STATE) {
        throw e;
      }
      // Its end cannot be found without a class, but is where the input ends.
      in.skip(in.remaining());
      return null;
    }
    in.position(start);
    Object unused = codec.readLast(in);
    return null;
  }
}
