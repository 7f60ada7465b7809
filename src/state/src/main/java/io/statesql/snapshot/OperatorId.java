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
package io.statesql.snapshot;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.hash.HashCode;
import com.google.common.hash.Hashing;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Optional;

/**
 * The 128 bits by which a snapshot knows an operator: the hash of its uid, or of its place in the
 * graph when the job gave it none.
 *
 * @param lower the first eight bytes, big-endian, as {@code _metadata} stores them
 * @param upper the last eight bytes
 */
public record OperatorId(long lower, long upper) {
  private static final int HEX_DIGITS = 32;

  /**
   * The id of the operator that a job named with {@code uid(...)}: murmur3_128 with seed 0 over the
   * UTF-8 text (Flink 2.3.0, {@code StreamGraphHasherV2.generateUserSpecifiedHash}).
   */
  public static OperatorId ofUid(String uid) {
    HashCode hash = Hashing.murmur3_128(0).hashString(uid, UTF_8);
    ByteBuffer bytes = ByteBuffer.wrap(hash.asBytes());
    return new OperatorId(bytes.getLong(), bytes.getLong());
  }

  /** The id that a text of 32 hex digits, in any case, stands for; empty for any other text. */
  public static Optional<OperatorId> ofHex(String text) {
    if (text.length() != HEX_DIGITS || !text.chars().allMatch(HexFormat::isHexDigit)) {
      return Optional.empty();
    }
    return Optional.of(
        new OperatorId(
            HexFormat.fromHexDigitsToLong(text, 0, HEX_DIGITS / 2),
            HexFormat.fromHexDigitsToLong(text, HEX_DIGITS / 2, HEX_DIGITS)));
  }

  /** 32 lower-case hex digits, as Flink's logs and web pages show the id. */
  public String hex() {
    HexFormat format = HexFormat.of();
    return format.toHexDigits(lower) + format.toHexDigits(upper);
  }

  @Override
  public String toString() {
    return hex();
  }
}
