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
package io.statesql.server.state;

import io.statesql.coordinator.http.Reply;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The path of a request below {@value #PREFIX}: four segments, decoded once and never looked at as
 * names of files.
 *
 * @param mount by the query; empty if it names none
 */
record StatePath(String first, String second, String third, String fourth, Optional<String> mount) {
  static final String PREFIX = "/state/";

  private static final String MOUNT = "mount=";
  private static final int SEGMENTS = 4;

  /**
   * Reads a path as it was sent.
   *
   * @param query as it was sent; null for none
   * @throws RefusedRequestException if it is no address
   */
  static StatePath parse(String path, @Nullable String query) {
    List<String> segments = new ArrayList<>();
    for (String segment : path.substring(PREFIX.length()).split("/", -1)) {
      segments.add(decode(segment));
    }
    if (segments.size() != SEGMENTS) {
      throw new RefusedRequestException(
          400,
          "An address is /state/NAMESPACE/TYPE/NAME/STATE of a function, or"
              + " /state/MOUNT/OPERATOR/KEY/STATE; this one has "
              + segments.size()
              + (segments.size() == 1 ? " part." : " parts.")
              + " A slash within a part is written %2F.");
    }
    return new StatePath(
        segments.get(0), segments.get(1), segments.get(2), segments.get(3), mount(query));
  }

  private static Optional<String> mount(@Nullable String query) {
    if (query == null || query.isEmpty()) {
      return Optional.empty();
    }
    if (!query.startsWith(MOUNT) || query.indexOf('&') >= 0) {
      throw new RefusedRequestException(400, "The query may be mount=NAME, and nothing else.");
    }
    return Optional.of(decode(query.substring(MOUNT.length())));
  }

  /** Undoes percent-encoding (RFC 3986) of UTF-8. */
  private static String decode(String text) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '%') {
        if (i + 2 >= text.length()) {
          throw badEncoding(text);
        }
        bytes.write(digit(text, i + 1) << 4 | digit(text, i + 2));
        i += 2;
      } else if (c < 0x80) {
        bytes.write(c);
      } else {
        throw badEncoding(text);
      }
    }
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(bytes.toByteArray()))
          .toString();
    } catch (CharacterCodingException e) {
      throw badEncoding(text);
    }
  }

  private static int digit(String text, int index) {
    int digit = Character.digit(text.charAt(index), 16);
    if (digit < 0) {
      throw badEncoding(text);
    }
    return digit;
  }

  private static RefusedRequestException badEncoding(String text) {
    return new RefusedRequestException(
        400, "The part " + Reply.printable(text) + " is not percent-encoded UTF-8.");
  }
}
