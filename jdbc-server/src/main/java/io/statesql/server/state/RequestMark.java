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

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;

/**
 * What a savepoint keeps of a request that it holds, to know it again.
 *
 * @param key the id, and whose it is
 * @param content a digest of all that the request asked for
 */
record RequestMark(Key key, String content) {
  private static final int BYTES = 16;
  private static final int PARTS = 3;

  /**
   * An id of a request, which is its sender's own: others may have chosen the same.
   *
   * @param user a digest of the name
   */
  record Key(String id, String user) {
    static Key of(String id, String user) {
      return new Key(id, digest(user));
    }
  }

  static RequestMark of(ChangeRequest request) {
    return new RequestMark(
        Key.of(request.id(), request.user().name()),
        digest(
            request.isDelete() ? "DELETE" : "PUT",
            request.address().mount(),
            request.address().operator(),
            request.address().key(),
            request.address().state(),
            request.preconditions().toString(),
            String.valueOf(request.contentType()),
            HexFormat.of().formatHex(request.body().toByteArray())));
  }

  /** The form in which a savepoint keeps it. */
  String text() {
    return key.id() + " " + key.user() + " " + content;
  }

  /** Reads what {@link #text} wrote; empty if it is something else. */
  static Optional<RequestMark> parse(String text) {
    String[] parts = text.split(" ", -1);
    return parts.length == PARTS
        ? Optional.of(new RequestMark(new Key(parts[0], parts[1]), parts[2]))
        : Optional.empty();
  }

  private static String digest(String... parts) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (String part : parts) {
        byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
        // With the length, so that no two lists of parts look the same.
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
        digest.update(bytes);
      }
      return HexFormat.of().formatHex(digest.digest(), 0, BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java has SHA-256", e);
    }
  }
}
