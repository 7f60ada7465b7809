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
package io.statesql.server;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Tells by the header {@code Authorization} (RFC 7617, Basic, UTF-8) who sends a request. Clients
 * send it each time, so a password that was right is remembered, by a keyed digest that is worth
 * nothing outside this process. Safe for use by many threads.
 */
final class Authenticator {
  /** The header that a refused client gets. */
  static final String CHALLENGE = "Basic realm=\"StateSQL\", charset=\"UTF-8\"";

  private static final String SCHEME = "Basic ";

  /** Keeps an unknown name as slow as a wrong password. */
  private static final PasswordHash NOBODY = PasswordHash.of("");

  private final Map<String, Account> accounts;
  private final Map<String, byte[]> proven = new ConcurrentHashMap<>();
  private final SecretKeySpec key;

  /** What is known of a user. */
  record Account(User user, PasswordHash password) {}

  /**
   * @param accounts by name; none if nobody is asked
   */
  Authenticator(Map<String, Account> accounts) {
    this.accounts = Map.copyOf(accounts);
    byte[] random = new byte[32];
    new SecureRandom().nextBytes(random);
    this.key = new SecretKeySpec(random, "HmacSHA256");
  }

  /**
   * The sender, or empty if it has to say who it is.
   *
   * @param authorization the header, or null
   */
  Optional<User> authenticate(String authorization) {
    if (accounts.isEmpty()) {
      return Optional.of(User.ANYBODY);
    }
    if (authorization == null
        || !authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
      return Optional.empty();
    }
    String credentials;
    try {
      byte[] decoded = Base64.getDecoder().decode(authorization.substring(SCHEME.length()).strip());
      credentials = new String(decoded, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException notBase64) {
      return Optional.empty();
    }
    int colon = credentials.indexOf(':');
    return colon < 0
        ? Optional.empty()
        : authenticate(credentials.substring(0, colon), credentials.substring(colon + 1));
  }

  private Optional<User> authenticate(String name, String password) {
    Account account = accounts.get(name);
    if (account == null) {
      NOBODY.matches(password);
      return Optional.empty();
    }
    byte[] digest = digest(password);
    byte[] before = proven.get(name);
    if (before == null || !MessageDigest.isEqual(before, digest)) {
      if (!account.password().matches(password)) {
        return Optional.empty();
      }
      proven.put(name, digest);
    }
    return Optional.of(account.user());
  }

  private byte[] digest(String password) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(key);
      return mac.doFinal(password.getBytes(StandardCharsets.UTF_8));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("Every Java has HMAC-SHA256", e);
    }
  }
}
