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

import java.util.List;
import java.util.stream.Collectors;

/**
 * Tells the user which fields an undelimited value takes with it: its bytes have no known end, so
 * nothing after it in the same value can be found.
 */
final class LostFields {
  private static final int MOST_NAMES = 20;

  private LostFields() {}

  /** The same codec, its opaque type saying which later fields cannot be separated from it. */
  static Codec note(Codec codec, List<String> laterFields) {
    if (codec.isDelimited() || laterFields.isEmpty()) {
      return codec;
    }
    if (codec instanceof CompositeCodec composite) {
      return composite.mapParts(part -> note(part, laterFields));
    }
    if (codec.type() instanceof SqlType.Opaque opaque) {
      return new RetypedCodec(
          codec, new SqlType.Opaque(opaque.reason() + sentence(laterFields), opaque.needsClass()));
    }
    return codec;
  }

  private static String sentence(List<String> laterFields) {
    String names =
        laterFields.stream()
            .limit(MOST_NAMES)
            .map(name -> "'" + name + "'")
            .collect(Collectors.joining(", "));
    int more = laterFields.size() - MOST_NAMES;
    return "; what follows cannot be separated from it: "
        + names
        + (more > 0 ? " and " + more + " more" : "");
  }

  /** A codec under another type. */
  private static final class RetypedCodec extends ForwardingCodec {
    private final Codec codec;
    private final SqlType type;

    RetypedCodec(Codec codec, SqlType type) {
      this.codec = codec;
      this.type = type;
    }

    @Override
    public Codec delegate() {
      return codec;
    }

    @Override
    public SqlType type() {
      return type;
    }
  }
}
