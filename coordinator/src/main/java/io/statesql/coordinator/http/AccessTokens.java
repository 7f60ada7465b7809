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
package io.statesql.coordinator.http;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Optional;

/**
 * Who may do what. Tokens are compared in constant time, by their digests, so that neither their
 * content nor their length can be measured.
 */
public final class AccessTokens {
  /** Nobody needs a token, and nobody is an administrator. */
  public static final AccessTokens NONE = new AccessTokens(Optional.empty(), Optional.empty());

  private static final String SCHEME = "Bearer ";
  private static final int MIN_LENGTH = 16;

  private final Optional<byte[]> user;
  private final Optional<byte[]> admin;

  /**
   * @param user needed for every message, if present
   * @param admin needed for those of the admin role, and as good as the other for the rest
   * @throws IllegalArgumentException if a token is too short to be a secret, or holds what a header
   *     cannot carry
   */
  public AccessTokens(Optional<String> user, Optional<String> admin) {
    this.user = user.map(AccessTokens::checkedDigest);
    this.admin = admin.map(AccessTokens::checkedDigest);
  }

  private static byte[] checkedDigest(String token) {
    if (token.length() < MIN_LENGTH || !token.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
      throw new IllegalArgumentException(
          "A token must have "
              + MIN_LENGTH
              + " or more characters, all of them visible ASCII characters.");
    }
    return digest(token);
  }

  private static byte[] digest(String token) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java has SHA-256", e);
    }
  }

  /** Whether messages need a token. */
  public boolean required() {
    return user.isPresent();
  }

  /**
   * Checks the sender of a message.
   *
   * @param authorization the header of that name, or null
   */
  Optional<Refusal> check(String authorization, boolean needsAdmin) {
    byte[] given =
        authorization != null && authorization.startsWith(SCHEME)
            ? digest(authorization.substring(SCHEME.length()))
            : new byte[0];
    boolean matchesAdmin = MessageDigest.isEqual(given, admin.orElse(given));
    boolean matchesUser = MessageDigest.isEqual(given, user.orElse(given));
    boolean isAdmin = admin.isPresent() && matchesAdmin;
    boolean isUser = user.isEmpty() || matchesUser;
    if (!isAdmin && !isUser) {
      return Optional.of(
          new Refusal(401, "This coordinator needs a token: send Authorization: Bearer TOKEN."));
    }
    if (needsAdmin && !isAdmin) {
      return Optional.of(
          new Refusal(
              403,
              admin.isPresent()
                  ? "This message needs the admin token."
                  : "This message needs the admin token, and the coordinator was started without"
                      + " one."));
    }
    return Optional.empty();
  }
}
